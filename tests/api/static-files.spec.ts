import { readdirSync, readFileSync } from "node:fs";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** Pages and files, from our own server only: `next start` has no Brotli, and compresses parts of files. */

test("Scripts and style sheets are sent with Brotli where a client can read it, and are the same without", async ({
  baseUrl,
}) => {
  const html = await (await fetch(baseUrl, { headers: { Accept: "text/html" } })).text();
  const paths = [...new Set(html.match(/\/_next\/static\/[^"\\]+\.(?:js|css)[^"\\]*/g))];
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) {
    const get = (encoding: string) =>
      fetch(baseUrl + path, { headers: { "Accept-Encoding": encoding } });
    const [small, plain] = await Promise.all([get("br"), get("identity")]);
    expect(small.headers.get("content-encoding")).toBe("br");
    expect(plain.headers.get("content-encoding")).toBeNull();
    const type = path.includes(".css") ? "text/css; charset=UTF-8" : "text/javascript";
    expect(small.headers.get("content-type")).toBe(type);
    for (const header of ["cache-control", "x-content-type-options"]) {
      expect(small.headers.get(header), header).toBe(plain.headers.get(header));
    }
    expect(small.headers.get("vary")).toContain("Accept-Encoding");
    for (const { headers } of [small, plain]) {
      expect(headers.get("request-id")).toMatch(/^req_/);
    }
    expect(await small.text()).toBe(await plain.text());
  }
  const outside = await fetch(`${baseUrl}/_next/static/..%2f..%2fpackage.json`, {
    headers: { "Accept-Encoding": "br" },
  });
  expect(outside.status).toBe(404);
});

test("No page loads the libraries for schemas and cron lines, which are larger than its own code", () => {
  const folder = ".next/static/chunks";
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  const libraries = /ZodError|CronPattern/;
  expect(
    scripts.filter((name) => libraries.test(readFileSync(`${folder}/${name}`, "utf8"))),
  ).toEqual([]);
});

test("Pages are sent with Brotli, else with gzip, where a client can read it, and are the same without", async ({
  baseUrl,
}) => {
  for (const path of ["/", "/sign-in", "/claim/nonsense"]) {
    const get = async (encodings: string) => {
      const page = await fetch(baseUrl + path, {
        headers: { Accept: "text/html", "Accept-Encoding": encodings },
      });
      expect(page.headers.get("vary")).toContain("Accept-Encoding");
      return { encoding: page.headers.get("content-encoding"), html: await page.text() };
    };
    const plain = await get("identity");
    expect(plain.encoding).toBeNull();
    expect(plain.html).toMatch(/<\/html>$/);
    for (const [encodings, chosen] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
    ]) {
      const page = await get(encodings ?? "");
      expect(page.encoding).toBe(chosen);
      // Each response has its own nonce.
      expect(withoutNonce(page.html)).toBe(withoutNonce(plain.html));
    }
  }
});

test("Raw content in the dashboard is not compressed, as its ranges and its strong ETag are those of its bytes", async ({
  api,
}) => {
  const content = "0123456789".repeat(1000);
  const made = await api("POST", "/api/artifacts", { body: { name: "x", content } });
  const get = (headers: Record<string, string>) =>
    api("GET", `/artifacts/${made.body.id}/raw`, {
      headers: { ...headers, "accept-encoding": "br" },
    });
  const [whole, part] = await Promise.all([get({}), get({ range: "bytes=0-4999" })]);
  expectStatus(whole, 200);
  expectStatus(part, 206);
  expect(whole.headers.get("etag")).toMatch(/^"/);
  expect(part.headers.get("content-range")).toBe("bytes 0-4999/10000");
  for (const response of [whole, part]) {
    expect(response.headers.get("content-encoding")).toBeNull();
  }
  expect(whole.text).toBe(content);
  expect(part.text).toBe(content.slice(0, 5000));
});

function withoutNonce(html: string): string {
  const [, nonce = ""] = /nonce="([^"]+)"/.exec(html) ?? [];
  expect(nonce).not.toBe("");
  return html.replaceAll(nonce, "");
}
