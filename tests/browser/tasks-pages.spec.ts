import { insertTasks } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";

test("The palette and the keyboard alone create a task", async ({ page }) => {
  await page.goto("/tasks");
  await page.keyboard.press("Control+k");
  await expect(page.getByLabel("Page, ID or name")).toBeFocused();
  await page.keyboard.type("New task");
  await page.keyboard.press("Enter");
  await page.getByLabel("Name").focus();
  await page.keyboard.type("Newer");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tasks\/tsk_/);
  await expect(page.getByRole("article", { name: "Newer" })).toBeVisible();
});

test("A public task opens for anybody, without links to lists", async ({ visitor: page, api }) => {
  const { body } = await api("POST", "/api/tasks", { body: { name: "For all", labels: ["free"] } });
  await page.goto(`/tasks/${body.id}`);
  await expect(page.getByRole("heading", { name: "For all" })).toBeVisible();
  await expect(page.getByText("free", { exact: true })).toBeVisible();
  const links = await page
    .getByRole("article")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(links).toEqual([`/tasks/${body.id}?edit=1`, `/claim/${body.id}`]);
});

test("A list of thousands is counted, and loads more", async ({ page, db, organization }) => {
  await insertTasks(db, organization.id, 1234);
  await page.goto("/tasks");
  await expect(page.getByText("50 of 1,234")).toBeVisible();
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(page.getByText("100 of 1,234")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(101);
});

test("Without scripts list, filters and tasks can be read", async ({ openBrowser, own }) => {
  await own.create("tasks", { name: "Urgent one", priority: "high" });
  await own.create("tasks", { name: "Calm one" });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("link", { name: "high", exact: true }).click();
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.getByText("Calm one")).toHaveCount(0);
  await page.getByRole("link", { name: "Urgent one" }).click();
  await expect(page.getByRole("heading", { name: "Urgent one" })).toBeVisible();
});
