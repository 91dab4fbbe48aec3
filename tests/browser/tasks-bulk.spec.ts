import type { Page } from "playwright/test";
import { insertTasks } from "../support/accounts";
import { expect, type Own, test } from "../support/browser-fixtures";
import { rowsOf } from "../support/rows";

test("Selected tasks are changed together, but for those that are already as wanted, and undo brings back all but what changed since", async ({
  page,
  own,
}) => {
  const [one, two, three] = await make(own, "One", "Two", "Three");
  await own.update(`tasks/${three}`, { priority: "critical" });
  await page.goto("/tasks");
  await box(page, "Three").check();
  await box(page, "One").click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Selected tasks" });
  await expect(bar).toContainText("3 selected");
  await bar.getByRole("button", { name: "Priority" }).click();
  await page.getByRole("option", { name: "Critical" }).click();
  await expect(bar).toContainText("2 tasks: Critical.");
  await expect(page.getByRole("row", { name: /Two/ })).toContainText("critical");
  await own.update(`tasks/${two}`, { name: "Two, changed" });
  await bar.getByRole("button", { name: "Undo" }).click();
  await expect(bar).toContainText("Undone. 1 task had changed since and was left.");
  const priority = async (id?: string) => (await own.read(`tasks/${id}`)).priority;
  expect([await priority(one), await priority(two), await priority(three)]).toEqual([
    "low",
    "critical",
    "critical",
  ]);
});

test("The keyboard alone selects, labels, dates and deletes tasks", async ({ page, own }) => {
  const ids = await make(own, "One", "Two", "Three");
  const read = (index: number) => own.read(`tasks/${ids[index]}`);
  await page.goto("/tasks");
  const bar = page.getByRole("region", { name: "Selected tasks" });
  const press = async (...keys: string[]) => {
    for (const one of keys) await page.keyboard.press(one);
  };
  await press("j", "x", "Shift+ArrowDown");
  await expect(bar).toContainText("2 selected");
  await choose(page, "l", "urgent");
  await expect(bar).toContainText("2 tasks: label urgent added.");
  expect([(await read(2)).labels, (await read(1)).labels, (await read(0)).labels]).toEqual([
    ["urgent"],
    ["urgent"],
    [],
  ]);
  await choose(page, "l", "urgent", "Remove urgent");
  await expect(bar).toContainText("2 tasks: label urgent removed.");
  expect([(await read(2)).labels, (await read(1)).labels]).toEqual([[], []]);
  await press("Control+z");
  await expect(bar).toContainText("Undone.");
  expect([(await read(2)).labels, (await read(1)).labels]).toEqual([["urgent"], ["urgent"]]);
  // What is typed is a label, not a part of "Remove urgent".
  await choose(page, "l", "mo", "New label “mo”");
  await expect(bar).toContainText("2 tasks: label mo added.");
  await page.keyboard.press("d");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await page.keyboard.type("tomorrow 9");
  await expect(page.getByRole("option").first()).toContainText(" 09:00");
  await page.keyboard.press("Enter");
  await expect(bar).toContainText(" 09:00.");
  const due = Number((await read(1)).due_at);
  expect(due % 86_400).toBe(9 * 3600);
  expect(due * 1000).toBeGreaterThan(Date.now());

  await press("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete 2 tasks" }).click();
  await expect(page.locator("[data-row]")).toHaveText(["One"]);
});

test("On the board and beside an open task the keys change that task, and Ctrl+Z undoes the last change, also one in the pane", async ({
  page,
  own,
}) => {
  const [id] = await make(own, "One");
  await page.goto("/tasks?view=board");
  await page.keyboard.press("j");
  await choose(page, "s", "In progress");
  const column = page.getByRole("region", { name: "In progress", exact: true });
  await expect(column.getByRole("link", { name: "One" })).toBeVisible();
  await page.goto(`/tasks/${id}`);
  await choose(page, "p", "Critical");
  const pane = page.getByRole("article");
  await expect(pane.getByText("critical")).toBeVisible();
  const done = pane.getByRole("button", { name: "Done" });
  await done.click();
  await expect(page.getByRole("region", { name: "Selected tasks" })).toContainText(
    "One moved to Done",
  );
  await expect(done).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Control+z");
  await expect(done).toHaveAttribute("aria-pressed", "false");
  const { labels, priority } = await own.read(`tasks/${id}`);
  expect({ labels, priority }).toEqual({ labels: ["in-progress"], priority: "critical" });
});

test("A selection of over a hundred is changed in parts: a label is added to all, and an undo that fails halfway goes on where it was", async ({
  page,
  db,
  organization,
}) => {
  const ids = await insertTasks(db, organization.id, 110);
  const { task } = rowsOf(db);
  // The newest are listed first, so all of the second part have it.
  await db.query("UPDATE tasks SET labels = '{urgent}' WHERE id = ANY ($1)", [ids.slice(0, 10)]);
  await page.goto("/tasks?shown=150");
  await page.keyboard.press("j");
  await page.keyboard.press("Control+a");
  const bar = page.getByRole("region", { name: "Selected tasks" });
  await expect(bar).toContainText("110 selected");
  await expect(bar).toContainText("Select at most 100 to delete.");
  await choose(page, "l", "urgent", "Add urgent");
  await expect(bar).toContainText("100 tasks: label urgent added.");
  const organization_id = organization.id;
  expect(await task.count({ where: { organization_id, labels: { has: "urgent" } } })).toBe(110);
  await choose(page, "p", "High");
  await expect(bar).toContainText("110 tasks: High.");
  const high = () => task.count({ where: { organization_id, priority: "high" } });
  expect(await high()).toBe(110);

  let undos = 0;
  await page.route(/\/tasks\?/, (route) => {
    const isUndo = route.request().method() === "POST";
    if (isUndo) undos += 1;
    return isUndo && undos === 2 ? route.abort() : route.continue();
  });
  const undo = bar.getByRole("button", { name: "Undo" });
  await undo.click();
  await expect(bar).toContainText("Undone, except for 10 tasks.");
  expect(await high()).toBe(10);
  await undo.dblclick();
  await expect(bar).toContainText("Undone.");
  expect(await high()).toBe(0);
  expect(undos).toBe(3);
});

test("A change of another organization's task fails alone, and a forged one is refused", async ({
  page,
  api,
  otherOrganization: { key },
  own,
}) => {
  const { id } = await own.create("tasks", { name: "Own" });
  const { body: foreign } = await api("POST", "/api/tasks", { key, body: { name: "Foreign" } });
  await page.goto("/tasks");
  const forge = async (ids: string[]) =>
    page.route("/tasks", async (route) => {
      const sent = route.request().postData() ?? "";
      await route.continue({
        postData: sent.replace(/"ids":\[[^\]]*\]/, `"ids":${JSON.stringify(ids)}`),
      });
    });
  await forge([id, foreign.id, "tsk_nothing"]);
  await box(page, "Own").check();
  await choose(page, "p", "High");
  const bar = page.getByRole("region", { name: "Selected tasks" });
  await expect(bar).toContainText("1 task: High. 2 tasks could not be changed.");
  expect((await api("GET", `/api/tasks/${foreign.id}`, { key })).body.priority).toBe("low");
  await page.unroute("/tasks");
  await forge(Array.from({ length: 101 }, () => id));
  await choose(page, "p", "Low");
  await expect(page.getByText(/at most 100/)).toBeVisible();
});

async function make(own: Own, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await own.create("tasks", { name })).id);
  return ids;
}

function box(page: Page, name: string) {
  return page.getByRole("checkbox", { name: `Select ${name}` });
}

/** Opens a choice with its key and takes the first that fits what is typed. */
async function choose(page: Page, key: string, words: string, first = words) {
  await page.keyboard.press(key);
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await page.keyboard.type(words);
  await expect(page.getByRole("option").first()).toContainText(first);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}
