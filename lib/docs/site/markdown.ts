import { Marked, type Token, type Tokens } from "marked";
import { codeTokens } from "@/lib/platform/code-tokens";
import { escapeHtml } from "@/lib/platform/escape-html";

interface Heading {
  depth: number;
  id: string;
  text: string;
}

/** A heading and the text up to the next one, for the search. */
interface Section {
  heading: Heading;
  text: string;
}

export interface RenderedPage {
  html: string;
  /** The headings of depth 2 and 3. */
  headings: Heading[];
  sections: Section[];
}

/** An image, as it appears on the page. */
export interface Image {
  src: string;
  width: number;
  height: number;
}

interface Surroundings {
  /** The address of a link's target; undefined to show it as text. */
  link(href: string): string | undefined;
  image(src: string): Image;
}

/**
 * Renders a Markdown document of the repository, which may contain HTML. Headings get the IDs that
 * GitHub gives them. Adjacent code blocks with a second word after their language, such as ````
 * ```sh curl````, become tabs.
 */
export function renderMarkdown(markdown: string, around: Surroundings): RenderedPage {
  const marked = new Marked({ gfm: true, async: false });
  const tokens = marked.lexer(markdown);
  const sections = sectionsOf(tokens);
  const ids = new Map(sections.map(({ token, heading }) => [token, heading.id]));
  let context = "";
  marked.use({
    renderer: {
      heading(token) {
        const text = this.parser.parseInline(token.tokens);
        const id = ids.get(token) ?? "";
        context = plainText(token.tokens);
        const link = `<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(context)}”">#</a>`;
        return `<h${token.depth} id="${id}">${text}${token.depth > 1 ? link : ""}</h${token.depth}>\n`;
      },
      paragraph({ tokens: words }) {
        const [first, ...others] = words;
        const call = first?.type === "codespan" && others.length === 0 && CALL.exec(first.text);
        if (!call) return `<p>${this.parser.parseInline(words)}</p>\n`;
        const [, method = "", path = ""] = call;
        return `<p class="call"><code><b>${method}</b> ${escapeHtml(path)}</code></p>\n`;
      },
      code: (token) => codeBlock(token),
      table(token) {
        const row = (cells: Tokens.TableCell[], name: "th" | "td") =>
          `<tr>${cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table-scroll" role="group" tabindex="0" aria-label="Table: ${escapeHtml(context)}"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      list(token) {
        const tag = token.ordered ? "ol" : "ul";
        const items = token.items.map((item) => `<li>${this.parser.parse(item.tokens)}</li>`);
        const fields = token.items.every(isField) ? ' class="fields"' : "";
        const start = token.ordered && token.start !== 1 ? ` start="${token.start}"` : "";
        return `<${tag}${fields}${start}>${items.join("\n")}</${tag}>\n`;
      },
      link({ href, tokens: words }) {
        const text = this.parser.parseInline(words);
        const target = around.link(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      html({ text }) {
        return text.replaceAll(/ (src|srcset)="([^":]+)"/g, (_, name: string, href: string) => {
          const { src, width, height } = around.image(href);
          const size = name === "src" ? ` width="${width}" height="${height}"` : "";
          return ` ${name}="${escapeHtml(src)}"${size}`;
        });
      },
      image({ href, text }) {
        const { src, width, height } = around.image(href);
        const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
        return `<picture><source media="(prefers-color-scheme: dark)" srcset="${escapeHtml(src.replace(/\.png$/, "-dark.png"))}">${image}</picture>`;
      },
    },
  });
  return {
    html: inTabs(tokens)
      .map((token, index) => (Array.isArray(token) ? tabs(token, index) : marked.parser([token])))
      .join(""),
    headings: sections
      .map(({ heading }) => heading)
      .filter(({ depth }) => depth === 2 || depth === 3),
    sections: sections.map(({ heading, text }) => ({ heading, text })),
  };
}

/** A method and a path. A paragraph with nothing else becomes the heading of an operation. */
const CALL = /^([A-Z]+) (\/.*)$/;

/** The words of a document, without markup. */
function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if (token.type === "table") return tableText(token as Tokens.Table);
      if (token.type === "list") return plainText((token as Tokens.List).items);
      if (token.type === "space" || token.type === "html" || token.type === "br") return " ";
      const inner = "tokens" in token && token.tokens;
      const text = inner ? plainText(inner) : "text" in token ? String(token.text) : "";
      return isBlock(token) ? `${decodeEntities(text)} ` : decodeEntities(text);
    })
    .join("");
}

function isBlock(token: Token): boolean {
  if (token.type === "text") return "tokens" in token; // in a list item
  return ["paragraph", "code", "heading", "list_item", "blockquote"].includes(token.type);
}

function tableText({ header, rows }: Tokens.Table): string {
  return [header, ...rows]
    .map((cells) => cells.map(({ tokens }) => plainText(tokens).trim()).join(" "))
    .join(" ");
}

function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Splits a document at its headings; the first part precedes the first heading. */
function sectionsOf(tokens: readonly Token[]) {
  const seen = new Map<string, number>();
  const found: { token: Token; heading: Heading; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === "heading") {
      const text = plainText(token.tokens).trim();
      const heading = { depth: token.depth, id: idOf(text, seen), text };
      found.push({ token, heading, text: "" });
    } else {
      const last = found.at(-1);
      if (last) last.text += `${plainText([token])} `;
    }
  }
  for (const section of found) section.text = section.text.replaceAll(/\s+/g, " ").trim();
  return found;
}

/** The fragment of a heading, as on GitHub: lower case, and hyphens for spaces. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** The ID of a heading: its fragment, and a number for a repeated heading. */
function idOf(heading: string, seen: Map<string, number>): string {
  const base = anchorOf(heading);
  const uses = seen.get(base) ?? 0;
  seen.set(base, uses + 1);
  return uses === 0 ? base : `${base}-${uses}`;
}

/** Whether an item describes a field: it begins with a name in bold code. */
function isField({ tokens }: Tokens.ListItem): boolean {
  const [block] = tokens;
  const [first] = (block && "tokens" in block && block.tokens) || [];
  return first?.type === "strong" && "tokens" in first && first.tokens?.[0]?.type === "codespan";
}

/** Replaces adjacent code blocks that have titles by a group of tabs. */
function inTabs(tokens: readonly Token[]): (Token | Tokens.Code[])[] {
  const found: (Token | Tokens.Code[])[] = [];
  for (const token of tokens) {
    const last = found.at(-1);
    const title = token.type === "code" ? tabTitle(token as Tokens.Code) : undefined;
    if (title !== undefined && Array.isArray(last)) last.push(token as Tokens.Code);
    else if (title !== undefined) found.push([token as Tokens.Code]);
    else if (token.type !== "space") found.push(token);
  }
  return found;
}

/** Radio buttons as tabs, each followed by its panel. `index` tells the groups of a page apart. */
function tabs(blocks: Tokens.Code[], index: number): string {
  if (blocks.length === 1) return blocks.map((block) => codeBlock(block)).join("");
  const choices = blocks.map((block, at) => {
    const title = escapeHtml(titleOf(block));
    const checked = at === 0 ? " checked" : "";
    return `<label class="tab"><input type="radio" name="example-${index}" value="${title}" class="sr-only"${checked}>${title}</label>${codeBlock(block, "")}`;
  });
  return `<fieldset class="radio-tabs" aria-label="Example in">${choices.join("")}</fieldset>\n`;
}

const LANGUAGES: Record<string, string> = {
  sh: "Shell",
  ts: "TypeScript",
  js: "JavaScript",
  json: "JSON",
  http: "HTTP",
  nginx: "nginx",
  sql: "SQL",
};

function tabTitle({ lang = "" }: Tokens.Code): string | undefined {
  return lang.split(" ").slice(1).join(" ") || undefined;
}

function titleOf(token: Tokens.Code): string {
  const language = languageOf(token);
  return tabTitle(token) ?? LANGUAGES[language] ?? language;
}

function languageOf({ lang = "" }: Tokens.Code): string {
  return lang.split(" ")[0] ?? "";
}

function codeBlock(token: Tokens.Code, title = titleOf(token)): string {
  const language = languageOf(token);
  return `<figure class="code"><figcaption>${escapeHtml(title)}</figcaption><pre tabindex="0"><code>${highlight(token.text, language)}</code></pre></figure>\n`;
}

/** HTML for code, with a span around each coloured part. Unknown languages are only escaped. */
function highlight(code: string, language: string): string {
  const tokens = codeTokens(code, language) ?? [{ look: "", text: code }];
  return tokens
    .map(({ look, text }) =>
      look ? `<span class="${look}">${escapeHtml(text)}</span>` : escapeHtml(text),
    )
    .join("");
}
