/** A piece of a JSON text, exactly as written. */
interface JsonToken {
  kind: "open" | "close" | "comma" | "colon" | "name" | "string" | "number" | "word";
  raw: string;
}

/** How a JSON text ends: properly, too early, or with something that is not JSON. */
export type JsonEnd = "complete" | "cut" | "invalid";

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Reads JSON token by token, at any nesting depth, and returns how it ends. */
export function* jsonTokens(text: string): Generator<JsonToken, JsonEnd> {
  const open: string[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let wanted: "value" | "value or close" | "name" | "name or close" | "colon" | "next" = "value";
  for (;;) {
    at = endOf(BLANK, text, at);
    if (wanted === "next" && open.length === 0) return at === text.length ? "complete" : "invalid";
    const character = text[at];
    if (character === undefined) return "cut";
    const closing = open.at(-1);
    if (character === closing && (wanted === "next" || wanted.endsWith("close"))) {
      yield { kind: "close", raw: character };
      open.pop();
      wanted = "next";
      at += 1;
    } else if (wanted === "next") {
      if (character !== ",") return "invalid";
      yield { kind: "comma", raw: character };
      wanted = closing === "}" ? "name" : "value";
      at += 1;
    } else if (wanted === "colon") {
      if (character !== ":") return "invalid";
      yield { kind: "colon", raw: character };
      wanted = "value";
      at += 1;
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (typeof end === "string") return end;
      const isName = wanted.startsWith("name");
      yield { kind: isName ? "name" : "string", raw: text.slice(at, end) };
      wanted = isName ? "colon" : "next";
      at = end;
    } else if (wanted.startsWith("name")) {
      return "invalid";
    } else if (character === "{" || character === "[") {
      yield { kind: "open", raw: character };
      open.push(character === "{" ? "}" : "]");
      wanted = character === "{" ? "name or close" : "value or close";
      at += 1;
    } else {
      const isWord = /[tfn]/.test(character);
      const end = endOf(isWord ? WORD : NUMBER, text, at);
      if (end === at) return isStartOfScalar(text, at) ? "cut" : "invalid";
      yield { kind: isWord ? "word" : "number", raw: text.slice(at, end) };
      wanted = "next";
      at = end;
    }
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** The position after a string's closing quotation mark, or how the text ends without one. */
function endOfString(text: string, start: number): number | "cut" | "invalid" {
  let digitsWanted = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (digitsWanted > 0) {
      if (!isHexDigit(code)) return "invalid";
      digitsWanted -= 1;
    } else if (code === QUOTE) return at + 1;
    else if (code < 32) return "invalid";
    else if (code === BACKSLASH) {
      at += 1;
      const escaped = text[at];
      if (escaped === "u") digitsWanted = 4;
      else if (escaped !== undefined && !ESCAPED.includes(escaped)) return "invalid";
    }
  }
  return "cut";
}

const QUOTE = 34;
const BACKSLASH = 92;
/** What may follow a backslash, besides `u` and four hexadecimal digits. */
const ESCAPED = '"\\/bfnrt';

function isHexDigit(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 102);
}

/** Whether the text was cut off inside a number or word. */
function isStartOfScalar(text: string, at: number): boolean {
  const rest = text.slice(at, at + 6);
  return rest.length < 5 && ["true", "false", "null", "-"].some((word) => word.startsWith(rest));
}
