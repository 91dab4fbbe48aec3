import type { Page } from "playwright/test";
import { barriersOn, complaintsOf } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";
import type { Api } from "../support/http";
import { everyPage, TRANSFER_BYTES_MAX } from "../support/pages";
import { capture, makeEndpoint } from "../support/webhooks";

/** Each page is opened once and checked in every respect, because opening it is the largest cost. */

/** Tests that share the pages, so that they run side by side. */
const PARTS = 3;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

for (let part = 1; part <= PARTS; part++) {
  test(`No page transfers more than 200 kB, is wider than 320 px, moves when its times change, has a serious accessibility barrier, light or dark, or an error in its console (${part} of ${PARTS})`, async ({
    page,
    api,
    key,
  }) => {
    test.setTimeout(600_000);
    const paths = [...(await everyPage(api, key)), await largeEvent(api, key)];
    const complaints = complaintsOf(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const transferOf = await countTransfer(page);
    const now = Date.now();
    let changing = 0;
    for (const path of paths.filter((_, index) => index % PARTS === part - 1)) {
      await page.clock.setFixedTime(now);
      const excess = Math.max((await transferOf(path)) - TRANSFER_BYTES_MAX, 0);
      await resize(page, 320);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ path, excess, width }).toEqual({ path, excess: 0, width: 320 });
      if (await hasChangingTimes(page)) {
        changing += 1;
        for (const width of [360, 1280]) {
          await resize(page, width);
          expect({ path, width, moved: await movedByTimes(page, now) }).toEqual({
            path,
            width,
            moved: [],
          });
        }
      }
      await resize(page, 1280);
      // axe waits for ever in a frame without scripts; what stands in it is an artifact's, not ours.
      for (const frame of await page.locator("iframe").all()) {
        await expect(frame).toHaveAttribute("title", /./);
        await frame.evaluate((element) => element.remove());
      }
      expect(await barriersOn(page)).toEqual([]);
    }
    expect(changing).toBeGreaterThan(3);
    // A document's frame runs no scripts, and so not the one that sets the page's clock.
    expect(complaints.filter((text) => !/^Blocked script .* is sandboxed/.test(text))).toEqual([]);
  });
}

test("No page for signed-out visitors transfers more than 200 kB or has a serious accessibility barrier, light or dark", async ({
  visitor: page,
  api,
  key,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const transferOf = await countTransfer(page);
  const { body: open } = await api("POST", "/api/tasks", { body: { name: "Anybody's" } });
  const { body: owned } = await api("POST", "/api/tasks", { key, body: { name: "Owned" } });
  const paths = ["/sign-in", "/", `/claim/${open.id}`, `/claim/${owned.id}`, `/tasks/${open.id}`];
  for (const path of [...paths, "/claim/tsk_0000000000000000000000000", "/nowhere"]) {
    expect(await transferOf(path), path).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
    expect(await barriersOn(page)).toEqual([]);
  }
});

/** An event beside a full page of others. */
async function largeEvent(api: Api, key: string): Promise<string> {
  const { id } = await makeEndpoint(api, { key });
  let event = "";
  for (let n = 0; n < 50; n++) {
    event = await capture(api, id, { body: { type: "payment.succeeded", amount: n } });
  }
  return `/webhooks/${id}/events/${event}`;
}

async function resize(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction((expected) => innerWidth === expected, width);
}

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
      await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
    });
    await expect.poll(() => running.size).toBe(0);
    return bytes;
  };
}

/** Whether it is a page of the dashboard with times that say how long ago they were. */
async function hasChangingTimes(page: Page): Promise<boolean> {
  const times = page.locator('body:has([aria-label="Dashboard"]) main time[data-format]');
  if ((await times.count()) === 0) return false;
  await expect(page.getByText("Connecting", { exact: true })).toHaveCount(0);
  return true;
}

/** What moves when the page's times are renewed, from seconds to days later. */
async function movedByTimes(page: Page, now: number): Promise<object[]> {
  await page.clock.setFixedTime(now);
  await tick(page);
  await notePlaces(page);
  const found = [];
  for (const later of [11, 11 * MINUTE, 11 * HOUR, 11 * DAY]) {
    await page.clock.setFixedTime(now + later * 1000);
    await tick(page);
    for (const moved of await movedSince(page)) found.push({ later, moved });
  }
  return found;
}

/** Keeps the place of every element. Unlike an observer of layout shifts, this lays out a resized page first. */
async function notePlaces(page: Page) {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      const { x, y } = element.getBoundingClientRect();
      element.dataset.place = JSON.stringify([x, y]);
    }
  });
}

/** The texts of the elements that are not where they were, by three pixels or more. */
async function movedSince(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-place]")]
      .filter((element) => {
        const [x, y] = JSON.parse(element.dataset.place ?? "");
        const now = element.getBoundingClientRect();
        return Math.abs(now.x - x) >= 3 || Math.abs(now.y - y) >= 3;
      })
      .map(({ textContent, nodeName }) => textContent || nodeName),
  );
}

/** Waits until the page has renewed its times, which it does every second, and drawn them. */
async function tick(page: Page) {
  await page.evaluate(() => {
    const time = document.createElement("time");
    time.id = "renewed";
    time.dataset.format = "distance";
    time.dataset.unix = "0";
    time.hidden = true;
    time.append("not yet");
    document.body.append(time);
  });
  await page.clock.fastForward(1000);
  await page.evaluate(async () => {
    const time = document.getElementById("renewed");
    while (time?.textContent === "not yet") await new Promise((done) => setTimeout(done, 20));
    time?.remove();
    for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
  });
}
