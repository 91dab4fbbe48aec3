import { expect, test } from "../support/browser-fixtures";
import { holdPosts, openMenu, openUnhydrated } from "../support/pages";

test("A confirmation traps the focus, and restores it on Escape", async ({ page, endpoint }) => {
  await endpoint.capture();
  await page.goto(`/webhooks/${endpoint.id}`);
  await openMenu(page);
  const button = page.getByRole("button", { name: "Purge", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Remove all events?" });
  await expect(dialog.getByLabel("Type Orders to confirm")).toBeFocused();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press("Tab");
    await expect(dialog.locator(":focus")).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  // Pressed before the browser has announced that the dialog closed.
  await page.keyboard.press("Enter");
  await dialog.evaluate((element: HTMLDialogElement) => {
    element.close();
    document.querySelector<HTMLElement>(`[popovertarget="${element.id}"]`)?.click();
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(dialog.getByLabel("Type Orders to confirm")).toBeVisible();
});

test("A confirmation opened before scripts keeps input and focus", async ({ page, endpoint }) => {
  const hydrate = await openUnhydrated(page, `/webhooks/${endpoint.id}`);
  await openMenu(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const field = page.getByLabel("Type Orders to confirm");
  await field.pressSequentially("Ord");
  await hydrate(field);
  await expect(page.locator("dialog:modal")).toHaveCount(1);
  await page.keyboard.type("ers");
  await expect(field).toHaveValue("Orders");
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL("/webhooks");
});

test("A confirmation states the action and its effect, covers the page, and needs the name even when the browser's check is bypassed", async ({
  page,
  api,
  key,
  endpoint,
}) => {
  const event = await endpoint.capture();
  const status = async (path: string) => (await api("GET", path, { key })).status;
  await page.goto(`/webhooks/${endpoint.id}`);
  await openMenu(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete this endpoint?" });
  await expect(dialog).toHaveAccessibleDescription(/^Deletes the endpoint and its 1 event\./);
  const behind = await page.evaluate(() => document.elementFromPoint(5, 5)?.localName);
  expect(behind).toBe("dialog");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  const typed = dialog.getByLabel("Type Orders to confirm");
  await typed.fill("orders");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(dialog).toBeVisible();
  expect(await status(`/api/webhooks/${endpoint.id}`)).toBe(200);
  // The browser refuses it by itself; the server must, too.
  await typed.evaluate((field) => field.closest("form")?.setAttribute("novalidate", ""));
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page.getByText("Type Orders to confirm. Nothing was removed.")).toBeVisible();
  expect(await status(`/api/webhooks/${endpoint.id}`)).toBe(200);
  await typed.fill("Orders");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL("/webhooks");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("main")).not.toContainText("Orders");
  expect(await status(`/api/webhooks/${endpoint.id}`)).toBe(404);
  expect(await status(`/api/webhooks/${endpoint.id}/events/${event}`)).toBe(404);
});

test("A confirmed action is sent once, and cannot be closed", async ({ page, endpoint }) => {
  const event = await endpoint.capture();
  await page.goto(`/webhooks/${endpoint.id}/events/${event}`);
  await openMenu(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const { release, posts } = await holdPosts(page);
  const dialog = page.getByRole("alertdialog", { name: "Delete this event?" });
  const button = dialog.getByRole("button", { name: "Delete event" });
  await button.click();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.dispatchEvent("click");
  await button.press("Enter");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeVisible();
  release();
  await expect(dialog).toHaveCount(0);
  expect(posts).toHaveLength(1);
});

test("An event deleted beside the list disappears from the list", async ({ page, endpoint }) => {
  await endpoint.capture({ body: { order: "stays" } });
  await endpoint.capture({ body: { order: "goes" } });
  await page.goto(`/webhooks/${endpoint.id}`);
  await page.getByRole("link", { name: /goes/ }).click();
  const pane = page.getByRole("article", { name: "POST request" });
  await openMenu(pane);
  await pane.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete event" }).click();
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.locator("[data-row]")).toContainText("stays");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(page.getByText("1 of 1, keeps the newest")).toBeVisible();
});

test("Without scripts, too, a delete asks before it deletes anything", async ({
  openBrowser,
  api,
  key,
  endpoint,
}) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/webhooks/${endpoint.id}`);
  const dialog = page.getByRole("alertdialog", { name: "Delete this endpoint?" });
  await openMenu(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/webhooks/${endpoint.id}`);
  expect((await api("GET", `/api/webhooks/${endpoint.id}`, { key })).status).toBe(200);
  await openMenu(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByLabel("Type Orders to confirm").fill("Orders");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL("/webhooks");
  expect((await api("GET", `/api/webhooks/${endpoint.id}`, { key })).status).toBe(404);
});
