import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { everyPage, shiftsOf, watchShifts } from "../support/pages";

const TRANSFER_BYTES_MAX = 200_000;

test("No page moves more than 200 kB beside the typeface, and those before a sign-in with it", async ({
  page,
  context,
  browser,
  baseUrl,
  api,
  key,
}) => {
  test.setTimeout(120_000);
  const transfer = await countTransfer(page);
  for (const path of await everyPage(api, key)) {
    const { others } = await transfer(baseUrl + path, "load");
    expect
      .soft({ path, excess: Math.max(others - TRANSFER_BYTES_MAX, 0) })
      .toEqual({ path, excess: 0 });
  }
  await context.close();
  const visitor = await countTransfer(await browser.newPage());
  for (const path of ["/", "/sign-in", "/docs", "/claim/nonsense"]) {
    const { fonts, others } = await visitor(baseUrl + path, "networkidle");
    expect(fonts, path).toBeGreaterThan(0);
    expect(fonts + others, path).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
  }
});

test("Pages and documentation are set in Geist from one preloaded file, and nothing moves when it is late", async ({
  page,
  baseUrl,
}) => {
  for (const path of ["/", "/docs", "/sign-in"]) {
    const files: string[] = [];
    page.on("request", (request) => {
      if (/geist-latin-wght[^/]*woff2/.test(request.url())) files.push(request.url());
    });
    await page.goto(baseUrl + path, { waitUntil: "networkidle" });
    expect(files, path).toHaveLength(1);
    await expect(page.locator(`link[rel=preload][as=font]`)).toHaveAttribute("crossorigin", "");
    page.removeAllListeners("request");
  }
  await page.route("**/*.woff2*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.goto(`${baseUrl}/`, { waitUntil: "commit" });
  await page.locator("main h1").waitFor();
  await watchShifts(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForLoadState("networkidle");
  expect(await shiftsOf(page)).toEqual([]);
});

/** Opens a page without a cache; gives the bytes of its typefaces and of everything else. */
async function countTransfer(page: Page) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const fontIds = new Set<string>();
  const bytes = { fonts: 0, others: 0 };
  network.on("Network.responseReceived", ({ requestId, response }) => {
    if (/\.woff2\b/.test(response.url)) fontIds.add(requestId);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    bytes[fontIds.has(requestId) ? "fonts" : "others"] += encodedDataLength;
  });
  return async (url: string, waitUntil: "load" | "networkidle") => {
    await page.goto("about:blank");
    bytes.fonts = 0;
    bytes.others = 0;
    await page.goto(url, { waitUntil });
    return bytes;
  };
}
