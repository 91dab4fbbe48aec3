import type { Pool } from "pg";
import type { Page } from "playwright/test";
import { barriersOn, complaintsOf } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";
import type { Api } from "../support/http";
import { everyPage, resize } from "../support/pages";
import { countTransfer, TRANSFER_BYTES_MAX } from "../support/transfer";
import { capture, fillEndpoint, makeEndpoint } from "../support/webhooks";

/** Each page is opened once and checked in every respect, because opening it is the largest cost. */

/** Tests that share the pages, so that they run side by side. */
const PARTS = 2;
/** Pages that have all their parts on others, as a form that edits has on the one that creates. */
const ALIKE =
  /^\/(?!tasks).*edit=1|body=|span=|claimed=|nonsense|iev_gone|inboxes.*journey|tab=query|messages.*headers|versions.*source/;
/** Pages that have all combinations of colours between them. */
const COLOURED = [
  ...["/", "/dashboard", "/keys", "/messages/…", "/questions/…", "/schedules", "/settings"],
  ...["/tasks", "/tasks?new=1", "/tasks?view=board", "/tasks/…"],
  ...["/artifacts/…/versions/1?view=changes", "/webhooks/…/events/…"],
];
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** The screens on which the layouts have the least space: cards, a list of fewer columns, and one of all. */
const NARROWEST = [1025, 641, 320];
/** Enough for the first words of a name. */
const NAME_WIDTH_MIN = 150;
/** How much later the times are renewed. Each layout gets half, since each makes a text longer. */
const WIDE_LATERS = [11, 11 * HOUR];
const NARROW_LATERS = [11 * MINUTE, 11 * DAY];

for (let part = 1; part <= PARTS; part++) {
  test(`No page transfers more than 200 kB, is wider than its screen, hides the names in its list, moves when its times change, has a serious accessibility barrier, light or dark, an error in its console, or hostile text that is not shown as text (${part} of ${PARTS})`, async ({
    page,
    api,
    db,
    key,
  }) => {
    test.setTimeout(600_000);
    const pages = [...(await everyPage(api, key)), await largeEvent(api, db, key)];
    const paths = pages.filter((path) => !ALIKE.test(path));
    const kinds = paths.map(kindOf);
    const routes = kinds.map((kind) => kind.replace(/\?.*/, ""));
    expect(kinds).toEqual(expect.arrayContaining(COLOURED));
    const complaints = complaintsOf(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await holdClock(page);
    const transferOf = await countTransfer(page);
    let changing = 0;
    let hostile = 0;
    for (const [index, path] of paths.entries()) {
      if (index % PARTS !== part - 1) continue;
      await resize(page, 1280);
      const excess = Math.max((await transferOf(path)) - TRANSFER_BYTES_MAX, 0);
      const kind = kinds[index] ?? "";
      const isFirst = routes.indexOf(routes[index] ?? "") === index;
      const isChanging = isFirst && (await hasChangingTimes(page));
      if (isChanging) {
        changing += 1;
        const moved = await movedByTimes(page, WIDE_LATERS);
        expect({ path, moved }).toEqual({ path, moved: [] });
      }
      // A page that is not found gets its title from its scripts.
      await expect(page).toHaveTitle(/./);
      const colours = COLOURED.includes(kind) && kinds.indexOf(kind) === index;
      expect(await barriersOn(page, { colours })).toEqual([]);
      if (await hostileText(page, path)) hostile += 1;
      expect({ path, excess }).toEqual({ path, excess: 0 });
      for (const width of NARROWEST) {
        await resize(page, width);
        const shown = await widthsOf(page);
        expect({ path, ...shown }).toEqual({ path, width, narrowNames: [] });
      }
      if (isChanging) {
        await resize(page, 360);
        const moved = await movedByTimes(page, NARROW_LATERS);
        expect({ path, moved }).toEqual({ path, moved: [] });
      }
    }
    expect(changing).toBeGreaterThan(3);
    expect(hostile).toBeGreaterThan(9);
    // A document's frame runs no scripts, and so not the one that holds the page's clock.
    expect(complaints.filter((text) => !/^Blocked script .* is sandboxed/.test(text))).toEqual([]);
  });
}

test("No page for signed-out visitors transfers more than 200 kB or has a serious accessibility barrier", async ({
  visitor: page,
  api,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const transferOf = await countTransfer(page);
  const { body: open } = await api("POST", "/api/tasks", { body: { name: "Anybody's" } });
  const paths = ["/sign-in", `/claim/${open.id}`, `/tasks/${open.id}`];
  for (const path of [...paths, "/nowhere", "/docs/nowhere", "/a/no-such-link"]) {
    expect(await transferOf(path), path).toBeLessThanOrEqual(TRANSFER_BYTES_MAX);
    expect(await barriersOn(page, { colours: path === "/sign-in" })).toEqual([]);
  }
});

/** The path without IDs. Forms, tabs and views are kinds of their own. */
function kindOf(path: string): string {
  return path.replaceAll(/[a-z]+_[\da-z]{25}/gi, "…");
}

/** An event beside a full page of others. */
async function largeEvent(api: Api, db: Pool, key: string): Promise<string> {
  const { id } = await makeEndpoint(api, { key });
  await fillEndpoint(db, { id, count: 50 });
  const event = await capture(api, id, { body: { type: "payment.succeeded", amount: 50 } });
  return `/webhooks/${id}/events/${event}`;
}

/** How wide the page is, and the columns of names that are too narrow to read. */
async function widthsOf(page: Page) {
  return await page.evaluate((min) => {
    const names = [...document.querySelectorAll("td.list-main")];
    const widths = names.map((name) => Math.round(name.getBoundingClientRect().width));
    return {
      width: document.documentElement.scrollWidth,
      narrowNames: widths.filter((width) => width > 0 && width < min),
    };
  }, NAME_WIDTH_MIN);
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

/** What moves, by three pixels or more, when the page's times are renewed so many seconds later. */
async function movedByTimes(page: Page, laters: number[]): Promise<object[]> {
  return await page.evaluate(async (laters) => {
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
  }, laters);
}
