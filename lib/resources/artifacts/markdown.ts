import type { Element, Nodes, Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { type Schema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { Marked } from "marked";
import { parseFragment } from "parse5";
import { escapeHtml } from "@/lib/platform/escape-html";
import { codeColourer } from "./colour-code";

const marked = new Marked({ gfm: true, async: false });

/**
 * Renders GitHub Flavored Markdown to HTML without scripts or styles. Links are limited to http,
 * https, mailto and fragments, images to https and data URLs. Pathological input can take long or
 * throw, so run it in a worker. Throws when the result has too many characters.
 */
export function markdownToHtml(markdown: string): string {
  const tree = sanitized(marked.parse(markdown, { async: false }));
  if (tree.type === "root") finishElements(tree, new Map(), codeColourer());
  sizeOf(tree, CHARACTERS_MAX, ({ length }) => length);
  const html = toHtml(tree);
  // Checked again: the tags and escapes of the HTML were not counted.
  if (html.length > CHARACTERS_MAX) throw new Error("There are too many characters.");
  return html;
}

/**
 * The limits of what React renders into a page, in the thread that serves all pages. A README of
 * 90,000 characters has up to 7000 nodes; each cell that a short table row leaves out is one, too.
 */
const PART_NODES_MAX = 10_000;
const PART_CHARACTERS_MAX = 100_000;
/**
 * A million characters of short links have about four million. Each block repeats the elements that are
 * open before it, with their attributes, so a short text could have any number.
 */
export const CHARACTERS_MAX = 5_000_000;

interface Size {
  nodes: number;
  /** The lengths of all texts and properties, escaped. */
  characters: number;
}

export interface Tree extends Size {
  root: Nodes;
}

/**
 * Like `markdownToHtml`, but returns a tree for part of a page: without IDs, which could collide
 * with the page's, with headings below the page's, links or text in place of images, and a line
 * break for each line. Throws when elements nest too deeply or are too many, or have too many characters.
 */
export function markdownToTree(markdown: string): Tree {
  const root = sanitized(marked.parse(markdown, { async: false, breaks: true }));
  if (root.type === "root") finishPart(root, 0, codeColourer());
  const { nodes, characters } = sizeOf(
    root,
    PART_CHARACTERS_MAX,
    (text) => escapeHtml(text).length,
  );
  if (nodes > PART_NODES_MAX) throw new Error("There are too many elements.");
  return { root, nodes, characters };
}

/** Throws when there are more than `charactersMax` characters. */
function sizeOf(root: Nodes, charactersMax: number, lengthOf: (text: string) => number): Size {
  const size = { nodes: 0, characters: 0 };
  const add = (node: Nodes) => {
    size.nodes += 1;
    if ("value" in node) size.characters += lengthOf(node.value);
    for (const value of "properties" in node ? Object.values(node.properties).flat() : []) {
      if (typeof value === "string") size.characters += lengthOf(value);
    }
    if ("children" in node) for (const child of node.children) add(child);
  };
  add(root);
  if (size.characters > charactersMax) throw new Error("There are too many characters.");
  return size;
}

function sanitized(html: string): Nodes {
  // parse5 parses like a browser, so what is sanitized is what will be shown.
  return sanitize(fromParse5(parseFragment(html)), ALLOWED);
}

const ALLOWED: Schema = {
  tagNames: [
    ..."a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em".split(
      " ",
    ),
    ..."figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q s samp".split(
      " ",
    ),
    ..."small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var".split(" "),
  ],
  attributes: {
    a: ["href", "id", "title"],
    code: [["className", /^language-[\w+#.-]{1,40}$/]],
    details: ["open"],
    h1: ["id"],
    h2: ["id"],
    h3: ["id"],
    h4: ["id"],
    h5: ["id"],
    h6: ["id"],
    img: ["alt", "height", "src", "title", "width"],
    input: ["checked", ["disabled", true], ["type", "checkbox"]],
    li: [["className", "task-list-item"]],
    ol: ["start", "reversed"],
    td: ["align", "colSpan", "rowSpan"],
    th: ["align", "colSpan", "rowSpan", "scope"],
    "*": [
      ["dir", /^(ltr|rtl|auto)$/i],
      ["lang", /^[\w-]{1,35}$/],
    ],
  },
  required: { input: { disabled: true, type: "checkbox" } },
  protocols: { href: ["http", "https", "mailto"], src: ["https", "data"] },
  // Removed with their text; other disallowed elements keep theirs.
  strip: ["script", "style", "template", "noscript", "title", "iframe", "object", "svg", "math"],
  ancestors: {
    li: ["ol", "ul"],
    tbody: ["table"],
    td: ["table"],
    th: ["table"],
    thead: ["table"],
    tr: ["table"],
  },
  allowComments: false,
  allowDoctypes: false,
  clobber: [],
};

/** Completes links and images, colours code, and gives every heading an ID. */
function finishElements(
  parent: Root | Element,
  slugs: Map<string, number>,
  colour: (pre: Element) => void,
) {
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    const { tagName, properties } = child;
    if (tagName === "a") finishLink(properties);
    if (tagName === "img") finishImage(properties);
    makeReachable(child);
    if (/^h[1-6]$/.test(tagName)) properties.id ??= slugOf(child, slugs);
    finishElements(child, slugs, colour);
    if (tagName === "pre") colour(child);
  }
}

const DEPTH_MAX = 50;

function finishPart(
  parent: Root | Element,
  depth: number,
  colour: (pre: Element) => void,
  isInLink = false,
) {
  if (depth > DEPTH_MAX) throw new Error("The elements nest too deeply.");
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "img") replaceImage(child, isInLink);
    const { properties } = child;
    delete properties.id;
    makeReachable(child);
    if (child.tagName === "a") {
      finishLink(properties);
      if (String(properties.href).startsWith("#")) delete properties.href;
    }
    const level = Number(/^h([1-6])$/.exec(child.tagName)?.[1]);
    if (level > 0) child.tagName = `h${Math.min(level + 2, 6)}`;
    finishPart(child, depth + 1, colour, isInLink || child.tagName === "a");
    if (child.tagName === "pre") colour(child);
  }
}

/** An image would tell its server who reads the page, so it becomes a link or, in a link, text. */
function replaceImage(image: Element, isInLink: boolean) {
  const { src, alt } = image.properties;
  const isLink = !isInLink && /^https:/i.test(String(src));
  image.tagName = isLink ? "a" : "span";
  image.properties = isLink ? { href: String(src) } : {};
  image.children = [{ type: "text", value: String(alt ?? "") || "Image" }];
}

/** Names the check box of a task list, and lets the keyboard scroll long lines of code. */
function makeReachable({ tagName, properties }: Element) {
  if (tagName === "input") properties["aria-label"] = properties.checked ? "Done" : "Not done";
  if (tagName === "pre") properties.tabIndex = 0;
}

/** A relative link would point into this service, so it is dropped. */
function finishLink(properties: Element["properties"]) {
  const href = String(properties.href ?? "");
  if (href.startsWith("#")) return;
  if (!/^(https?:\/\/|mailto:)/i.test(href)) delete properties.href;
  else Object.assign(properties, { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] });
}

function finishImage(properties: Element["properties"]) {
  const src = String(properties.src ?? "");
  const shown = /^(https:\/\/|data:image\/(png|gif|jpeg|webp|avif);base64,)/i.test(src);
  if (shown) Object.assign(properties, { loading: "lazy" });
  else delete properties.src;
}

/** The ID of a heading, as on GitHub: lower case, hyphens for spaces, and a number for a repeated heading. */
function slugOf(heading: Element, slugs: Map<string, number>): string {
  const base = textOf(heading)
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  const seen = slugs.get(base) ?? 0;
  slugs.set(base, seen + 1);
  return seen === 0 ? base : `${base}-${seen}`;
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
