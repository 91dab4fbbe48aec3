import type { Pool } from "pg";
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { rowsOf } from "../support/rows";
import { capture, makeEndpoint } from "../support/webhooks";

const MANY = 10_000;
const rows = (page: Page) => page.locator("tr[aria-rowindex]");
const numbered = (page: Page, number: number) =>
  page.getByRole("link", { name: new RegExp(`^/number/${number} `) });
const scrolled = (page: Page) => page.evaluate(() => window.scrollY);
const toTheEnd = (page: Page) =>
  page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

test("A list of 10,000 events renders visible rows only", async ({ page, fillEndpoint }) => {
  const id = await fillEndpoint(MANY);
  await page.goto(`/webhooks/${id}`);
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(MANY + 1));
  await expect(page.locator("[data-row]").first()).toContainText("/number/10000");
  await expect.poll(() => rows(page).count()).toBeLessThan(50);
  await expect(async () => {
    await toTheEnd(page);
    await expect(numbered(page, 1)).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await rows(page).count()).toBeLessThan(60);
  await expect(rows(page).last()).toHaveAttribute("aria-rowindex", String(MANY + 1));
  await expect(page.getByText("10,000", { exact: true })).toBeVisible();
});

test("Opening an event deep in the list keeps the list and loads only the event, and closing it keeps the scroll position", async ({
  page,
  fillEndpoint,
}) => {
  const id = await fillEndpoint(1000);
  await page.goto(`/webhooks/${id}`);
  await expect.poll(() => rows(page).count()).toBeLessThan(50);
  await page.evaluate(() => window.scrollTo(0, 12_000));
  const row = numbered(page, 700);
  await expect(row).toBeVisible();
  const before = await scrolled(page);
  let sent = "";
  await page.route(/\/events\/wev_\w+\?_rsc=/, async (route) => {
    const response = await route.fetch();
    sent += await response.text();
    await route.fulfill({ response });
  });
  const opened = page.getByRole("article", { name: "POST request" });
  await row.click();
  await expect(opened).toContainText("/number/700");
  expect(sent).toContain("/number/700");
  expect(sent).not.toContain("/number/701");
  expect(await scrolled(page)).toBe(before);
  await expect(page.locator("tr[aria-current]")).toContainText("/number/700");
  // The row still has the focus: the keyboard goes on from there.
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(opened).toContainText("/number/699");
  await page.goBack();
  await expect(opened).toContainText("/number/700");
  expect(Math.abs((await scrolled(page)) - before)).toBeLessThan(100);
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await expect(page.getByRole("heading", { name: "About this endpoint" })).toBeVisible();
  await expect(row).toBeVisible();

  await page.evaluate(() => window.scrollTo(0, 0));
  await numbered(page, 1000).click();
  await expect(opened).toContainText("/number/1000");
  await page.evaluate(() => window.scrollTo(0, 8000));
  await expect.poll(() => scrolled(page)).toBe(8000);
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await expect(page.getByRole("heading", { name: "About this endpoint" })).toBeVisible();
  await expect(page.locator("[data-row]").first()).not.toContainText("/number/1000");
  expect(await scrolled(page)).toBe(8000);
});

test("The keyboard moves beyond the rendered rows", async ({ page, fillEndpoint }) => {
  const id = await fillEndpoint(200);
  await page.goto(`/webhooks/${id}`);
  await expect.poll(() => rows(page).count()).toBeLessThan(50);
  // Rows that have not been read cannot be walked to.
  await expect(page.getByText(/^(150 of )?200$/)).toBeVisible();
  // Faster than any row can be rendered.
  await press(page, "j", 90);
  await expect(page.locator("[data-row]:focus")).toContainText("/number/111");
  await press(page, "k", 89);
  await expect(page.locator("[data-row]:focus")).toContainText("/number/200");
});

test("New events come above all others while the list is at its top, and wait behind a pill while it is scrolled", async ({
  page,
  api,
  fillEndpoint,
}) => {
  const id = await fillEndpoint(300);
  await page.goto(`/webhooks/${id}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(page.getByText("300", { exact: true })).toBeVisible();
  await capture(api, id, { body: { order: "early" } });
  await expect(page.locator("[data-row]").first()).toContainText("early");
  await expect(page.getByText("301", { exact: true })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 6000));
  const row = numbered(page, 155);
  const place = async () => (await row.boundingBox())?.y;
  await expect(row).toBeVisible();
  const before = await place();
  await capture(api, id, { body: { order: "late" } });
  const pill = page.getByRole("button", { name: "1 new" });
  await expect(pill).toBeVisible();
  expect(await place()).toBe(before);
  await pill.click();
  await expect(page.locator("[data-row]").first()).toContainText("late");
  await expect(page.getByText(/^(\d+ of )?302$/)).toBeVisible();
  expect(await scrolled(page)).toBe(0);
});

test("A new event replaces the oldest one in the list of a full endpoint", async ({
  page,
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key, max_events: 5 });
  for (const order of [1, 2, 3, 4, 5]) await capture(api, id, { body: { order } });
  await page.goto(`/webhooks/${id}`);
  await expect(page.locator("[data-row]")).toHaveCount(5);
  await capture(api, id, { body: { order: 6 } });
  await expect(page.locator("[data-row]")).toHaveText([/6/, /5/, /4/, /3/, /2/]);
  await expect(page.getByRole("main").getByText("5", { exact: true })).toBeVisible();
});

test("Without scripts rows link to events and more", async ({ openBrowser, fillEndpoint }) => {
  const id = await fillEndpoint(120);
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/webhooks/${id}`);
  await expect(rows(page)).toHaveCount(50);
  await expect(page.getByText("50 of 120")).toBeVisible();
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(rows(page)).toHaveCount(100);
  await numbered(page, 30).click();
  await expect(page.getByRole("article", { name: "POST request" })).toContainText("/number/30");
  await expect(page.locator("tr[aria-current]")).toContainText("/number/30");
});

test("An event opened by URL is shown beside its filtered list", async ({ page, endpoint }) => {
  const event = await endpoint.capture({ body: { order: "apple" } });
  await endpoint.capture({ body: { order: "pear" } });
  await page.goto(`/webhooks/${endpoint.id}/events/${event}?q=apple`);
  await expect(page.getByRole("article", { name: "POST request" })).toBeVisible();
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.locator("tr[aria-current]")).toContainText("apple");
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await expect(page).toHaveURL(`/webhooks/${endpoint.id}?q=apple`);
  await expect(page.locator("[data-row]")).toHaveCount(1);
});

test("A search stops after a while, and continues on request", async ({ page, fillEndpoint }) => {
  const id = await fillEndpoint(250, 1_000_000);
  let steps = 0;
  page.on("request", (request) => {
    if (request.url().includes("/rows?")) steps += 1;
  });
  await page.goto(`/webhooks/${id}?q=%22number%22%3A1%2C`);
  const words = page.getByText(/^Nothing in the newest \d+ events\.$/);
  const searched = async () => Number(/\d+/.exec((await words.textContent()) ?? "")?.[0]);
  const further = page.getByRole("button", { name: "Search older" });
  await expect(further).toBeEnabled();
  expect(steps).toBeLessThan(6);
  expect(await searched()).toBeGreaterThan(100);
  expect(await searched()).toBeLessThan(250);
  await further.press("Enter");
  await expect(numbered(page, 1)).toBeVisible();
  await expect(words).toHaveCount(0);
  await expect(further).toHaveCount(0);
});

test("Closing an event opened by URL focuses its row, however old, and one outside the filters leaves the list at its top", async ({
  page,
  db,
  fillEndpoint,
}) => {
  const id = await fillEndpoint(1500);
  await page.goto(`/webhooks/${id}/events/${await idOf(db, id, 300)}`);
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await expect(page).toHaveURL(`/webhooks/${id}`);
  await expect(numbered(page, 300)).toBeFocused();
  await expect(numbered(page, 300)).toBeInViewport();
  await page.keyboard.press("j");
  await expect(page.locator("[data-row]:focus")).toContainText("/number/299");

  const event = await idOf(db, id, 500);
  await page.goto(`/webhooks/${id}/events/${event}?q=%2Fnumber%2F1`);
  await db.query("DELETE FROM webhook_events WHERE endpoint_id = $1 AND id = $2", [id, event]);
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await expect(page.getByRole("heading", { name: "About this endpoint" })).toBeVisible();
  await expect(numbered(page, 1500)).toBeInViewport();
  expect(await scrolled(page)).toBe(0);
});

test("On a narrow screen, closing an event returns to its row", async ({ page, fillEndpoint }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const id = await fillEndpoint(500);
  await page.goto(`/webhooks/${id}`);
  await expect.poll(() => rows(page).count()).toBeLessThan(50);
  await page.evaluate(() => window.scrollTo(0, 6000));
  const shown = page.locator("[data-row]").nth(20);
  await expect(shown).toBeInViewport();
  const path = /\/number\/\d+/.exec((await shown.textContent()) ?? "")?.[0] ?? "";
  const row = page.getByRole("link", { name: new RegExp(`^${path} `) });
  const before = await scrolled(page);
  const close = page.getByRole("link", { name: "Close, back to the list" });
  for (const back of [() => close.click(), () => page.goBack()]) {
    await row.click();
    await expect(page.getByRole("article", { name: "POST request" })).toContainText(path);
    await expect(row).toBeHidden();
    await back();
    await expect(row).toBeFocused();
    await expect(row).toBeInViewport();
    expect(Math.abs((await scrolled(page)) - before)).toBeLessThan(2);
  }
});

async function idOf(db: Pool, endpointId: string, number: number): Promise<string> {
  const where = { endpoint_id: endpointId, path: { endsWith: `/number/${number}` } };
  return (await rowsOf(db).webhookEvent.findFirstOrThrow({ where })).id;
}

/** Presses a key many times before the page can react. */
function press(page: Page, key: string, times: number) {
  return page.evaluate(
    ({ key, times }) => {
      for (let time = 0; time < times; time += 1) {
        const from = document.activeElement ?? document.body;
        from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
    },
    { key, times },
  );
}
