import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { preferredType } from "@/lib/platform/http/accept";
import { entityTag } from "@/lib/platform/http/conditional";
import { operation } from "@/lib/platform/http/operation";
import { publicDocument } from "@/lib/platform/http/public-document";
import { type HttpRequest, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { remembered } from "@/lib/platform/memoize";
import { lazy } from "./public-text";

export const getDocs = operation("GET /docs", {
  ...publicDocument,
  id: "getDocs",
  subpaths: true,
  summary: "Read the documentation",
  description:
    "A page of the documentation. It is Markdown below a path that ends in `.md`, or with `Accept: text/markdown`; `/docs/index.md` lists all pages.",
  success: { status: 200, contentType: "text/html" },
  failures: [404],
  conditional: true,
  handle: ({ request }) => docsResponse(request),
});

/** What follows `/llms.txt` in the full text: pages for users, and every operation in short. */
export async function docsText(): Promise<string> {
  return withAddress(await readFile(join(folder(), "full.md"), "utf8"));
}

/** The format of dist/docs/pages.json, which `npm run build` writes. */
interface BuiltDocs {
  pages: { path: string; html: string; markdown: string }[];
  /** Scripts, style sheets, typefaces, images and the search index, relative to dist/docs. */
  files: string[];
}

interface Docs {
  pages: Map<string, BuiltDocs["pages"][number]>;
  files: Set<string>;
  /** Responses by what they depend on: the page or file, its form and the theme. */
  ready: Map<string, Promise<Ready>>;
}

interface Ready {
  tag: string;
  body: Buffer<ArrayBuffer>;
}

const EXAMPLE_BASE_URL = "http://localhost:3000";
const FORMS = ["text/html", "text/markdown", "text/plain"];
/** The path of the page for unknown addresses. */
const MISSING = "";

const PAGE_HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

const FILE_TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  woff2: "font/woff2",
};

async function docsResponse(request: HttpRequest): Promise<HttpResponse> {
  const docs = await loadDocs();
  const path = splitUrl(request.url).path.replace(/\/$/, "");
  const file = path.slice("/docs/".length);
  if (docs.files.has(file)) return fileResponse(docs, file);
  const isMarkdown = path.endsWith(".md");
  const page = docs.pages.get(path.replace(/(?:\/index)?\.md$/, ""));
  const form = isMarkdown
    ? "text/markdown"
    : preferredType(request.headers.get("accept"), page ? FORMS : ["application/json", ...FORMS]);
  if (page && form !== "text/html") {
    const about = { type: form, ...(!isMarkdown && { vary: "Accept" }) };
    return send(docs, `${page.path} markdown`, about, () => withAddress(page.markdown));
  }
  const shown = page ?? (form === "text/html" ? docs.pages.get(MISSING) : undefined);
  if (!shown) {
    throw new ApiError("resource_not_found", "There is no such page. /docs/index.md lists them.");
  }
  const theme = /(?:^|; ?)theme=(light|dark)(?=;|$)/.exec(request.headers.get("cookie") ?? "")?.[1];
  const alternate = `${path === "/docs" ? "/docs/index" : path}.md`;
  const headers = {
    ...PAGE_HEADERS,
    ...(page && { Link: `<${alternate}>; rel="alternate"; type="text/markdown"` }),
  };
  const about = { type: form, vary: "Accept, Cookie", headers };
  const key = `${shown.path} html ${theme}`;
  return send(docs, key, { ...about, status: page ? 200 : 404 }, () =>
    withAddress(theme ? shown.html.replace("<html", `<html data-theme="${theme}"`) : shown.html),
  );
}

/** A script, style sheet or index, whose name changes with its content, or an image. */
function fileResponse(docs: Docs, file: string): Promise<HttpResponse> {
  const extension = file.split(".").at(-1) ?? "";
  const about = {
    type: FILE_TYPES[extension] ?? "application/octet-stream",
    ...(file.startsWith("assets/") && { cache: "public, max-age=31536000, immutable" }),
  };
  return send(docs, file, about, async () => {
    const content = await readFile(join(folder(), file));
    return extension === "json" ? withAddress(content.toString()) : content;
  });
}

/** Serves content that is built on the first request for it. */
async function send(
  docs: Docs,
  key: string,
  about: {
    type: string;
    vary?: string;
    status?: number;
    cache?: string;
    headers?: Record<string, string>;
  },
  make: () => string | Promise<string | Buffer>,
): Promise<HttpResponse> {
  const { tag, body } = await remembered(docs.ready, key, async () => {
    const body = Buffer.from(await make());
    return { tag: entityTag(body), body };
  });
  const headers = {
    "Cache-Control": about.cache ?? "private, no-cache",
    ETag: tag,
    ...(about.vary && { Vary: about.vary }),
    ...about.headers,
  };
  const { status = 200 } = about;
  const type =
    about.type.startsWith("text/") && !about.type.includes(";")
      ? `${about.type}; charset=utf-8`
      : about.type;
  return new HttpResponse(status, { ...headers, "Content-Type": type }, body);
}

/** The documents name a local server's address; the site shows its own. */
function withAddress(text: string): string {
  return text.replaceAll(EXAMPLE_BASE_URL, config().baseUrl);
}

const loadDocs = lazy(async (): Promise<Docs> => {
  const built = JSON.parse(await readFile(join(folder(), "pages.json"), "utf8")) as BuiltDocs;
  return {
    pages: new Map(built.pages.map((page) => [page.path, page])),
    files: new Set(built.files),
    ready: new Map(),
  };
});

/** The build output. A path relative to the bundle would differ between platforms. */
function folder(): string {
  return join(/*turbopackIgnore: true*/ process.cwd(), "dist/docs");
}
