import { readFile } from "node:fs/promises";
import { expect, test } from "../support/browser-fixtures";
import { leaseClient } from "../support/leases";
import { openEvent } from "../support/pages";

test("A view is a link that keeps the focus; the URL has the view", async ({ page, endpoint }) => {
  await openEvent(page, endpoint, { body: { a: 1 } });
  const views = page.getByRole("navigation", { name: "Body as" });
  const view = (name: string) => views.getByRole("link", { name });
  await expect(view("pretty")).toHaveAttribute("aria-current", "page");
  await view("hex").press("Enter");
  await expect(page).toHaveURL(/[?&]body=hex$/);
  await expect(page.getByRole("region", { name: "Bytes" })).toContainText("7b 22");
  await expect(view("hex")).toBeFocused();
  await expect(view("hex")).toHaveAttribute("aria-current", "page");
  await page.goBack();
  await expect(view("pretty")).toHaveAttribute("aria-current", "page");
});

test("An event opens on its body, which can be downloaded, and its other parts need no scripts", async ({
  openBrowser,
  endpoint,
}) => {
  const id = await endpoint.capture({ body: { order: 7 }, headers: { "x-kind": "order" } });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/webhooks/${endpoint.id}/events/${id}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe('{"order":7}');
  for (const [part, shown] of [
    [/^Headers \d+$/, "x-kind"],
    ["Journey", "Nothing more will happen on its own"],
  ] as const) {
    const link = page.getByRole("link", { name: part });
    await link.click();
    await expect(page.getByRole("article")).toContainText(shown);
    await expect(link).toHaveAttribute("aria-current", "page");
  }
});

test("A task's history says what happened and by whom", async ({ page, api, key, person }) => {
  const { task, take } = leaseClient(api, key);
  const { id } = await task({ name: "Told" });
  await take(id, { holder: "planner-1" });
  await page.goto(`/tasks/${id}`);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Done" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name: "History" }).click();
  const steps = page.getByRole("article").getByRole("listitem");
  await expect(steps.nth(0)).toContainText(/^Created by /);
  await expect(steps.nth(1)).toContainText(/^Leased by /);
  await expect(steps.nth(2)).toContainText(`Moved to Done by ${person.email}`);
  await expect(steps.last()).toHaveText("Done");
});
