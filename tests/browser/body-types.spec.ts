import { brotliCompressSync, gzipSync } from "node:zlib";
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

test("JSON is shown with every digit, in order, names repeated", async ({ page, endpoint }) => {
  const raw = '{"z":12345678901234567890,"a":0.0,"a":1e400,"text":"\\u00e9"}';
  await openEvent(page, endpoint, { raw, headers: json });
  const tree = page.getByRole("region", { name: "JSON" });
  await expect(tree.locator("p")).toHaveText([
    "z: 12345678901234567890",
    "a: 0.0",
    "a: 1e400",
    'text: "\\u00e9"',
  ]);
});

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
  await page.getByRole("tab", { name: "Query" }).click();
  await expect(page.getByRole("tabpanel", { name: "Query" })).toBeVisible();
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

test("XML is laid out, images are shown, packed bodies unpacked", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, { raw: '<?xml version="1.0"?><a><b>1</b></a>' });
  await expect(page.getByRole("region", { name: "Laid out" }).locator("pre")).toHaveText(
    '<?xml version="1.0"?>\n<a>\n  <b>1</b>\n</a>',
    { useInnerText: true },
  );

  await openEvent(page, endpoint, { raw: PNG });
  await expect(page.getByRole("tab", { name: "preview" })).toHaveAttribute("aria-selected", "true");
  expect(await isLoaded(page, "The body")).toBe(true);

  for (const [encoding, pack] of Object.entries({ gzip: gzipSync, br: brotliCompressSync })) {
    const raw = pack(JSON.stringify({ packed: encoding }));
    const headers = { ...json, "content-encoding": encoding };
    const path = await openEvent(page, endpoint, { raw, headers });
    await expect(page.getByRole("region", { name: "JSON" })).toContainText(`packed: "${encoding}"`);
    await expect(page.getByText(/unpacked\.$/)).toBeVisible();
    const download = await page.request.get(`${path}/body`);
    expect(Buffer.compare(await download.body(), raw)).toBe(0);
    expect(download.headers()["content-security-policy"]).toBe("sandbox");
    expectNoSniffing(download);
  }
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
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const bodies: CallOptions[] = [
    { raw: "[".repeat(100_000) + "]".repeat(100_000), headers: json },
    { raw: `{"a\\q": "\\x"}`, headers: json },
    { raw: "a=b&".repeat(240_000), headers: form },
    { raw: "%ff%&=&&=%zz&\u0000=\u0000", headers: form },
    { raw: gzipSync(Buffer.alloc(50_000_000)), headers: { "content-encoding": "gzip" } },
    {
      raw: Buffer.from([0xff, 0xfe, 0, 0xd8]),
      headers: { "content-type": "text/plain; charset=x" },
    },
    { raw: "<".repeat(900_000), headers: { "content-type": "text/xml" } },
  ];
  for (const body of bodies) {
    const path = await openEvent(page, endpoint, body);
    // The page that is open has the first view.
    for (const view of ["preview", "raw", "hex"]) {
      const response = await page.request.get(`${path}?body=${view}`);
      expect(response.status()).toBe(200);
      expect((await response.body()).length).toBeLessThan(1_500_000);
    }
    await page.getByLabel("Find in the body").fill("a");
    await expect(page.getByRole("status", { name: "Matches" })).toHaveText(/of|none/);
  }
});

test("An event of an inbox has the same views", async ({ page, inbox }) => {
  const event = await inbox.ingest({
    raw: "a=1&a=2",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    query: { x: [1, 2] },
  });
  await page.goto(`/inboxes/${inbox.id}?event=${event.id}`);
  const pairs = (name: string) => page.locator(`[aria-label="${name}"] > div`);
  await expect(pairs("Fields")).toHaveText(["a1", "a2"]);
  await page.getByRole("tab", { name: "Query" }).click();
  await expect(pairs("Query")).toHaveText(["x1", "x2"]);
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
