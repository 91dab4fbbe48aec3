import { kinds } from "@/lib/resources/kinds";
import { insertTasks } from "../support/accounts";
import { barriersOn } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";
import { everyPage } from "../support/pages";
import { makePerson } from "../support/people";
import { makeEndpoint } from "../support/webhooks";

test("No dialog, menu or popup has a serious accessibility barrier, light or dark", async ({
  page,
  mailingServer: { baseUrl },
  organization: { id, key },
  api,
  db,
}) => {
  const endpoint = await makeEndpoint(api, { key });
  await makePerson(db, id, "member");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${baseUrl}/keys?new=1`);
  await page.getByLabel("Name").fill("Shown once");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("link", { name: "Done" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Revoke" }).first().click();
  await expect(page.getByRole("button", { name: "Revoke key" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);

  await page.goto(`${baseUrl}/tasks?new=1`);
  const labels = page.getByRole("combobox", { name: "Labels" });
  await labels.fill("one,two");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText("Add “two”");
  await labels.press("ArrowDown");
  expect(await barriersOn(page)).toEqual([]);

  await page.goto(`${baseUrl}/settings`);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: "Remove member" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Test ${id}` }).click();
  await expect(page.getByRole("menuitemradio")).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);

  await page.goto(`${baseUrl}/webhooks/${endpoint.id}`);
  await page.getByRole("button", { name: "Send a test request" }).click();
  await expect(page.getByRole("dialog", { name: "Test request" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("dialog", { name: "Test request sent" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);

  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${baseUrl}/settings`);
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("link", { name: "Inboxes" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
});

test("A list of 10 000 rows is in the first HTML", async ({ page, db, organization: { id } }) => {
  await insertTasks(db, id, 10_000);
  const response = await page.request.get("/tasks");
  expect(await response.text()).toContain("Task 10000");
});

test("A list's row opens without reloading the page by a click or j, k and Enter, with Ctrl in a new tab", async ({
  page,
  api,
  key,
  own,
}) => {
  await everyPage(api, key);
  await own.create("tasks", { name: "Second" });
  for (const list of [...kinds.map(({ name }) => `/${name}`), "/dashboard"]) {
    await page.goto(list);
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    const rows = page.locator("[data-row]");
    await page.keyboard.press("j");
    await expect(rows.first()).toBeFocused();
    if ((await rows.count()) > 1) {
      await page.keyboard.press("j");
      await expect(rows.nth(1)).toBeFocused();
      await page.keyboard.press("k");
      await expect(rows.first()).toBeFocused();
    }
    const href = (await rows.first().getAttribute("href")) ?? "";
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(href);
    await page.goBack();
    await expect(page).toHaveURL(list);
    // The address changes before the page does, and a page of the list has rows too.
    await expect(rows.first()).toHaveAttribute("href", href);
    const opened = page.context().waitForEvent("page");
    await rows.first().click({ modifiers: ["ControlOrMeta"] });
    await (await opened).close();
    await expect(page).toHaveURL(list);
    await rows.first().click();
    await expect(page).toHaveURL(href);
    await expect(page.locator("body")).toHaveAttribute("data-same", "");
  }
});
