import { expect, test } from "../support/browser-fixtures";
import { openEvent } from "../support/pages";

test("Tabs work with arrows, Enter and Space; the URL has the tab", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, { body: { a: 1 } });
  const tabs = page.getByRole("tablist", { name: "Body as" });
  const tab = (name: string) => tabs.getByRole("tab", { name });
  const panel = page.getByRole("tabpanel");
  await expect(tab("pretty")).toHaveAttribute("aria-selected", "true");
  await expect(panel).toHaveAccessibleName("pretty");
  const id = String(await panel.getAttribute("id"));
  await expect(tab("pretty")).toHaveAttribute("aria-controls", id);
  await expect(tab("raw")).toHaveAttribute("tabindex", "-1");

  await tab("pretty").focus();
  await page.keyboard.press("ArrowRight");
  await expect(tab("raw")).toBeFocused();
  await expect(tab("pretty")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await expect(tab("hex")).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(tab("pretty")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]body=hex$/);
  await expect(panel).toHaveAccessibleName("hex");
  await expect(panel).toContainText("7b 22");
  await expect(tab("hex")).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/[?&]body=raw$/);
  await expect(tab("raw")).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(tab("hex")).toHaveAttribute("aria-selected", "true");
});

test("List and board are two tabs, and so are document and source", async ({ page, own }) => {
  await own.create("tasks", { name: "One" });
  const { id } = await own.create("artifacts", { name: "x", content: "# y" });
  await page.goto("/tasks");
  await page.getByRole("tab", { name: "Board" }).click();
  await expect(page).toHaveURL("/tasks?view=board");
  await expect(page.getByRole("tabpanel", { name: "Board" })).toContainText("One");
  await page.goto(`/artifacts/${id}`);
  await page.getByRole("tab", { name: "Source" }).click();
  await expect(page.getByRole("tabpanel", { name: "Source" })).toContainText("# y");
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Content")).toBeVisible();
  await expect(page.getByRole("tab", { selected: true })).toHaveCount(0);
  await page.getByRole("tab", { name: "Document" }).click();
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "y" })).toBeVisible();
});

test("Without scripts each tab is a link that Tab reaches", async ({ openBrowser, own }) => {
  const { id } = await own.create("artifacts", { name: "x", content: "# y" });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/artifacts/${id}`);
  await page.getByRole("tab", { name: "Document" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("tab", { name: "Source" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/artifacts/${id}?view=source`);
  await expect(page.getByRole("tabpanel")).toContainText("# y");
  await expect(page.getByRole("tab", { name: "Source" })).toHaveAttribute("aria-selected", "true");
});
