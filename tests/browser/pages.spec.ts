import { insertTasks } from "../support/accounts";
import { barriersOn } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";

test("No dialog, menu or popup has a serious accessibility barrier", async ({
  page,
  endpoint,
  organization: { id },
}) => {
  const barriers = () => barriersOn(page, { colours: false });
  await page.goto(`/webhooks/${endpoint.id}`);
  await page.getByRole("button", { name: "Send a test request" }).click();
  await expect(page.getByRole("dialog", { name: "Test request" })).toBeVisible();
  expect(await barriers()).toEqual([]);

  await page.goto("/tasks?new=1");
  const labels = page.getByRole("combobox", { name: "Labels" });
  await labels.fill("one,two");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText("Add “two”");
  await labels.press("ArrowDown");
  expect(await barriers()).toEqual([]);

  await page.goto("/keys");
  await page.getByRole("button", { name: "Revoke" }).first().click();
  await expect(page.getByRole("button", { name: "Revoke key" })).toBeVisible();
  expect(await barriers()).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Test ${id}` }).click();
  await expect(page.getByRole("menuitemradio")).toBeVisible();
  expect(await barriers()).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await barriers()).toEqual([]);
  await page.keyboard.press("Escape");

  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByRole("link", { name: "Inboxes" })).toBeVisible();
  expect(await barriers()).toEqual([]);
});

test("A list of 10 000 rows is in the first HTML", async ({
  context,
  person: _person,
  db,
  organization: { id },
}) => {
  await insertTasks(db, id, 10_000);
  const response = await context.request.get("/tasks");
  expect(await response.text()).toContain("Task 10000");
});

test("A list's row opens without reloading the page by a click or j, k and Enter, with Ctrl in a new tab", async ({
  page,
  own,
}) => {
  // The overview lists what is due.
  const due_at = Math.floor(Date.now() / 1000) + 3600;
  for (const name of ["First", "Second"]) await own.create("tasks", { name, due_at });
  await own.create("webhooks", { name: "Orders" });
  const rows = page.locator("[data-row]");
  const open = async (list: string) => {
    await page.goto(list);
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    await page.keyboard.press("j");
    await expect(rows.first()).toBeFocused();
    return (await rows.first().getAttribute("href")) ?? "";
  };
  const isOpen = async (href: string) => {
    await expect(page).toHaveURL(href);
    await expect(page.locator("body")).toHaveAttribute("data-same", "");
  };
  for (const list of ["/webhooks", "/dashboard"]) {
    const href = await open(list);
    await page.keyboard.press("Enter");
    await isOpen(href);
  }
  // What follows is the same code for every row.
  const href = await open("/tasks");
  await page.keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(rows.first()).toBeFocused();
  const opened = page.context().waitForEvent("page");
  await rows.first().click({ modifiers: ["ControlOrMeta"] });
  await (await opened).close();
  await expect(page).toHaveURL("/tasks");
  await rows.first().click();
  await isOpen(href);
});
