import { codeTokens } from "@/lib/platform/code-tokens";
import { escapeHtml } from "@/lib/platform/escape-html";

/** HTML for code, with a span around each coloured part. Unknown languages are only escaped. */
export function highlight(code: string, language: string): string {
  const tokens = codeTokens(code, language) ?? [{ look: "", text: code }];
  return tokens
    .map(({ look, text }) =>
      look ? `<span class="${look}">${escapeHtml(text)}</span>` : escapeHtml(text),
    )
    .join("");
}
