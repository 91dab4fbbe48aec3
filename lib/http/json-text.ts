import { randomUUID } from "node:crypto";

/** JSON that is sent as it is: reading and writing its value would cost far more than its bytes do. */
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

/** `JSON.stringify`, with every `JsonText` in the value as it is. */
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

/** The texts that the `toJson` in progress has met. */
let collected: string[] | undefined;
// Nobody can send what is in no answer.
const PLACEHOLDER = `json:${randomUUID()}`;
