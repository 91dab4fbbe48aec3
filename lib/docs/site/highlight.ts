import { SugarHigh, tokenize } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";

/** The CSS class of each kind of token; other tokens have no colour. */
const SHELL_CLASSES: Record<string, string> = {
  comment: "code-comment",
  string: "code-string",
  keyword: "code-keyword",
};
/** Not used for commands, where options and parts of URLs would match. */
const CLASSES: Record<string, string> = {
  ...SHELL_CLASSES,
  property: "code-name",
  class: "code-number",
};

/** HTML for code, with a span around each coloured part. Unknown languages are only escaped. */
export function highlight(code: string, language: string): string {
  const id = lang(language);
  const config = languages.find((known) => known.id === id)?.config;
  if (!config) return escapeHtml(code);
  const shown = id === "shell" ? SHELL_CLASSES : CLASSES;
  let html = "";
  let open = "";
  for (const [type, text] of tokenize(code, config)) {
    const name = shown[SugarHigh.TokenTypes[type] ?? ""] ?? "";
    // In some languages a string is three tokens.
    if (name !== open) html += (open && "</span>") + (name && `<span class="${name}">`);
    open = name;
    html += escapeHtml(text);
  }
  return html + (open && "</span>");
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
