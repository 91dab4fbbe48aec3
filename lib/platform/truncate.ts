/** The first characters of a text, without splitting a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "") : text;
}

/** An incomplete escape at the end of cut JSON. `$1` is the escaped backslashes before it. */
const CUT_ESCAPE = /(?<!\\)((?:\\\\)*)\\(?:u[\da-f]{0,3})?$/;

/**
 * The longest prefix of a text whose JSON, without quotes, has at most `max` characters or UTF-8 bytes. Splits no
 * surrogate pair.
 */
export function truncateJson(text: string, max: number, unit: "characters" | "bytes"): string {
  const first = truncate(text, max);
  const json = JSON.stringify(first).slice(1, -1);
  const end = unit === "bytes" ? new TextEncoder().encodeInto(json, new Uint8Array(max)).read : max;
  if (end >= json.length) return first;
  return JSON.parse(`"${truncate(json, end).replace(CUT_ESCAPE, "$1")}"`);
}
