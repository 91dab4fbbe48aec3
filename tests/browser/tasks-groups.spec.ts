import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { randomText } from "../support/keys";
import { leaseClient } from "../support/leases";

/** The headings and rows of the list, in order. */
function lines(page: Page) {
  return page.locator("tbody").locator("th[scope=rowgroup], [data-row]");
}

async function choose(page: Page, name: string) {
  await page.getByRole("button", { name: "Filter" }).click();
  const groupings = page.getByRole("navigation", { name: "Group by" });
  await groupings.getByRole("link", { name }).click();
}

test("The list is divided by progress, priority or holder, and a row moves to its new group", async ({
  page,
  api,
  key,
  own,
}) => {
  const { take } = leaseClient(api, key);
  await own.create("tasks", { name: "Urgent", priority: "critical", labels: ["in-progress"] });
  const held = await own.create("tasks", { name: "Held", priority: "high" });
  await own.create("tasks", { name: "Over", labels: ["done"] });
  const free = await own.create("tasks", { name: "Free" });
  await take(held.id, { holder: "planner-3" });
  await page.goto("/tasks");
  await choose(page, "Holder");
  await expect(page).toHaveURL("/tasks?group=holder");
  await expect(lines(page)).toHaveText([
    "planner-31",
    "Held",
    "Held by nobody3",
    "Free",
    "Over",
    "Urgent",
  ]);
  await choose(page, "Priority");
  await expect(page).toHaveURL("/tasks?group=priority");
  await expect(lines(page)).toHaveText([
    "critical1",
    "Urgent",
    "high1",
    "Held",
    "low2",
    "Free",
    "Over",
  ]);
  await choose(page, "Progress");
  await expect(page).toHaveURL("/tasks?group=progress");
  const divided = ["To do2", "Free", "Held", "In progress1", "Urgent", "Done1", "Over"];
  await expect(lines(page)).toHaveText(divided);
  // The open task keeps its list as it was.
  await page.getByRole("link", { name: "Free", exact: true }).click();
  await expect(page).toHaveURL(`/tasks/${free.id}?group=progress`);
  await expect(lines(page)).toHaveText(divided);
  await page.goto("/tasks?group=progress");
  await own.update(`tasks/${free.id}`, { labels: ["done"] });
  await expect(lines(page)).toHaveText([
    "To do1",
    "Held",
    "In progress1",
    "Urgent",
    "Done2",
    "Free",
    "Over",
  ]);
});

test("A long group shows its first tasks, and leads to the rest", async ({
  page,
  db,
  organization,
  own,
}) => {
  await own.create("tasks", { name: "Newest", priority: "critical" });
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, priority, created_at, updated_at)
     SELECT 'tsk_' || $2 || lpad(n::text, 13, '0'), $1, 'Task ' || n, 'high', n, n
     FROM generate_series(1, 60) AS n`,
    [organization.id, randomText(12)],
  );
  await page.goto("/tasks?group=priority");
  await expect(lines(page)).toHaveCount(53);
  await expect(page.getByRole("rowheader", { name: "high 50 of 60" })).toBeVisible();
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(page.getByRole("rowheader", { name: "high 60" })).toBeVisible();
  await expect(lines(page)).toHaveCount(63);
});

test("A holder in a row or in the search leads to the tasks that it holds, and the title says so", async ({
  page,
  api,
  key,
  own,
}) => {
  const { task, take } = leaseClient(api, key);
  const one = await task({ name: "One", priority: "high" });
  const two = await task({ name: "Two" });
  await take(one.id, { holder: "planner 3" });
  await take(two.id, { holder: "planner-4" });
  await own.create("tasks", { name: "Free", priority: "high" });
  const rows = page.locator("[data-row]");
  await page.goto("/tasks?priority=high");
  await page.getByRole("link", { name: "planner 3", exact: true }).click();
  await expect(page).toHaveURL("/tasks?priority=high&holder=planner+3");
  await expect(rows).toHaveText(["One"]);
  await expect(page).toHaveTitle(/^Tasks: high, held by planner 3 · /);
  await page.getByRole("link", { name: "held by: planner 3, remove this filter" }).click();
  await expect(rows).toHaveCount(2);
  const search = page.getByRole("searchbox", { name: "Search tasks" });
  await search.fill("holder:planner-4");
  await search.press("Enter");
  await expect(rows).toHaveText([]);
  await page.goto("/tasks?q=holder:planner-4");
  await expect(rows).toHaveText(["Two"]);
  // The palette leads back to a list with filters, too.
  await page.goto("/tasks?holder=planner+3");
  await expect(rows).toHaveText(["One"]);
  const recent = () => page.evaluate(() => sessionStorage.getItem("recent") ?? "");
  await expect.poll(recent).toContain("Tasks: held by planner 3");
  await page.goto("/artifacts");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("option", { name: "Tasks: held by planner 3", exact: true }).click();
  await expect(page).toHaveURL("/tasks?holder=planner+3");
});
