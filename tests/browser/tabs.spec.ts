import { readFile } from "node:fs/promises";
import { expect, test } from "../support/browser-fixtures";
import { leaseClient } from "../support/leases";
import { openEvent } from "../support/pages";

test("Tabs work with arrows, Enter and Space; the URL has the tab", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, { body: { a: 1 } });
  const tabs = page.getByRole("tablist", { name: "Body as" });
  const tab = (name: string) => tabs.getByRole("tab", { name });
  const panel = page.getByRole("tabpanel").last(); // within that of the event's part
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

test("An event opens on its body, which can be downloaded, and its other parts are tabs that need no scripts", async ({
  openBrowser,
  endpoint,
}) => {
  const id = await endpoint.capture({ body: { order: 7 }, headers: { "x-kind": "order" } });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/webhooks/${endpoint.id}/events/${id}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe('{"order":7}');
  for (const [tab, shown] of [
    [/^Headers \d+$/, "x-kind"],
    ["Journey", "Nothing more will happen on its own"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel")).toContainText(shown);
    await expect(page.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
  }
});

test("A task's history says what happened and by whom", async ({ page, api, key, person }) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task({ name: "Told" });
  await take(id, { holder: "planner-1" });
  await page.goto(`/tasks/${id}`);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Done" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("tab", { name: "History" }).click();
  const steps = page.getByRole("tabpanel").getByRole("listitem");
  await expect(steps.nth(0)).toContainText(/^Created by /);
  await expect(steps.nth(1)).toContainText(/^Leased by /);
  await expect(steps.nth(2)).toContainText(`Moved to Done by ${person.email}`);
  await expect(steps.last()).toHaveText("Done");
});
