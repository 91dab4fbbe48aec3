import { expect, test } from "../support/browser-fixtures";

test("A public task opens for anybody, without links to lists", async ({ visitor: page, api }) => {
  const { body } = await api("POST", "/api/tasks", { body: { name: "For all", labels: ["free"] } });
  await page.goto(`/tasks/${body.id}`);
  await expect(page.getByRole("heading", { name: "For all" })).toBeVisible();
  await expect(page.getByText("free", { exact: true })).toBeVisible();
  const links = await page
    .getByRole("article")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  const here = `/tasks/${body.id}`;
  const parts = [here, `${here}?tab=notes`, `${here}?tab=history`];
  expect(links).toEqual([`${here}?edit=1`, ...parts, `/claim/${body.id}`]);
});

test("Without scripts list, filters and tasks can be read", async ({ openBrowser, own }) => {
  await own.create("tasks", { name: "Urgent one", priority: "high" });
  await own.create("tasks", { name: "Calm one" });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("link", { name: "High", exact: true }).click();
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.getByText("Calm one")).toHaveCount(0);
  await page.getByRole("link", { name: "Urgent one" }).click();
  await expect(page.getByRole("heading", { name: "Urgent one" })).toBeVisible();
});
