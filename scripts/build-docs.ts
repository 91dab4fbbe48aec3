// Part of `npm run build`: writes the pages of /docs, their search index, style sheet and scripts into dist/docs.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, transform } from "esbuild";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { compile } from "tailwindcss";
import { CONTENT, DocsBody, DocsHead, type PageGroup } from "@/components/docs/document";
import { operations } from "@/lib/api/registry";
import { fullText } from "@/lib/docs/site/full-text";
import { buildPages, type Page, searchEntries } from "@/lib/docs/site/pages";
import { repositoryFiles } from "@/lib/docs/site/repository-files";
import { buildSearch } from "@/lib/docs/site/search";

const OUT = "dist/docs";
/** The typeface of running text, which every page preloads. */
const FONT = "app/fonts/geist-basic.woff2";

const pages = buildPages(repositoryFiles, operations);

rmSync(OUT, { recursive: true, force: true });
mkdirSync(`${OUT}/assets`, { recursive: true });
const script = await bundleScripts();
const index = writeAsset("search.json", buildSearch(searchEntries(pages)));
const font = writeAsset(path.basename(FONT), readFileSync(FONT));
const missing: Page = {
  path: "",
  title: "There is no page here",
  about: "",
  group: undefined,
  markdown: "",
  headings: [],
  sections: [],
  html: '<p class="font-mono text-small text-muted">404</p><h1>There is no page here</h1><p>The address may be mistyped or incomplete.</p><ul><li><a href="/docs">The first page</a>: lists all others</li><li><a href="/">Home</a>: what this service is</li></ul>',
};
const documents = [...pages, missing].map((page) => ({ page, html: document(page) }));
const style = await writeStyle(documents.map(({ html }) => html).join(""));
const content = documents.map(({ page: { path, title, about, markdown }, html }) => {
  return { path, title, about, markdown, html: html.replace("{{style}}", style) };
});
const images = imagesIn(content.map(({ html }) => html).join(""));
for (const image of images) {
  mkdirSync(path.dirname(`dist/${image}`), { recursive: true });
  copyFileSync(image, `dist/${image}`);
}
const assets = readdirSync(`${OUT}/assets`).map((name) => `assets/${name}`);
const files = [...assets, ...images.map((image) => image.replace(/^docs\//, ""))];
writeFileSync(`${OUT}/pages.json`, JSON.stringify({ pages: content, files }));
writeFileSync(`${OUT}/full.md`, fullText(pages, operations));

function document(page: Page): string {
  const at = pages.indexOf(page);
  const props = {
    path: page.path || undefined,
    title: page.sections[0]?.heading.text ?? page.title,
    about: page.about,
    headings: page.headings,
    groups: groups(),
    previous: pages[at - 1],
    next: at === -1 ? undefined : pages[at + 1],
    assets: { style: "{{style}}", script, font },
  };
  const head = renderToStaticMarkup(createElement(DocsHead, props));
  const body = renderToStaticMarkup(createElement(DocsBody, props));
  return `<!doctype html><html lang="en" data-index="${index}"><head>${head}</head><body>${body.replace(CONTENT, () => page.html)}</body></html>`;
}

function groups(): PageGroup[] {
  return [...new Set(pages.map(({ group }) => group))].map((title) => ({
    title,
    pages: pages.filter(({ group }) => group === title),
  }));
}

/** Bundles the scripts and returns the address of the one that every page loads. */
async function bundleScripts(): Promise<string> {
  const { metafile } = await build({
    entryPoints: ["components/docs/browser/main.ts"],
    outdir: `${OUT}/assets`,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    metafile: true,
    logLevel: "warning",
  });
  const [entry = ""] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint) ?? [];
  return `/${path.posix.relative("dist", entry)}`;
}

/** Writes the style sheet with the Tailwind classes that occur in the HTML and in the scripts. */
async function writeStyle(html: string): Promise<string> {
  const { build: styles } = await compile(readFileSync("components/docs/styles/docs.css", "utf8"), {
    base: "components/docs/styles",
    loadStylesheet: async (id, base) => {
      const file =
        id === "tailwindcss" ? "node_modules/tailwindcss/index.css" : path.join(base, id);
      return { path: file, base: path.dirname(file), content: readFileSync(file, "utf8") };
    },
  });
  const dialog = readFileSync("components/docs/browser/search-dialog.ts", "utf8");
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  const words = dialog.match(/[\w:.[\]-]+/g) ?? [];
  const css = styles([...new Set([...classes, ...words])]);
  const withFonts = css.replaceAll(/"(\.{1,2}\/[^"]+\.woff2)"/g, (_, address: string) => {
    const file = path.join("app", address);
    return `"${writeAsset(path.basename(file), readFileSync(file))}"`;
  });
  const { code } = await transform(withFonts, { loader: "css", minify: true });
  return writeAsset("docs.css", code);
}

/** Writes a file whose name changes with its content, and returns its address. */
function writeAsset(name: string, content: string | Buffer): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
  const { name: stem, ext } = path.parse(name);
  writeFileSync(`${OUT}/assets/${stem}-${hash}${ext}`, content);
  return `/docs/assets/${stem}-${hash}${ext}`;
}

function imagesIn(html: string): string[] {
  return [
    ...new Set(
      Array.from(html.matchAll(/ (?:src|srcset)="\/(docs\/[^"]+\.png)"/g), ([, src = ""]) => src),
    ),
  ];
}
