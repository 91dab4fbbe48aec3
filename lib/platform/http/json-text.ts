import { randomUUID } from "node:crypto";

/** JSON to embed verbatim, without parsing and serializing it again. */
export class JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): unknown {
    if (!collected) return JSON.parse(this.#text);
    collected.push(this.#text);
    return PLACEHOLDER;
  }
}

/** `JSON.stringify` that embeds every `JsonText` verbatim. */
export function toJson(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    collected = undefined;
  }
  if (texts.length === 0) return json;
  const parts = json.split(`"${PLACEHOLDER}"`);
  return parts.map((part, index) => part + (texts[index] ?? "")).join("");
}

/**
 * Like `toJson`, on one line. With a line break, a sender could forge a line of an export or a field of
 * a server-sent event.
 */
export function toJsonLine(value: unknown): string {
  return onOneLine(toJson(value));
}

/** The same JSON on one line. Escapes the line breaks of Unicode in its strings, since Python splits there too. */
export function onOneLine(json: string): string {
  return json
    .replaceAll(/[\r\n]/g, " ")
    .replaceAll(
      /[\u0085\u2028\u2029]/g,
      (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/** The texts found by the current `toJson`. */
let collected: string[] | undefined;
// Random, so that no caller can send it.
const PLACEHOLDER = `json:${randomUUID()}`;
