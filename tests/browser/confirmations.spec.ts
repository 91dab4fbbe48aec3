import { expect, test } from "../support/browser-fixtures";
import { capture, makeEndpoint } from "../support/webhooks";

test("A confirmation keeps the focus, closes on Escape and gives the focus back", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api, { key, name: "Orders" });
  await capture(api, id);
  await page.goto(`${baseUrl}/webhooks/${id}`);
  const button = page.getByRole("button", { name: "Purge", exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Remove all events?" });
  await expect(dialog.getByLabel("Type Orders to confirm")).toBeFocused();
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const { activeElement, body } = document;
      return activeElement !== body && !activeElement?.closest("dialog");
    });
    expect(outside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test("A confirmation opens and works before any script", async ({
  browser,
  api,
  person,
  organization: { key },
  signInAs,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const event = await capture(api, id);
  const context = await browser.newContext({ javaScriptEnabled: false });
  await signInAs(context, person);
  const page = await context.newPage();
  await page.goto(`${baseUrl}/webhooks/${id}/events/${event}`);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this event?" });
  await dialog.getByRole("button", { name: "Delete event" }).click();
  await expect(page).toHaveURL(`${baseUrl}/webhooks/${id}`);
  const read = await api("GET", `/api/webhooks/${id}/events/${event}`, { key });
  expect(read.status).toBe(404);
  await context.close();
});

test("An event that is deleted beside the list leaves the list", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api, { key });
  await capture(api, id, { body: { order: "stays" } });
  await capture(api, id, { body: { order: "goes" } });
  await page.goto(`${baseUrl}/webhooks/${id}`);
  await page.getByRole("link", { name: /goes/ }).click();
  const pane = page.getByRole("article", { name: "POST request" });
  await pane.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete event" }).click();
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await expect(page.locator("[data-row]")).toContainText("stays");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByText("1 of 1, the newest")).toBeVisible();
});
