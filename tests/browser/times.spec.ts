import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { everyPage, shiftsOf, watchShifts } from "../support/pages";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

for (const width of [360, 1280]) {
  test(`An updating time shifts nothing beside it, ${width} px wide`, async ({
    page,
    api,
    key,
  }) => {
    test.setTimeout(600_000);
    await page.setViewportSize({ width, height: 800 });
    const now = Date.now();
    await page.clock.setFixedTime(now);
    let looked = 0;
    for (const path of await everyPage(api, key)) {
      await page.clock.setFixedTime(now);
      await page.goto(path);
      const times = page.locator('body:has([aria-label="Dashboard"]) main time[data-format]');
      if ((await times.count()) === 0) continue;
      looked += 1;
      await watchShifts(page);
      for (const later of [11, 11 * MINUTE, 11 * HOUR, 11 * DAY]) {
        await page.clock.setFixedTime(now + later * 1000);
        await tick(page);
      }
      expect({ path, shifts: await shiftsOf(page) }).toEqual({ path, shifts: [] });
    }
    expect(looked).toBeGreaterThan(10);
  });
}

/** Waits until the page has renewed its times and drawn them. */
async function tick(page: Page) {
  await page.evaluate(async () => {
    const time = document.createElement("time");
    time.dataset.format = "distance";
    time.dataset.unix = "0";
    time.hidden = true;
    time.append("not yet");
    document.body.append(time);
    while (time.textContent === "not yet") await new Promise((done) => setTimeout(done, 20));
    time.remove();
    for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
  });
}
