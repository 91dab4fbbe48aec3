import { expect, test } from "../support/browser-fixtures";
import { randomText } from "../support/keys";

const DAY = 86_400;

test("Tasks are sorted by urgency, due date or last change, in the list and on the board", async ({
  page,
  own,
}) => {
  const now = Math.floor(Date.now() / 1000);
  const make = (body: object) => own.create("tasks", body);
  await make({ name: "Overdue", priority: "critical", due_at: now - DAY });
  await make({ name: "Undated", priority: "critical" });
  const soon = await make({ name: "Soon", priority: "low", due_at: now + DAY });
  const later = await make({ name: "Later", priority: "high", due_at: now + 2 * DAY });
  const names = page.locator("[data-row]");
  await page.goto("/tasks");
  await expect(names).toHaveText(["Later", "Soon", "Undated", "Overdue"]);
  const head = (name: string) => page.getByRole("columnheader", { name });
  await expect(head("Created")).toHaveAttribute("aria-sort", "descending");
  await head("Priority").getByRole("link").click();
  await expect(names).toHaveText(["Overdue", "Undated", "Later", "Soon"]);
  await head("Due").getByRole("link").click();
  await expect(page).toHaveURL("/tasks?sort=due");
  await expect(head("Due")).toHaveAttribute("aria-sort", "ascending");
  await expect(names).toHaveText(["Overdue", "Soon", "Later", "Undated"]);
  await page.getByRole("link", { name: "Board" }).click();
  await expect(page).toHaveURL("/tasks?view=board&sort=due");
  await expect(names).toHaveText(["Overdue", "Soon", "Later", "Undated"]);
  await expect
    .poll(async () => {
      const body = await own.update(`tasks/${soon.id}`, { description: String(Math.random()) });
      return body.updated_at > later.created_at;
    })
    .toBe(true);
  await page.goto("/tasks?sort=updated");
  await expect(names.first()).toHaveText("Soon");
});

test("A sorted list continues where it ended, and a forged position begins again", async ({
  context,
  person: _person,
  db,
  organization,
}) => {
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, priority, due_at, created_at, updated_at)
     SELECT 'tsk_' || $2 || lpad(n::text, 13, '0'), $1, 'Task ' || n, ('{low,critical}'::task_priority[])[1 + n % 2],
            CASE n % 3 WHEN 1 THEN 4000000000 + n % 7 WHEN 2 THEN 9007199254740991 END, n, n + n % 2 * 1000
     FROM generate_series(1, 510) AS n`,
    [organization.id, randomText(12)],
  );
  // Read from the HTML: a browser takes seconds to draw so many rows.
  const read = async (path: string) => {
    const html = await (await context.request.get(path)).text();
    return {
      // A row has a name for narrow windows too.
      names: new Set([...html.matchAll(/>(Task \d+)</g)].map(([, name]) => name)),
      shown: html.replaceAll(/<[^>]*>/g, "").includes("50 of 510"),
      more: /href="([^"]+)"[^>]*>Load more</.exec(html)?.[1]?.replaceAll("&amp;", "&"),
    };
  };
  for (const sort of ["due", "priority"]) {
    const first = await read(`/tasks?sort=${sort}&shown=500`);
    const rest = await read(`${first.more}&shown=500`);
    const seen = [...first.names, ...rest.names];
    expect(seen, sort).toHaveLength(510);
    expect(new Set(seen).size, sort).toBe(510);
  }
  const none = "/tasks?sort=priority&priority=critical&after=tsk_1.priority.4.";
  expect((await context.request.get(none)).status()).toBe(200);
  expect((await read(none)).names.size).toBe(0);
  for (const after of [
    "tsk_1.due.9.9",
    "tsk_1.due.1.99999999999999999999",
    "tsk_x.updated..",
    "a_b",
  ]) {
    const { names, shown } = await read(`/tasks?sort=due&after=${after}`);
    expect({ after, count: names.size, shown }).toEqual({ after, count: 50, shown: true });
  }
});
