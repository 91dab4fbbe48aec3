import type { Page } from "playwright/test";
import { insertTasks } from "../support/accounts";
import { expect, test } from "../support/browser-fixtures";
import { stretchTimers } from "../support/timers";

/** How long they are shown. */
const TOAST_MS = 5000;

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("Toasts are announced, several at once, each once", async ({ page, context, endpoint }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await stretchTimers(page, TOAST_MS);
  await page.goto(`/webhooks/${endpoint.id}`);
  const region = page.getByRole("status").filter({ has: page.getByLabel("Notifications") });
  await page.getByRole("button", { name: "Copy URL" }).click();
  await expect(region).toHaveText("Copied");
  await expect(region).toHaveAttribute("aria-live", "polite");
  await expect(region.locator("[aria-live]")).toHaveCount(0);
  await page.getByRole("button", { name: "Send a test request" }).click();
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(toasts(page)).toHaveText(["Test request sent", "Copied"]);
  await page.getByRole("button", { name: "Copy URL" }).click();
  await expect(toasts(page)).toHaveCount(2);
});

test("A toast disappears after a while unless hovered, and Escape or its button closes it", async ({
  openBrowser,
  db,
  organization,
}) => {
  const page = await openBrowser({ permissions: ["clipboard-read", "clipboard-write"] });
  await insertTasks(db, organization.id, 1);
  await page.clock.install();
  // What a hovered one has left is less.
  await stretchTimers(page, TOAST_MS);
  await page.goto("/tasks");
  const copy = page.getByRole("button", { name: /^…/ });
  await copy.click();
  await expect(toasts(page)).toHaveText(["Copied"]);
  await toasts(page).hover();
  await page.clock.fastForward(60_000);
  await expect(toasts(page)).toHaveText(["Copied"]);
  await page.mouse.move(0, 0);
  await page.clock.fastForward(6000);
  await expect(toasts(page)).toHaveCount(0);
  await copy.click();
  await toasts(page).getByLabel("Close").click();
  await expect(toasts(page)).toHaveCount(0);
  await copy.click();
  await expect(toasts(page)).toHaveCount(1);
  await page.keyboard.press("F6");
  await page.keyboard.press("Tab");
  await expect(toasts(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(toasts(page)).toHaveCount(0);
});

test("The test form focuses its first field unless the focus has moved, closes on Escape and on a click outside, and restores the focus", async ({
  page,
  endpoint,
}) => {
  await endpoint.capture();
  await page.goto(`/webhooks/${endpoint.id}`);
  const button = page.getByRole("button", { name: "Send a test request" });
  const form = page.getByRole("dialog", { name: "Test request" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(form.getByLabel("Method")).toBeFocused();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await expect(button).toBeFocused();
  // Before the popover's event that it is open.
  await button.evaluate((one: HTMLElement) => {
    one.click();
    document.querySelector("textarea")?.focus();
  });
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await expect(form.getByLabel("Body")).toBeFocused();
  await page.getByRole("heading", { name: "Orders" }).click();
  await expect(form).toHaveCount(0);
  await button.click();
  await form.getByLabel("Body").fill("typed");
  await form.getByRole("button", { name: "Send request" }).click();
  await expect(form).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(page.locator("[data-row]").first()).toContainText("typed");
});

function toasts(page: Page) {
  return page.getByLabel("Notifications").getByRole("dialog");
}
