import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { everyPage, shiftsOf, TRANSFER_BYTES_MAX, watchShifts } from "../support/pages";
import { capture, makeEndpoint } from "../support/webhooks";

test("No page transfers more than 200 kB on a first visit, its typefaces included", async ({
  page,
  context,
  browser,
  baseUrl,
  api,
  key,
}) => {
  test.setTimeout(120_000);
  const transferOf = await countTransfer(page);
  const { id } = await makeEndpoint(api, { key });
  let event = "";
  for (let n = 0; n < 50; n++) {
    event = await capture(api, id, { body: { type: "payment.succeeded", amount: n } });
  }
  for (const path of [...(await everyPage(api, key)), `/webhooks/${id}/events/${event}`]) {
    const bytes = await transferOf(baseUrl + path);
    expect
      .soft({ path, excess: Math.max(bytes - TRANSFER_BYTES_MAX, 0) })
      .toEqual({ path, excess: 0 });
  }
  await context.close();
  const transferTo = await countTransfer(await browser.newPage());
  for (const path of ["/", "/sign-in", "/docs", "/claim/nonsense"]) {
    expect(await transferTo(baseUrl + path), path).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
  }
});

test("A first visit loads one file of each typeface, and others only for other letters", async ({
  page,
  baseUrl,
  api,
  key,
}) => {
  const make = async (name: string) => {
    const { body } = await api("POST", "/api/artifacts", { key, body: { name, content: name } });
    return `${baseUrl}/artifacts/${body.id}?view=source`;
  };
  const basic = ["geist-basic", "geist-mono-basic"];
  expect(await fontsOf(page, await make("Plain – “text”…"))).toEqual(basic);
  expect(await fontsOf(page, await make("Größe"))).toEqual([
    "geist-basic",
    "geist-latin-wght-normal",
    "geist-mono-basic",
    "geist-mono-latin-wght-normal",
  ]);
});

test("Pages and documentation are set in Geist from one preloaded file, and nothing moves when it is late", async ({
  page,
  baseUrl,
}) => {
  for (const path of ["/", "/docs", "/sign-in"]) {
    const files: string[] = [];
    page.on("request", (request) => {
      if (/geist-basic[^/]*woff2/.test(request.url())) files.push(request.url());
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

/** Opens a page without a cache, and gives the bytes of all responses, with their headers. */
async function countTransfer(page: Page) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const running = new Set<string>();
  let bytes = 0;
  network.on("Network.requestWillBeSent", ({ requestId, type }) => {
    // Others may not end, such as a stream of changes.
    if (type === "Script" || type === "Font") running.add(requestId);
  });
  network.on("Network.loadingFailed", ({ requestId }) => running.delete(requestId));
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    running.delete(requestId);
    bytes += encodedDataLength;
  });
  return async (url: string) => {
    await page.goto("about:blank");
    running.clear();
    bytes = 0;
    await page.goto(url, { waitUntil: "load" });
    // What the scripts load once they run.
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise<void>((resolve) => requestIdleCallback(() => resolve()));
    });
    await expect.poll(() => running.size).toBe(0);
    return bytes;
  };
}

/** The typefaces that a page loads, by the names of their files. */
async function fontsOf(page: Page, url: string): Promise<string[]> {
  await page.goto(url);
  const names = await page.evaluate(async () => {
    await document.fonts.ready;
    return performance.getEntriesByType("resource").map(({ name }) => name);
  });
  return names.flatMap((name) => /([\w-]+)\.[^/]*woff2/.exec(name)?.[1] ?? []).sort();
}
