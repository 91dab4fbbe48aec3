import { expect, test } from "../support/browser-fixtures";

test("The keys c, / and Escape work on lists, and ? shows them", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "One" });
  await page.goto("/dashboard");
  for (const path of ["/webhooks", "/schedules"]) {
    await page.locator(`nav a[href="${path}"]`).first().click();
    await expect(page).toHaveURL(path);
    await expect(page.locator("main").getByRole("link", { name: /^New / }).first()).toBeVisible();
    await page.keyboard.press("c");
    await expect(page, path).toHaveURL(`${path}?new=1`);
  }
  await page.goto(`/tasks/${id}`);
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search tasks")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`/tasks/${id}`);
  await page.getByLabel("Search tasks").blur();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/tasks");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet.getByText("Ctrl", { exact: true }).first()).toBeVisible();
  await page.keyboard.press("c");
  await expect(page).toHaveURL("/tasks");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await page.goto("/settings");
  await page.keyboard.press("/");
  await expect(page.getByLabel("Page, ID or name")).toBeFocused();
});

test("Escape in a field closes the form, and asks first if that would lose input", async ({
  page,
}) => {
  await page.goto("/tasks?new=1");
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toBeFocused();
  await name.fill("Kept");
  const asked = page.waitForEvent("dialog").then((dialog) => dialog.dismiss());
  await name.press("Escape");
  await asked;
  await expect(name).toHaveValue("Kept");
  await page.goto("/webhooks?new=1");
  await expect(name).toBeFocused();
  await name.press("Escape");
  await expect(page).toHaveURL("/webhooks");
});

test("Keys typed into a field or the palette trigger no shortcut", async ({ page }) => {
  await page.goto("/tasks?new=1");
  const name = page.getByLabel("Name", { exact: true });
  await name.focus();
  await page.keyboard.type("c/?xspljke");
  await expect(name).toHaveValue("c/?xspljke");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+k");
  const words = page.getByRole("combobox", { name: "Page, ID or name" });
  await expect(words).toBeFocused();
  await page.keyboard.type("jk");
  await expect(words).toHaveValue("jk");
});
