/**
 * Control characters and characters that reorder text. In a terminal they could move the cursor,
 * change the title or disguise what was received.
 */
const UNSAFE = /\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Untrusted text on one line, safe for a terminal: unsafe characters become `\xNN` or `\uNNNN`. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
  });
}

/** Untrusted text of many lines, safe for a terminal. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join("\n");
}

/** A value as one line of JSON, in which no character acts on a terminal. */
export function printableJson(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** A value as indented JSON, in which no character acts on a terminal. */
export function indentedJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split("\n").map(escaped).join("\n");
}

function escaped(json: string): string {
  return json.replaceAll(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
