import { expect, test } from "../support/browser-fixtures";
import { openMenu, selectText } from "../support/pages";

/** What the pages of several kinds of resource guarantee. */

/** The pages that receive something, where it arrives, and the button that removes two events. */
const RECEIVING = [
  { kind: "webhooks", path: (id: string) => `/api/catch/${id}`, purge: "Purge all events" },
  { kind: "inboxes", path: (id: string) => `/api/inboxes/${id}/events`, purge: "Purge 2 events" },
];

test("What arrives during an edit does not conflict with it", async ({ page, api, own }) => {
  for (const { kind, path } of RECEIVING) {
    const { id } = await own.create(kind, { name: "Before" });
    await page.goto(`/${kind}/${id}?edit=1`);
    await page.getByLabel("Name", { exact: true }).fill("Mine");
    await api("POST", path(id), { body: {} });
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Mine" })).toBeVisible();
    expect((await own.read(`${kind}/${id}`)).name).toBe("Mine");
  }
});

test("The list beside a form keeps its filter", async ({ page, api, own }) => {
  for (const { kind, path } of RECEIVING) {
    const { id } = await own.create(kind, { name: "Orders" });
    for (const note of ["one", "two"]) await api("POST", path(id), { body: { note } });
    const filtered = `/${kind}/${id}?q=two`;
    await page.goto(filtered);
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await expect(page.getByLabel("Name", { exact: true })).toBeVisible();
    await expect(page.locator("[data-row]")).toHaveCount(1);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page).toHaveURL(filtered);
  }
});

test("A test event without JSON is sent as text", async ({ page, inbox }) => {
  await page.goto(`/inboxes/${inbox.id}`);
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByLabel("Body", { exact: true }).fill("hello");
  await page.getByRole("button", { name: "Send event" }).click();
  await expect(page.locator("[data-row]").filter({ hasText: "hello" })).toBeVisible();
  expect(JSON.stringify(await inbox.events())).toContain('"text/plain; charset=utf-8"');
});

test("A purge needs the name of what it empties, even when the browser's check is bypassed", async ({
  page,
  api,
  own,
}) => {
  for (const { kind, path, purge: label } of RECEIVING) {
    const { id } = await own.create(kind, { name: "Orders" });
    for (const body of [{}, {}]) await api("POST", path(id), { body });
    const count = async () => (await own.read(`${kind}/${id}`)).event_count;
    await page.goto(`/${kind}/${id}`);
    await openMenu(page);
    await page.getByRole("button", { name: "Purge", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Remove all events?" });
    const word = dialog.getByLabel("Type Orders to confirm");
    const purge = dialog.getByRole("button", { name: label, exact: true });
    await word.fill("Order");
    await word.evaluate((input) => input.removeAttribute("pattern"));
    await purge.click();
    await expect(dialog.getByRole("alert")).toContainText("Nothing was removed");
    expect(await count()).toBe(2);
    await word.fill("Orders");
    await purge.click();
    await expect(dialog).toBeHidden();
    await expect(page.locator("[data-row]")).toHaveCount(0);
    expect(await count()).toBe(0);
  }
});

test("The list of messages updates its rows live, and new rows wait behind a pill while text is selected", async ({
  page,
  api,
  key,
  own,
}) => {
  const send = (name: string) =>
    own.create("messages", { url: `https://example.com/${name}`, delay_seconds: 3600 });
  const { id } = await send("first");
  await page.goto("/messages");
  const shown = page.locator("[data-row]");
  const row = page.getByRole("row").filter({ hasText: "first" });
  await expect(row).toContainText("scheduled");
  await selectText(page);
  await send("second");
  const pill = page.getByRole("button", { name: "1 new" });
  await expect(pill).toBeVisible();
  await api("POST", `/api/messages/${id}/cancel`, { key });
  await expect(row).toContainText("canceled");
  await expect(shown).toHaveText([/first/]);
  await pill.click();
  await expect(shown).toHaveText([/second/, /first/]);
});
