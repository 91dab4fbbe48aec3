import type { Page, Request } from "playwright/test";
import { makeKey } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { selectText, show } from "../support/pages";
import { ask } from "../support/questions";
import { rowsOf } from "../support/rows";

const rows = (page: Page) => page.getByRole("main").locator("[data-row]");
const live = (page: Page) => page.getByText("Live", { exact: true });

/** The requests of a page whose path ends so. */
function countRequests(page: Page, path: string): { count: number } {
  const asked = { count: 0 };
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith(path)) asked.count += 1;
  });
  return asked;
}

test("Tabs of one browser are live with one stream, since HTTP/1.1 has 6 connections, and another takes it over", async ({
  page,
  context,
  own,
  endpoint,
}) => {
  const streams = new Set<Request>();
  context.on("request", (request) => {
    if (request.url().includes("/dashboard/signals")) streams.add(request);
  });
  context.on("requestfinished", (request) => streams.delete(request));
  context.on("requestfailed", (request) => streams.delete(request));
  await page.goto("/inboxes");
  const tabs = [page];
  for (const path of [`/webhooks/${endpoint.id}`, "/webhooks", "/artifacts"]) {
    const tab = await context.newPage();
    await tab.goto(path);
    tabs.push(tab);
  }
  for (const tab of tabs) await expect(live(tab)).toBeVisible();
  await expect.poll(() => streams.size).toBe(1);
  await Promise.all([
    endpoint.capture({ body: { order: "live" } }),
    own.create("artifacts", { name: "live", content: "x" }),
    own.create("inboxes", { name: "live" }),
    own.create("webhooks", { name: "live" }),
  ]);
  for (const tab of tabs) await expect(rows(tab).first()).toContainText("live");
  // The leading tab closes: another one keeps the stream.
  await page.close();
  await endpoint.capture({ body: { order: "later" } });
  // Sooner than a followed list polls by itself.
  const follower = tabs[1] ?? page;
  await expect(rows(follower).first()).toContainText("later", { timeout: 20_000 });
});

test("New rows are counted in the title of a hidden tab, and wait behind a pill until the open one is closed", async ({
  page,
  endpoint,
}) => {
  await page.goto(`/webhooks/${endpoint.id}`);
  await expect(live(page)).toBeVisible();
  await show(page, "hidden");
  await endpoint.capture({ body: { order: "first" } });
  await expect(page).toHaveTitle(/^\(1\) /);
  await endpoint.capture({ body: { order: "second" } });
  await expect(page).toHaveTitle(/^\(2\) /);
  await show(page, "visible");
  await expect(page).not.toHaveTitle(/^\(/);
  await expect(rows(page)).toHaveCount(2);

  await rows(page).first().click();
  await expect(page.getByRole("article", { name: "POST request" })).toBeVisible();
  await endpoint.capture({ body: { order: "third" } });
  await expect(page.getByRole("button", { name: "1 new" })).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await expect(rows(page)).toHaveCount(3);
  await expect(page).not.toHaveTitle(/^\(/);
});

test("While signals arrive an idle list sends no requests, and a paused one changes nothing until it is resumed", async ({
  page,
  own,
}) => {
  await own.create("tasks", { name: "first" });
  const stream = page.waitForResponse(/\/dashboard\/signals/);
  await page.goto("/tasks");
  await expect(live(page)).toBeVisible();
  // Until then it asks more and more seldom.
  await stream;
  const asked = countRequests(page, "/tasks/live");
  const askedSoon = async () => {
    const before = asked.count;
    await page.waitForTimeout(1500);
    return asked.count - before;
  };
  await expect.poll(askedSoon).toBe(0);
  const before = asked.count;
  await page.waitForTimeout(5000);
  expect(asked.count - before).toBeLessThanOrEqual(1);
  await page.getByRole("button", { name: ": pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  asked.count = 0;
  await own.create("tasks", { name: "second" });
  // A list that is live asks within a second.
  await page.waitForTimeout(1500);
  expect(asked.count).toBe(0);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: ": resume" }).click();
  await expect(rows(page)).toHaveCount(2);
});

test("Tasks appear on the list and the board, and wait while the person reads", async ({
  page,
  context,
  api,
  key,
  own,
}) => {
  await own.create("tasks", { name: "first" });
  const board = await context.newPage();
  await board.goto("/tasks?view=board");
  await page.goto("/tasks");
  for (const tab of [page, board]) await expect(live(tab)).toBeVisible();
  const task = await own.create("tasks", { name: "second" });
  for (const tab of [page, board]) await expect(rows(tab)).toHaveCount(2);
  await api("POST", `/api/tasks/${task.id}/complete`, { key, body: {} });
  await expect(board.getByRole("region", { name: "Done" })).toContainText("second");
  // Selected text is being read.
  for (const tab of [page, board]) await selectText(tab);
  await own.update(`tasks/${task.id}`, { name: "renamed" });
  await expect(rows(page).filter({ hasText: "renamed" })).toBeVisible();
  await expect(board.getByRole("button", { name: "Show changes" })).toBeVisible();
  await own.create("tasks", { name: "third" });
  for (const tab of [page, board]) {
    await expect(tab.getByRole("button", { name: "1 new", exact: true })).toBeVisible();
    await expect(tab).toHaveTitle(/^\(1\) /);
    await expect(rows(tab)).toHaveCount(2);
    await tab.getByRole("button", { name: "1 new" }).click();
    await expect(rows(tab)).toHaveCount(3);
    await expect(tab).not.toHaveTitle(/^\(/);
  }
});

test("A task becomes overdue on a live list without a change", async ({ page, own }) => {
  await own.create("tasks", { name: "Soon", due_at: Math.floor(Date.now() / 1000) + 2 });
  await page.goto("/tasks");
  await expect(rows(page)).toHaveText(["Soon"]);
  await expect(async () => {
    await show(page, "visible"); // polls at once
    await expect(page.getByRole("main").getByText(/^overdue, /)).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test("Keys and the log are live, and wait while the person reads", async ({
  page,
  context,
  db,
  organization,
}) => {
  const keys = await context.newPage();
  await keys.goto("/keys");
  await page.goto("/keys?tab=log");
  for (const tab of [page, keys]) await expect(live(tab)).toBeVisible();
  const log = page.getByRole("main");
  const rotate = (n: number) => {
    const event = { actor: "operator", action: "signing_secret.rotated" };
    const data = { ...event, id: `evt_${n}${organization.id}`, organization_id: organization.id };
    return rowsOf(db).auditEvent.create({ data });
  };
  await rotate(1);
  const key = await makeKey(db, organization.id);
  await expect(log.getByRole("listitem")).toHaveCount(1);
  const shownKey = `${key.slice(0, 13)}…${key.slice(-4)}`;
  await expect(keys.getByRole("row").filter({ hasText: shownKey })).toBeVisible();
  await selectText(page);
  await rotate(2);
  await expect(page.getByRole("button", { name: "1 new", exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(log.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(log.getByRole("listitem")).toHaveCount(2);
});

test("Without locks, as over plain HTTP, a list and the number of questions are live by polling", async ({
  page,
  api,
  key,
  endpoint,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
  });
  const asked = countRequests(page, "/dashboard/signals");
  await page.goto(`/webhooks/${endpoint.id}`);
  await expect(live(page)).toBeVisible();
  await ask(api, key);
  await endpoint.capture({ body: { order: "polled" } });
  await expect(rows(page).first()).toContainText("polled");
  await expect(page.getByRole("link", { name: "Questions 1 waiting" })).toBeVisible();
  expect(asked.count).toBe(0);
});
