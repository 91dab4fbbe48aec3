import { expect, type Page } from "playwright/test";

/** What a first visit to a page may transfer, with the headers of all responses. */
export const TRANSFER_BYTES_MAX = 200_000;

/**
 * Opens a page, and gives the bytes that all responses had when they were first loaded, with their
 * headers: what comes from the cache here is transferred for a visitor without one.
 */
export async function countTransfer(page: Page) {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const bytesOf = new Map<string, number>();
  const urls = new Map<string, string>();
  const running = new Set<string>();
  network.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    urls.set(requestId, request.url);
    // Others may not end, such as a stream of changes.
    if (type === "Script" || type === "Font") running.add(requestId);
  });
  network.on("Network.loadingFailed", ({ requestId }) => running.delete(requestId));
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    running.delete(requestId);
    const url = urls.get(requestId) ?? "";
    // From the cache, or with 304, it has less.
    bytesOf.set(url, Math.max(encodedDataLength, bytesOf.get(url) ?? 0));
  });
  return async (path: string) => {
    await page.goto("about:blank");
    running.clear();
    urls.clear();
    await page.goto(path, { waitUntil: "load" });
    // What the scripts load once they run.
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
    });
    await expect.poll(() => running.size).toBe(0);
    const loaded = [...new Set(urls.values())];
    return loaded.reduce((sum, url) => sum + (bytesOf.get(url) ?? 0), 0);
  };
}
