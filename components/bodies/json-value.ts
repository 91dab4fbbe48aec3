import { type JsonEnd, jsonTokens } from "./json-tokens";

/** A JSON value that keeps the spelling of its scalars and names. */
export type JsonValue = JsonScalar | JsonContainer;

export interface JsonScalar {
  kind: "string" | "number" | "word";
  raw: string;
}

export interface JsonContainer {
  kind: "object" | "array";
  /** Members in order, with repeated names, each raw with its quotation marks; null in an array. */
  members: { name: string | null; value: JsonValue }[];
}

/**
 * How many characters of a body a page may still show, over all parts and values. A character
 * becomes at most 14 bytes of HTML, so any body becomes less than 1 MB.
 */
export interface CharacterBudget {
  left: number;
}

/** The budget for a whole body. */
export function characterBudget(): CharacterBudget {
  return { left: 70_000 };
}

/** A node of a tree takes as much HTML as this many characters. */
const NODE_CHARACTERS = 32;
const DEPTH_MAX = 30;

/** Parses JSON within the budget. Undefined if it is not JSON, too deep or too large. */
export function jsonValue(text: string, budget: CharacterBudget): JsonValue | undefined {
  const open: JsonContainer[] = [];
  let root: JsonValue | undefined;
  let name: string | null = null;
  let size = text.length;
  const tokens = jsonTokens(text);
  for (;;) {
    const { value: token, done } = tokens.next();
    if (done) {
      if (token !== "complete") return undefined;
      budget.left -= size;
      return root;
    }
    const { kind, raw } = token;
    if (kind === "name") name = raw;
    else if (kind === "close") open.pop();
    else if (kind !== "comma" && kind !== "colon") {
      const value: JsonValue =
        kind === "open" ? { kind: raw === "{" ? "object" : "array", members: [] } : { kind, raw };
      const parent = open.at(-1);
      if (parent) parent.members.push({ name, value });
      else root = value;
      name = null;
      size += NODE_CHARACTERS;
      if ("members" in value) open.push(value);
      if (size > budget.left || open.length > DEPTH_MAX) return undefined;
    }
  }
}

/** Deeper levels are not indented further, so that deep nesting does not multiply the text. */
export const INDENTED_LEVELS_MAX = 40;

/** Lays out JSON with a line for each value, up to `charactersMax` characters; `end` is null then. */
export function layOutJson(
  text: string,
  charactersMax: number,
): { text: string; end: JsonEnd | null } {
  const pieces: string[] = [];
  let length = 0;
  let depth = 0;
  let before: string | undefined;
  const write = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  const newLine = () => write(`\n${"  ".repeat(Math.min(depth, INDENTED_LEVELS_MAX))}`);
  const tokens = jsonTokens(text);
  for (;;) {
    const { value: token, done } = tokens.next();
    if (done) return { text: pieces.join(""), end: token };
    const { kind, raw } = token;
    if (kind === "close") {
      depth -= 1;
      if (before !== "open") newLine();
    } else if (before === "open" || before === "comma") newLine();
    if (kind === "open") depth += 1;
    write(kind === "colon" ? ": " : raw);
    before = kind;
    if (length > charactersMax) return { text: pieces.join("").slice(0, charactersMax), end: null };
  }
}
