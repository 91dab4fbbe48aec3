import { gzipSync } from "node:zlib";
import type { APIResponse, Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import type { CallOptions } from "../support/http";
import { openEvent } from "../support/pages";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
<script>parent.taken = true; fetch("/taken")</script><image href="/taken" width="9" height="9"/></svg>`;
const HOSTILE_HTML = `<!doctype html><title>x</title><h1>Invoice</h1>
<script>parent.taken = true</script><img src="/taken"><link rel="stylesheet" href="/taken">
<form action="/taken"><button>Pay</button></form><meta http-equiv="refresh" content="0;url=/taken">`;

test("Fields and query are shown in order, with repeated names", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, {
    raw: "b=1&a=M%C3%BCller+%26+Co&b=2&payload=%7B%22n%22%3A1.0%7D",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    query: { x: [1, 2], y: "" },
  });
  const pairs = (name: string) => page.locator(`[aria-label="${name}"] > div`).allInnerTexts();
  expect(await pairs("Fields")).toEqual([
    "b\n1",
    "a\nMüller & Co",
    "b\n2",
    expect.stringMatching(/^payload\n\{ 1 \}\s*n: 1\.0$/),
  ]);
  await page.getByRole("link", { name: "Query" }).click();
  await expect(page.getByLabel("Query")).toBeVisible();
  expect(await pairs("Query")).toEqual(["x\n1", "x\n2", "y"]);
});

test("A multipart body is shown as fields and files to download", async ({ page, endpoint }) => {
  const raw = Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA photo\r\n--x\r\n'),
    Buffer.from('Content-Disposition: form-data; name="photo"; filename="p.png"\r\n\r\n'),
    PNG,
    Buffer.from("\r\n--x--\r\n"),
  ]);
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const path = await openEvent(page, endpoint, { raw, headers });
  const parts = page.getByRole("list", { name: "Parts" }).getByRole("listitem");
  await expect(parts).toHaveCount(2);
  await expect(parts.first()).toContainText("title");
  await expect(parts.first()).toContainText("A photo");
  await expect(parts.last()).toContainText("p.png");
  expect(await isLoaded(page, "p.png")).toBe(true);
  const part = await page.request.get(`${path}/body?part=2`);
  expect(Buffer.compare(await part.body(), PNG)).toBe(0);
  expect(part.headers()["content-disposition"]).toMatch(/^attachment/);
  const missing = await page.request.get(`${path}/body?part=3`);
  expect(missing.status()).toBe(404);
  for (const response of [part, missing]) expectNoSniffing(response);
});

test("On the narrowest screen each eight bytes are one line", async ({ page, endpoint }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openEvent(page, endpoint, { raw: Buffer.alloc(24, 0xff) });
  const dump = page.getByRole("region", { name: "Bytes" }).locator("pre");
  const lines = await dump.evaluate((pre) => pre.clientHeight / 20);
  expect(lines).toBe(3);
});

test("Images are shown, and packed bodies unpacked", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, { raw: PNG });
  await expect(page.getByRole("link", { name: "preview" })).toHaveAttribute("aria-current", "page");
  expect(await isLoaded(page, "The body")).toBe(true);

  const raw = gzipSync(JSON.stringify({ packed: 1 }));
  const headers = { ...json, "content-encoding": "gzip" };
  const path = await openEvent(page, endpoint, { raw, headers });
  await expect(page.getByRole("region", { name: "JSON" })).toContainText("packed: 1");
  await expect(page.getByText(/unpacked\.$/)).toBeVisible();
  const download = await page.request.get(`${path}/body`);
  expect(Buffer.compare(await download.body(), raw)).toBe(0);
  expect(download.headers()["content-security-policy"]).toBe("sandbox");
  expectNoSniffing(download);
});

test("A previewed document runs and loads nothing, and is not ours", async ({ page, endpoint }) => {
  const loaded: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.url().endsWith("/taken")) loaded.push(request.url());
  });
  for (const [shown, raw] of Object.entries({ svg: HOSTILE_SVG, h1: HOSTILE_HTML })) {
    const path = await openEvent(page, endpoint, { raw }, "body=preview");
    await expect(page.frameLocator("iframe[title=Preview]").locator(shown)).toBeVisible();
    const source = `${path}/body/preview`;
    const response = await page.request.get(source);
    expect(response.headers()["content-security-policy"]).toContain("sandbox; default-src 'none'");
    expectNoSniffing(response);
    await page.goto(source);
    expect(await page.evaluate(() => "taken" in window)).toBe(false);
  }
  expect(loaded).toEqual([]);
  // A type is what the bytes are, whatever their sender says.
  const headers = { "content-type": "image/png" };
  for (const [raw, type] of [
    ["text", "text/plain; charset=utf-8"],
    [Buffer.from([0xff, 0, 1]), undefined],
  ] as const) {
    const event = await endpoint.capture({ raw, headers });
    const source = `/webhooks/${endpoint.id}/events/${event}/body/preview`;
    const response = await page.request.get(source);
    expect(response.status()).toBe(type ? 200 : 404);
    if (type) expect(response.headers()["content-type"]).toBe(type);
  }
});

test("Code has colours", async ({ page, endpoint }) => {
  const raw = '{"name": "value", "n": 12}';
  await openEvent(page, endpoint, { raw, headers: json }, "body=raw");
  const coloured = (name: string) =>
    page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map(String), name);
  await expect.poll(() => coloured("code-name")).toEqual(['"name"', '"n"']);
  expect(await coloured("code-string")).toEqual(['"value"']);
  expect(await coloured("code-number")).toEqual(["12"]);
});

test("Hostile bodies leave every view usable", async ({ page, endpoint }) => {
  const malformed = "%ff%&=&&=%zz&\u0000=\u0000";
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const bodies: CallOptions[] = [
    { raw: "[".repeat(100_000) + "]".repeat(100_000), headers: json },
    { raw: gzipSync(Buffer.alloc(50_000_000)), headers: { "content-encoding": "gzip" } },
    { raw: malformed + "a=b&".repeat(240_000), headers: form },
  ];
  for (const body of bodies) {
    const path = `/webhooks/${endpoint.id}/events/${await endpoint.capture(body)}`;
    for (const view of ["preview", "raw", "hex"]) {
      const response = await page.request.get(`${path}?body=${view}`);
      expect(response.status()).toBe(200);
      expect((await response.body()).length).toBeLessThan(1_500_000);
    }
  }
  const xml = { "content-type": "text/xml" };
  await openEvent(page, endpoint, { raw: "<".repeat(900_000), headers: xml });
  await page.getByLabel("Find in the body").fill("a");
  await expect(page.getByRole("status", { name: "Matches" })).toHaveText(/of|none/);
});

/** A browser must not take what a stranger sent for a script. */
function expectNoSniffing(response: APIResponse) {
  expect(response.headers()["x-content-type-options"], response.url()).toBe("nosniff");
}

const json = { "content-type": "application/json" };

function isLoaded(page: Page, name: string): Promise<boolean> {
  const image = page.getByRole("img", { name });
  return image.evaluate(async (node: HTMLImageElement) => {
    await node.decode();
    return node.naturalWidth > 0;
  });
}
