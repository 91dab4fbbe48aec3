/** HTML for code, with spans for what its language marks. Unknown languages are only escaped. */
export function highlight(code: string, language: string): string {
  const rule = RULES[language];
  if (!rule) return escapeHtml(code);
  let html = "";
  let end = 0;
  for (const match of code.matchAll(rule)) {
    const [kind, text] = Object.entries(match.groups ?? {}).find(([, found]) => found) ?? [];
    if (kind === undefined || text === undefined) continue;
    html += escapeHtml(code.slice(end, match.index));
    html += `<span class="code-${kind}">${escapeHtml(text)}</span>`;
    end = match.index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const SHELL =
  /(?<comment>(?<=^|\s)#.*$)|(?<string>'[^']*'|"(?:\\.|[^"\\])*")|(?<name>\$\w+)|(?<keyword>(?<=^\s*|[|;&(] ?|\bdo )\b(?:curl|npm|npx|node|agent-infra|while|for|in|do|done|if|then|else|fi|export)\b)/gm;
const SCRIPT =
  /(?<comment>\/\/.*$|\/\*[\s\S]*?\*\/)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<keyword>\b(?:import|from|export|const|let|function|async|await|return|for|of|in|if|else|new|try|catch|throw|type|interface|while|true|false|null|undefined)\b)|(?<number>\b\d[\d_.]*\b)/gm;
const JSON_TEXT =
  /(?<name>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<keyword>\b(?:true|false|null)\b)|(?<number>-?\b\d[\d.]*\b)/g;

const RULES: Record<string, RegExp> = {
  sh: SHELL,
  bash: SHELL,
  ts: SCRIPT,
  typescript: SCRIPT,
  js: SCRIPT,
  json: JSON_TEXT,
};
