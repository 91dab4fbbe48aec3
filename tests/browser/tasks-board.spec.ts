import type { Locator, Page, Request } from "playwright/test";
import { insertTasks } from "../support/accounts";
import { expect, type Own, test } from "../support/browser-fixtures";
import { textOf, unescaped } from "../support/forms";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("A card can be dragged to another column, which shows the place", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "Card", labels: ["x"] });
  await page.goto("/tasks?view=board");
  const [todo, done] = [column(page, "To do"), column(page, "Done")];
  await todo.getByRole("listitem").hover();
  await page.mouse.down();
  // A browser tells where something is dragged with the second move over it.
  const dragOver = async (target: Locator) => {
    await target.hover();
    await target.hover();
  };
  await dragOver(done);
  await expect(done).toHaveCSS("outline-style", "dashed");
  await dragOver(todo);
  await expect(done).not.toHaveAttribute("data-over");
  await expect(todo).not.toHaveAttribute("data-over");
  await dragOver(done);
  await page.mouse.up();
  await expect(done.getByRole("link", { name: "Card" })).toBeVisible();
  await expect(done).not.toHaveAttribute("data-over");
  await expect.poll(async () => (await own.read(`tasks/${id}`)).labels).toEqual(["x", "done"]);
});

test("A moved card is in its place in the new column before the server answers, moves on from there, and comes back with the reason if it was not moved", async ({
  page,
  own,
}) => {
  for (const name of ["Oldest", "Card", "Newest"]) {
    await own.create("tasks", { name, labels: name === "Card" ? [] : ["done"] });
  }
  await page.goto("/tasks?view=board");
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route("**/tasks?view=board*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await refused;
    await route.abort();
  });
  const cardIn = (name: string) => column(page, name).getByRole("link", { name: "Card" });
  const done = column(page, "Done");
  await cardIn("To do").focus();
  for (const name of ["In progress", "Done"]) {
    await page.keyboard.press("ArrowRight");
    await expect(cardIn(name)).toBeFocused();
  }
  await expect(done.locator("[data-row]")).toHaveText(["Newest", "Card", "Oldest"]);
  await expect(done.getByRole("heading")).toHaveText(/3$/);
  await expect(column(page, "To do").getByText("No tasks")).toBeVisible();
  refuse();
  await expect(cardIn("To do")).toBeFocused();
  await expect(done.getByRole("heading")).toHaveText(/2$/);
  await expect(page.getByLabel("Notifications")).toContainText("The server did not respond.");
});

test("A card that comes back during a drag, because its last move was refused, goes where it is dropped", async ({
  page,
  own,
}) => {
  await own.create("tasks", { name: "Card" });
  await page.goto("/tasks?view=board");
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  let moves = 0;
  await page.route("**/tasks?view=board*", async (route) => {
    if (route.request().method() === "POST") moves += 1;
    if (route.request().method() !== "POST" || moves > 1) return route.continue();
    await refused;
    await route.abort();
  });
  const cardIn = (name: string) => column(page, name).getByRole("link", { name: "Card" });
  await cardIn("To do").focus();
  await page.keyboard.press("ArrowRight");
  await expect(cardIn("In progress")).toBeFocused();
  await column(page, "In progress").getByRole("listitem").hover();
  await page.mouse.down();
  for (let i = 0; i < 2; i += 1) await column(page, "Done").hover();
  refuse();
  await expect(cardIn("To do")).toBeVisible();
  await column(page, "Done").hover();
  await page.mouse.up();
  await expect(cardIn("Done")).toBeVisible();
  await expect.poll(() => moves).toBe(2);
});

test("The arrow keys and a button move a card through the columns, with announcements and kept focus, until it is no longer urgent", async ({
  page,
  own,
}) => {
  const { id } = await own.create("tasks", { name: "Card", labels: ["x"], priority: "critical" });
  await page.goto("/tasks?view=board");
  const urgent = page.getByRole("region", { name: "Board" }).locator(".bg-failed");
  await expect(urgent).toHaveCount(4);
  await column(page, "To do").getByRole("link", { name: "Card" }).focus();
  const steps = [
    ["ArrowRight", "In progress", ["x", "in-progress"]],
    ["ArrowLeft", "To do", ["x"]],
  ] as const;
  for (const [key_, name, labels] of steps) {
    await page.keyboard.press(key_);
    await expect(column(page, name).getByRole("link", { name: "Card" })).toBeFocused();
    await expect(
      page.getByRole("status").filter({ hasText: `Card moved to ${name}` }),
    ).toBeAttached();
    expect((await own.read(`tasks/${id}`)).labels).toEqual(labels);
  }
  const button = (name: string) => page.getByRole("button", { name: `Move Card to ${name}` });
  await button("In progress").click();
  await expect(button("Done")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(column(page, "Done").getByRole("link", { name: "Card" })).toBeFocused();
  await expect(urgent).toHaveCount(0);
});

test("A card is shown in its new column although the page was about to show another change", async ({
  page,
  own,
}) => {
  await own.create("tasks", { name: "Card" });
  await page.goto("/tasks?view=board");
  // Who has the focus on a card reads the board: others' changes wait.
  await page.keyboard.press("Tab");
  await column(page, "To do").getByRole("link", { name: "Card" }).focus();
  const release = await holdRefresh(page, own);
  const moved = page.waitForResponse((response) => response.request().method() === "POST");
  await page.keyboard.press("ArrowRight");
  await moved;
  release();
  const card = column(page, "In progress").getByRole("link", { name: "Card" });
  await expect(card).toBeFocused();
});

test("A long column says how much is shown, and loads more although the page was about to show another change", async ({
  page,
  db,
  organization,
  own,
}) => {
  await insertTasks(db, organization.id, 60);
  await page.goto("/tasks?view=board");
  const todo = column(page, "To do");
  await expect(todo.getByText("50 of 60")).toBeVisible();
  await expect(column(page, "Done").getByText("No tasks")).toBeVisible();
  const more = todo.getByRole("link", { name: "Load more" });
  await more.scrollIntoViewIfNeeded();
  const release = await holdRefresh(page, own);
  const read = page.waitForResponse(/shown=100/);
  await more.click();
  await read;
  release();
  await expect(todo.getByRole("listitem")).toHaveCount(61);
  await expect(page).toHaveURL("/tasks?view=board&shown=100");
  await expect(more).toHaveCount(0);
});

test("A column of thousands ends with a link to its list", async ({
  context,
  person: _person,
  db,
  organization,
}) => {
  await insertTasks(db, organization.id, 1234);
  // Read from the HTML: a browser takes seconds to draw so many cards.
  const read = async (path: string) => await (await context.request.get(path)).text();
  const board = await read("/tasks?view=board&shown=500");
  expect(textOf(board)).toContain("500 of 1,234");
  const list = /<a [^>]*href="([^"]+)"[^>]*>All (?:<!-- -->)?1,234/.exec(board)?.[1] ?? "";
  expect(textOf(await read(unescaped(list)))).toContain("500 of 1,234");
});

function column(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

/** Makes another task, and holds the refresh that would show it until the returned function is called. */
async function holdRefresh(page: Page, own: Own): Promise<() => void> {
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isRefresh = (request: Request) =>
    request.method() === "GET" && "rsc" in request.headers() && !request.url().includes("shown=");
  await page.route("**/tasks?view=board*", async (route) => {
    if (isRefresh(route.request())) await released;
    await route.continue();
  });
  const refresh = page.waitForRequest(isRefresh);
  await own.create("tasks", { name: "Another" });
  await refresh;
  return release;
}
