import { gunzipSync } from "node:zlib";
import { builtDocs, read } from "../support/documents";
import { expectEnvelope, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** /docs as it is served. What is on the pages: tests/unit/docs-pages.spec.ts. */

const LOCAL = "http://localhost:3000";
const html = { accept: "text/html" };

test("Every page is HTML for browsers and Markdown for agents, each with a link to the other", async ({
  api,
}) => {
  const paths = builtDocs()
    .pages.map(({ path }) => path)
    .filter(Boolean);
  expect(paths).toEqual(expect.arrayContaining(["/docs", "/docs/tasks", "/docs/reference/tasks"]));
  // All are built in the same way.
  const some = paths.filter((path, index) => path === "/docs" || index % 6 === 1);
  for (const path of some) {
    const source = path === "/docs" ? "/docs/index.md" : `${path}.md`;
    const page = await api("GET", path, { headers: html });
    expectStatus(page, 200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("link")).toBe(`<${source}>; rel="alternate"; type="text/markdown"`);
    expect(page.text).toMatch(/<h1 id="[^"]+">/);
    const markdown = await api("GET", source);
    expectStatus(markdown, 200);
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(markdown.text).toMatch(/^# /);
    const preferred = await api("GET", path, { headers: { accept: "text/markdown" } });
    expect(preferred.text).toBe(markdown.text);
    expect(preferred.headers.get("vary")).toContain("Accept");
  }
});

test("A document is Markdown as in the repository, with the address of this server", async ({
  api,
  baseUrl,
}) => {
  for (const name of ["tasks", "tour", "deployment"]) {
    const source = read(`docs/${name}.md`);
    const { text } = await api("GET", `/docs/${name}.md`);
    expect(text).toBe(source.replaceAll(LOCAL, baseUrl));
  }
});

test("Pages run no script and load no style but their own files, and cannot be framed", async ({
  api,
}) => {
  const { headers, text } = await api("GET", "/docs/tasks", { headers: html });
  const policy = headers.need("content-security-policy");
  expect(policy).toContain("script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|nonce/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/assets\/)|<style| style="| on\w+="/);
});

test("Pages and files are validated by ETag, files with a hash may be kept, and our server compresses them", async ({
  api,
  server,
}) => {
  for (const path of ["/docs/tasks", "/docs/tasks.md", "/docs/images/tasks-board.png"]) {
    const first = await api("GET", path, { headers: html });
    expectStatus(first, 200);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.need("etag");
    const again = await api("GET", path, { headers: { ...html, "if-none-match": etag } });
    expectStatus(again, 304);
    if (path === "/docs/tasks") expect(again.headers.get("vary")).toContain("Accept, Cookie");
    const head = await api("HEAD", path, { headers: html });
    expect(head.headers.get("content-length")).toBe(first.headers.get("content-length"));
  }
  const assets = builtDocs().files.filter((file) => file.startsWith("assets/"));
  expect(assets.length).toBeGreaterThanOrEqual(4);
  for (const file of assets) {
    const asset = await api("GET", `/docs/${file}`);
    expectStatus(asset, 200);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const zipped = await api("GET", `/docs/${file}`, { headers: { "accept-encoding": "gzip" } });
    // A font is compressed already.
    const isZipped = server !== "next" && !file.endsWith(".woff2");
    expect(zipped.headers.get("content-encoding"), file).toBe(isZipped ? "gzip" : null);
    const content = isZipped ? gunzipSync(zipped.bytes) : zipped.bytes;
    expect(content.equals(asset.bytes), file).toBe(true);
    expect(zipped.headers.get("etag") === asset.headers.get("etag")).toBe(!isZipped);
  }
});

test("The theme cookie sets the theme, and nothing else of it reaches the page", async ({
  api,
}) => {
  const dark = await api("GET", "/docs", { headers: { ...html, cookie: "a=b; theme=dark" } });
  expect(dark.text).toContain('<html data-theme="dark" ');
  const cookie = 'theme=dark"><script>';
  const plain = await api("GET", "/docs", { headers: { ...html, cookie } });
  expect(plain.text).not.toContain("data-theme");
  expect(plain.text).not.toContain('dark"><script>');
});

test("A missing page is 404 with the list of pages, or an error for programs, and no file outside is served", async ({
  api,
}) => {
  const page = await api("GET", "/docs/nowhere", { headers: html });
  expectStatus(page, 404);
  expect(page.text).toContain('href="/docs/tasks"');
  const known = { ...html, "if-none-match": "*" };
  expectStatus(await api("GET", "/docs/nowhere", { headers: known }), 404);
  for (const path of [
    "/docs/nowhere",
    "/docs/nowhere.md",
    "/docs/pages.json",
    "/docs/assets/../pages.json",
    "/docs/assets/..%2f..%2f..%2fpackage.json",
    "/docs/__proto__.md",
    "/docs/images/%2e%2e/%2e%2e/%2e%2e/package.json",
  ]) {
    for (const accept of ["application/json", "*/*"]) {
      const response = await api("GET", path, { headers: { accept } });
      expectStatus(response, 404);
      expectEnvelope(response);
    }
  }
});
