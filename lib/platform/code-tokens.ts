import { SugarHigh, tokenize } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";
import { CODE_CLASSES } from "./code-classes";

interface CodeToken {
  /** The CSS class of its colour; empty for text without one. */
  look: string;
  text: string;
}

/**
 * The only kinds that are coloured in commands, where options and parts of URLs would match the
 * others.
 */
const SHELL_KINDS = ["comment", "string", "keyword"];

/** Code in parts of one colour each; undefined if the language is unknown. */
export function codeTokens(code: string, language: string): CodeToken[] | undefined {
  const id = lang(language);
  const config = languages.find((known) => known.id === id)?.config;
  if (!config) return undefined;
  const tokens: CodeToken[] = [];
  for (const [type, text] of tokenize(code, config)) {
    const kind = SugarHigh.TokenTypes[type] ?? "";
    const look = id === "shell" && !SHELL_KINDS.includes(kind) ? "" : (CODE_CLASSES[kind] ?? "");
    const last = tokens.at(-1);
    // In some languages a string is three tokens.
    if (last?.look === look) last.text += text;
    else tokens.push({ look, text });
  }
  return tokens;
}
