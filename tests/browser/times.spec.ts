import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { everyPage } from "../support/pages";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

test("An updating time shifts nothing beside it, in a window of 360 or 1280 px", async ({
  page,
  api,
  key,
}) => {
  test.setTimeout(600_000);
  const now = Date.now();
  let looked = 0;
  for (const path of await everyPage(api, key)) {
    await page.clock.setFixedTime(now);
    await page.goto(path);
    const times = page.locator('body:has([aria-label="Dashboard"]) main time[data-format]');
    if ((await times.count()) === 0) continue;
    looked += 1;
    await expect(page.getByText("Connecting", { exact: true })).toHaveCount(0);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForFunction((expected) => innerWidth === expected, width);
      await page.clock.setFixedTime(now);
      await tick(page);
      await notePlaces(page);
      for (const later of [11, 11 * MINUTE, 11 * HOUR, 11 * DAY]) {
        await page.clock.setFixedTime(now + later * 1000);
        await tick(page);
        const moved = await movedSince(page);
        expect({ path, width, later, moved }).toEqual({ path, width, later, moved: [] });
      }
    }
  }
  expect(looked).toBeGreaterThan(10);
});

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
