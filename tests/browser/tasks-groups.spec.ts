import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { textOf, unescaped } from "../support/forms";
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

test("The list is divided by progress or holder, and a row moves to its new group", async ({
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
  await choose(page, "Progress");
  await expect(page).toHaveURL("/tasks?group=progress");
  const divided = ["To do2", "Free", "Held", "In progress1", "Urgent", "Done1", "Over"];
  await expect(lines(page)).toHaveText(divided);
  await own.update(`tasks/${free.id}`, { labels: ["done"] });
  const moved = ["To do1", "Held", "In progress1", "Urgent", "Done2", "Free", "Over"];
  await expect(lines(page)).toHaveText(moved);
  // The open task keeps its list as it was.
  await page.getByRole("link", { name: "Free", exact: true }).click();
  await expect(page).toHaveURL(`/tasks/${free.id}?group=progress`);
  await expect(lines(page)).toHaveText(moved);
});

test("A long group shows its first tasks, and leads to the rest", async ({
  context,
  person: _person,
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
  const read = async (path: string) => await (await context.request.get(path)).text();
  const list = await read("/tasks?group=priority");
  expect(textOf(list)).toMatch(/critical 1 .*high 50 of 60 /);
  const more = /href="([^"]+)"[^>]*>Load more</.exec(list)?.[1] ?? "";
  expect(textOf(await read(unescaped(more)))).toMatch(/critical 1 .*high 60 /);
});

test("A holder in a row or in the search leads to the tasks that it holds, and the title says so", async ({
  page,
  api,
  key,
  own,
}) => {
  const { task, take } = leaseClient(api, key);
  const one = await task({ name: "One", priority: "high" });
  const two = await task({ name: "Two", priority: "high" });
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
  await expect(rows).toHaveCount(3);
  const search = page.getByRole("searchbox", { name: "Search tasks" });
  await search.fill("holder:planner-4");
  await search.press("Enter");
  await expect(rows).toHaveText(["Two"]);
});
