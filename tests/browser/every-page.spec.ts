import type { Pool } from "pg";
import type { Page } from "playwright/test";
import { barriersOn, complaintsOf } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";
import type { Api } from "../support/http";
import { everyPage, TRANSFER_BYTES_MAX } from "../support/pages";
import { capture, fillEndpoint, makeEndpoint } from "../support/webhooks";

/** Each page is opened once and checked in every respect, because opening it is the largest cost. */

/** Tests that share the pages, so that they run side by side. */
const PARTS = 3;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

for (let part = 1; part <= PARTS; part++) {
  test(`No page transfers more than 200 kB, is wider than 320 px, moves when its times change, has a serious accessibility barrier, light or dark, an error in its console, or hostile text that is not shown as text (${part} of ${PARTS})`, async ({
    page,
    api,
    db,
    key,
  }) => {
    test.setTimeout(600_000);
    const paths = [...(await everyPage(api, key)), await largeEvent(api, db, key)];
    const complaints = complaintsOf(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await holdClock(page);
    const transferOf = await countTransfer(page);
    let changing = 0;
    let hostile = 0;
    for (const path of paths.filter((_, index) => index % PARTS === part - 1)) {
      await resize(page, 1280);
      const excess = Math.max((await transferOf(path)) - TRANSFER_BYTES_MAX, 0);
      const isChanging = await hasChangingTimes(page);
      if (isChanging) {
        changing += 1;
        expect({ path, moved: await movedByTimes(page) }).toEqual({ path, moved: [] });
      }
      // A page that is not found gets its title from its scripts.
      await expect(page).toHaveTitle(/./);
      expect(await barriersOn(page)).toEqual([]);
      if (await hostileText(page, path)) hostile += 1;
      await resize(page, 320);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ path, excess, width }).toEqual({ path, excess: 0, width: 320 });
      if (isChanging) {
        await resize(page, 360);
        expect({ path, moved: await movedByTimes(page) }).toEqual({ path, moved: [] });
      }
    }
    expect(changing).toBeGreaterThan(3);
    expect(hostile).toBeGreaterThan(9);
    // A document's frame runs no scripts, and so not the one that holds the page's clock.
    expect(complaints.filter((text) => !/^Blocked script .* is sandboxed/.test(text))).toEqual([]);
  });
}

test("No page for signed-out visitors transfers more than 200 kB or has a serious accessibility barrier, light or dark", async ({
  visitor: page,
  api,
  own,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const transferOf = await countTransfer(page);
  const { body: open } = await api("POST", "/api/tasks", { body: { name: "Anybody's" } });
  const owned = await own.create("tasks", { name: "Owned" });
  const paths = ["/sign-in", "/", `/claim/${open.id}`, `/claim/${owned.id}`, `/tasks/${open.id}`];
  for (const path of [...paths, "/claim/tsk_0000000000000000000000000", "/nowhere"]) {
    expect(await transferOf(path), path).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
    expect(await barriersOn(page)).toEqual([]);
  }
});

/** An event beside a full page of others. */
async function largeEvent(api: Api, db: Pool, key: string): Promise<string> {
  const { id } = await makeEndpoint(api, { key });
  await fillEndpoint(db, { id, count: 50 });
  const event = await capture(api, id, { body: { type: "payment.succeeded", amount: 50 } });
  return `/webhooks/${id}/events/${event}`;
}

async function resize(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction((expected) => innerWidth === expected, width);
}

/**
 * Opens a page, and gives the bytes that all responses had when they were first loaded, with their
 * headers: what comes from the cache here is transferred for a visitor without one.
 */
async function countTransfer(page: Page) {
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
    if (encodedDataLength > 0) bytesOf.set(url, encodedDataLength);
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

/** Whether the page shows hostile text, which has not become a part of it. */
async function hostileText(page: Page, path: string): Promise<boolean> {
  const parts = await page.evaluate(() => ({
    images: document.querySelectorAll('img[src="x"]').length,
    isTaken: "isTaken" in window,
  }));
  expect({ path, ...parts }).toEqual({ path, images: 0, isTaken: false });
  return (await page.getByText("<img src=x").count()) > 0;
}

/** Whether it is a page of the dashboard with times that say how long ago they were. */
async function hasChangingTimes(page: Page): Promise<boolean> {
  const times = page.locator('body:has([aria-label="Dashboard"]) main time[data-format]');
  if ((await times.count()) === 0) return false;
  await expect(page.getByText("Connecting", { exact: true })).toHaveCount(0);
  return true;
}

/** Gives a page a clock that stands still until `letPass`, and everything that runs each second with it. */
async function holdClock(page: Page) {
  await page.addInitScript(() => {
    const start = Date.now();
    const everySecond: (() => void)[] = [];
    let passed = 0;
    Date.now = () => start + passed * 1000;
    const { setInterval } = window;
    const holding = (run: () => void, milliseconds: number) => {
      if (milliseconds === 1000) everySecond.push(run);
      return setInterval(run, milliseconds);
    };
    const letPass = (seconds: number) => {
      passed = seconds;
      for (const run of everySecond) run();
    };
    Object.assign(window, { setInterval: holding, letPass });
  });
}

/** What moves, by three pixels or more, when the page's times are renewed, from seconds to days later. */
async function movedByTimes(page: Page): Promise<object[]> {
  return await page.evaluate(
    async (laters) => {
      const { letPass } = window as unknown as { letPass: (seconds: number) => void };
      const renew = async (seconds: number) => {
        const time = document.createElement("time");
        Object.assign(time.dataset, { format: "distance", unix: "0" });
        time.hidden = true;
        time.append("not yet");
        document.body.append(time);
        for (letPass(seconds); time.textContent === "not yet"; letPass(seconds)) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        time.remove();
        for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
      };
      await renew(0);
      // Unlike an observer of layout shifts, this lays out a resized page first.
      const places = new Map<Element, DOMRect>();
      for (const element of document.querySelectorAll("body *")) {
        places.set(element, element.getBoundingClientRect());
      }
      const found = [];
      for (const later of laters) {
        await renew(later);
        for (const [element, { x, y }] of places) {
          const now = element.getBoundingClientRect();
          const isMoved = Math.abs(now.x - x) >= 3 || Math.abs(now.y - y) >= 3;
          if (!isMoved || !element.isConnected) continue;
          found.push({ width: innerWidth, later, moved: element.textContent || element.nodeName });
        }
      }
      return found;
    },
    [11, 11 * MINUTE, 11 * HOUR, 11 * DAY],
  );
}
