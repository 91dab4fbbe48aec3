import { SugarHigh, tokenize } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";

export interface CodeToken {
  /** The CSS class of its colour; empty for text without one. */
  look: string;
  text: string;
}

/** The CSS class of each kind of token; other tokens have no colour. */
const SHELL_LOOKS: Record<string, string> = {
  comment: "code-comment",
  string: "code-string",
  keyword: "code-keyword",
};
/** Not used for commands, where options and parts of URLs would match. */
const LOOKS: Record<string, string> = {
  ...SHELL_LOOKS,
  property: "code-name",
  entity: "code-name",
  class: "code-number",
};

/** Code in parts of one colour each; undefined if the language is unknown. */
export function codeTokens(code: string, language: string): CodeToken[] | undefined {
  const id = lang(language);
  const config = languages.find((known) => known.id === id)?.config;
  if (!config) return undefined;
  const looks = id === "shell" ? SHELL_LOOKS : LOOKS;
  const tokens: CodeToken[] = [];
  for (const [type, text] of tokenize(code, config)) {
    const look = looks[SugarHigh.TokenTypes[type] ?? ""] ?? "";
    const last = tokens.at(-1);
    // In some languages a string is three tokens.
    if (last?.look === look) last.text += text;
    else tokens.push({ look, text });
  }
  return tokens;
}
