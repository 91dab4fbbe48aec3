import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";

/** Keys, and where the focus is after a navigation. */

/** Keys pressed before the scripts run are lost. */
const hydrated = (page: Page) => expect(page.getByText("Live", { exact: true })).toBeVisible();

test("The focus stays on the row that opens and closes, i leads into the pane, and a new item has it", async ({
  page,
  own,
}) => {
  for (const name of ["First", "Second", "Third"]) await own.create("tasks", { name });
  await page.goto("/tasks");
  await hydrated(page);
  const row = (name: string) => page.getByRole("row").getByRole("link", { name, exact: true });
  await row("Second").press("Enter");
  await expect(page.getByRole("article", { name: "Second" })).toBeVisible();
  await expect(row("Second")).toBeFocused();
  await page.keyboard.press("i");
  await expect(page.getByRole("heading", { name: "Second" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/tasks");
  await expect(row("Second")).toBeFocused();
  await page.keyboard.press("j");
  await expect(row("First")).toBeFocused();

  await page.keyboard.press("c");
  await page.getByLabel("Name").fill("Fourth");
  await page.getByRole("button", { name: "Create task" }).click();
  await expect(page.getByRole("heading", { name: "Fourth" })).toBeFocused();
});

test("After a deletion the focus is on the list's heading", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "Short-lived" });
  await page.goto(`/tasks/${id}`);
  await page.getByRole("article").getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete task" }).click();
  await expect(page).toHaveURL("/tasks");
  await expect(page.getByRole("heading", { name: "Tasks", exact: true })).toBeFocused();
});

test("A move on the board can be undone by a key, which keeps the focus on the card, and by a button", async ({
  page,
  own,
}) => {
  const { id } = await own.create("tasks", { name: "Card" });
  const labels = async () => (await own.read(`tasks/${id}`)).labels;
  await page.goto("/tasks?view=board");
  await hydrated(page);
  const card = page.getByRole("link", { name: "Card", exact: true });
  const column = (name: string) =>
    page.getByRole("region", { name }).getByRole("link", { name: "Card", exact: true });
  await card.press("ArrowRight");
  await expect(column("In progress")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(column("To do")).toBeVisible();
  await expect(column("To do")).toBeFocused();
  await expect.poll(labels).toEqual([]);
  await page.getByRole("button", { name: "Move Card to In progress" }).click();
  const bar = page.getByRole("region", { name: "Selected tasks" });
  await expect(bar).toContainText("Card moved to In progress");
  await bar.getByRole("button", { name: "Undo" }).click();
  await expect.poll(labels).toEqual([]);
});

test("e edits on a page with a menu too, and Escape first closes the menu", async ({
  page,
  own,
}) => {
  const message = await own.create("messages", {
    url: "https://example.com/",
    delay_seconds: 3600,
  });
  await page.goto(`/messages/${message.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("link", { name: "Edit" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Edit" })).toBeHidden();
  await expect(page).toHaveURL(`/messages/${message.id}`);
  await page.keyboard.press("e");
  await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
});

test("The palette has recent pages, actions, and what begins with the words first", async ({
  page,
  own,
}) => {
  const { id } = await own.create("webhooks", { name: "Payments" });
  await own.create("tasks", { name: "Look at the payments" });
  await page.goto(`/webhooks/${id}`);
  await page.waitForFunction(() => sessionStorage.getItem("recent")?.includes("Payments"));
  await page.keyboard.press("Control+k");
  await expect(page.getByLabel("Page, ID or name")).toBeFocused();
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
  await expect(recent.first()).toHaveText("Payments");
  await page.keyboard.type("payments");
  const found = page.getByRole("group", { name: "Found" }).getByRole("option");
  await expect(found).toHaveText(["Look at the payments"]);
  await page.getByLabel("Page, ID or name").fill("New ta");
  await expect(page.getByRole("group", { name: "Actions" }).getByRole("option")).toHaveText([
    "New task",
  ]);
});
