import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { capture } from "../support/webhooks";

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

  await page.goto(`/webhooks/${endpoint.id}/events/wev_missing?q=apple`);
  await expect(page.getByRole("heading", { name: "This event is gone" })).toBeVisible();
  await expect(page.locator("[data-row]")).toHaveCount(1);
});

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
