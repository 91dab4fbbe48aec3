import { expect, test } from "../support/browser-fixtures";
import { holdPosts, openMenu, openUnhydrated } from "../support/pages";

test("A confirmation traps the focus, and restores it on Escape", async ({ page, endpoint }) => {
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

test("A confirmation states its effect, covers the page, and one opened before scripts keeps input and focus", async ({
  page,
  endpoint,
}) => {
  await endpoint.capture();
  const hydrate = await openUnhydrated(page, `/webhooks/${endpoint.id}`);
  await openMenu(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const field = page.getByRole("textbox", { name: "Type Orders to confirm" });
  await field.pressSequentially("Ord");
  await hydrate(field);
  await expect(page.locator("dialog:modal")).toHaveCount(1);
  const dialog = page.getByRole("alertdialog", { name: "Delete this endpoint?" });
  await expect(dialog).toHaveAccessibleDescription(
    /^Deletes the endpoint and all its events \(1 event when/,
  );
  const behind = await page.evaluate(() => document.elementFromPoint(5, 5)?.localName);
  expect(behind).toBe("dialog");
  await page.keyboard.type("ers");
  await expect(field).toHaveValue("Orders");
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL("/webhooks");
});

test("A confirmed action is sent once, and cannot be closed", async ({ page, endpoint }) => {
  await endpoint.capture({ body: { order: "stays" } });
  const event = await endpoint.capture();
  await page.goto(`/webhooks/${endpoint.id}/events/${event}?method=POST`);
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
  await expect(page).toHaveURL(`/webhooks/${endpoint.id}?method=POST`);
  await expect(page.locator("[data-row]")).toHaveText([/stays/]);
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
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.getByLabel("Type Orders to confirm").fill("Orders");
  await dialog.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL("/webhooks");
  expect((await api("GET", `/api/webhooks/${endpoint.id}`, { key })).status).toBe(404);
});

test("A confirmation that was refused without scripts shows why, and opens once they load", async ({
  page,
  openBrowser,
  api,
  key,
  endpoint,
}) => {
  const plain = await openBrowser({ javaScriptEnabled: false });
  const path = `/webhooks/${endpoint.id}`;
  await page.route("**/*.js*", (route) => route.abort());
  for (const one of [plain, page]) await one.goto(path, { waitUntil: "commit" });
  for (const one of [plain, page]) {
    await openMenu(one);
    await one.getByRole("button", { name: "Delete", exact: true }).click();
    await one.getByRole("textbox", { name: "Type Orders to confirm" }).fill(" Orders ");
  }
  const body = { name: "Refunds" };
  expect((await api("PATCH", `/api/webhooks/${endpoint.id}`, { key, body })).status).toBe(200);
  await page.unrouteAll();
  for (const one of [plain, page]) {
    await one.getByRole("button", { name: "Delete endpoint" }).click();
    await expect(one.getByText("Type Refunds to confirm. Nothing was removed.")).toBeVisible();
  }
  await expect(plain.getByRole("button", { name: "Cancel" })).toHaveCount(0);
  await expect(page.locator("dialog:modal")).toHaveCount(1);
  await page.getByRole("textbox", { name: "Type Refunds to confirm" }).fill(" Refunds ");
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(page).toHaveURL("/webhooks");
});
