import { INDENTED_LEVELS_MAX } from "./json-value";

interface Token {
  kind: "open" | "close" | "empty" | "text" | "other";
  raw: string;
}

/**
 * XML with a line for each element, or for each element that holds only text. Markup stays as it is
 * written; entities are not resolved. Stops when it has `charactersMax` characters.
 */
export function layOutXml(text: string, charactersMax: number): { text: string; isCut: boolean } {
  const lines: string[] = [];
  let length = 0;
  let depth = 0;
  /** True if the last line is an open tag, with or without its text. */
  let isOpenLine = false;
  const add = (raw: string) => {
    const line = "  ".repeat(Math.min(depth, INDENTED_LEVELS_MAX)) + raw;
    lines.push(line);
    length += line.length + 1;
  };
  const append = (raw: string) => {
    lines.push(`${lines.pop() ?? ""}${raw}`);
    length += raw.length;
  };
  let before: Token["kind"] | undefined;
  for (const { kind, raw } of xmlTokens(text)) {
    if (kind === "close") {
      depth = Math.max(0, depth - 1);
      if (isOpenLine) append(raw);
      else add(raw);
      isOpenLine = false;
    } else if (kind === "text") {
      const words = raw.trim();
      if (words === "") continue;
      if (before === "open") append(words);
      else add(words);
    } else {
      add(raw);
      isOpenLine = kind === "open";
      if (kind === "open") depth += 1;
    }
    before = kind;
    if (length > charactersMax) {
      return { text: lines.join("\n").slice(0, charactersMax), isCut: true };
    }
  }
  return { text: lines.join("\n"), isCut: false };
}

/** The delimiters of markup other than tags. */
const SPANS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

function* xmlTokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    if (text[at] !== "<") {
      const end = orEnd(text, text.indexOf("<", at));
      yield { kind: "text", raw: text.slice(at, end) };
      at = end;
      continue;
    }
    const span = SPANS.find(([start]) => text.startsWith(start, at));
    const end = span ? orEnd(text, text.indexOf(span[1], at), span[1].length) : endOfTag(text, at);
    const raw = text.slice(at, end);
    yield { kind: span || raw.startsWith("<!") ? "other" : kindOfTag(raw), raw };
    at = end;
  }
}

function kindOfTag(raw: string): Token["kind"] {
  if (raw.startsWith("</")) return "close";
  return raw.endsWith("/>") ? "empty" : "open";
}

/** A ">" inside quotation marks does not end a tag. */
function endOfTag(text: string, start: number): number {
  let quote: string | undefined;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) quote = character;
    else if (quote === undefined && character === ">") return at + 1;
  }
  return text.length;
}

function orEnd(text: string, found: number, length = 0): number {
  return found === -1 ? text.length : found + length;
}
