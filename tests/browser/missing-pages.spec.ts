import { expect, test } from "../support/browser-fixtures";

test("A missing page says so in one way everywhere, and leads on", async ({ page, person }) => {
  expect(person.email).toContain("@");
  for (const [path, title, onward] of [
    ["/nowhere", "There is no page here", "/docs"],
    ["/tasks/tsk_missing", "There is no such task", "/tasks"],
    ["/webhooks/wh_missing/events/wev_missing", "There is no such webhook endpoint", "/webhooks"],
    ["/a/no-such-link", "This link does not work", "/"],
  ] as const) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByText("404", { exact: true })).toBeVisible();
    await expect(page.locator(`a[href="${onward}"]`).first()).toBeVisible();
  }
  await page.goto("/inboxes/inbox_missing");
  await page.getByRole("button", { name: "Search by name or ID" }).click();
  await expect(page.getByRole("combobox", { name: "Page, ID or name" })).toBeFocused();
});

test("A missing page says so without scripts", async ({ openBrowser }) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  for (const [path, title] of [
    ["/nowhere", "There is no page here"],
    ["/tasks/tsk_missing", "There is no page here"],
    ["/artifacts/art_missing/versions/1", "There is no page here"],
    ["/notices/no-such-token", "There is no page here"],
    ["/a/no-such-link", "This link does not work"],
  ] as const) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveText(title);
    await expect(page.getByRole("link", { name: "Agent Infrastructure" }), path).toBeVisible();
  }
});
