import { SugarHigh, tokenize } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";

/** The CSS class of a kind of token; other tokens have no colour. */
const SHELL_CLASSES: Record<string, string> = {
  comment: "code-comment",
  string: "code-string",
  keyword: "code-keyword",
};
/** In a command, options and parts of addresses would have these, too. */
const CLASSES: Record<string, string> = {
  ...SHELL_CLASSES,
  property: "code-name",
  class: "code-number",
};

/** HTML for code, with a span for each part that has a colour. Unknown languages are only escaped. */
export function highlight(code: string, language: string): string {
  const id = lang(language);
  const config = languages.find((known) => known.id === id)?.config;
  if (!config) return escapeHtml(code);
  const shown = id === "shell" ? SHELL_CLASSES : CLASSES;
  let html = "";
  let open = "";
  for (const [type, text] of tokenize(code, config)) {
    const name = shown[SugarHigh.TokenTypes[type] ?? ""] ?? "";
    // A string is three tokens in some languages.
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
