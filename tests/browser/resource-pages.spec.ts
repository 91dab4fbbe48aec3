import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { killEvents } from "../support/inboxes";
import { openMenu, selectText, show } from "../support/pages";

/** What the pages of several kinds of resource guarantee. One test opens them all in one browser. */

/** The pages that receive something, and where it arrives. */
const RECEIVING = [
  { kind: "webhooks", path: (id: string) => `/api/catch/${id}`, what: "request" },
  { kind: "inboxes", path: (id: string) => `/api/inboxes/${id}/events`, what: "event" },
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

test("A test request or event without JSON is sent as text", async ({ page, api, key, own }) => {
  for (const { kind, what } of RECEIVING) {
    const { id } = await own.create(kind, { name: "Test" });
    await page.goto(`/${kind}/${id}`);
    for (const body of ["hello", '{"order": 1}']) {
      await page.getByRole("button", { name: `Send a test ${what}` }).click();
      await page.getByLabel("Body", { exact: true }).fill(body);
      await page.getByRole("button", { name: `Send ${what}` }).click();
      await expect(page.locator("[data-row]").filter({ hasText: body })).toBeVisible();
      // The row may come before the response, which closes the dialog.
      await expect(page.getByRole("dialog", { name: `Test ${what}`, exact: true })).toBeHidden();
    }
    const events = (await api("GET", `/api/${kind}/${id}/events`, { key })).text;
    for (const type of ["application/json", "text/plain; charset=utf-8"]) {
      expect(events).toContain(`"${type}"`);
    }
  }
});

test("A purge needs the name of what it empties, even when the browser's check is bypassed", async ({
  page,
  api,
  own,
}) => {
  for (const { kind, path } of RECEIVING) {
    const { id } = await own.create(kind, { name: "Orders" });
    for (const body of [{}, {}]) await api("POST", path(id), { body });
    const count = async () => (await own.read(`${kind}/${id}`)).event_count;
    await page.goto(`/${kind}/${id}`);
    await openMenu(page);
    await page.getByRole("button", { name: "Purge", exact: true }).click();
    const dialog = page.getByRole("alertdialog", { name: "Remove all events?" });
    const word = dialog.getByLabel("Type Orders to confirm");
    await word.fill("Order");
    await dialog.getByRole("button", { name: "Purge 2 events" }).click();
    await expect(word).toBeFocused();
    await word.evaluate((input) => input.removeAttribute("pattern"));
    await dialog.getByRole("button", { name: "Purge 2 events" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Nothing was removed");
    expect(await count()).toBe(2);
    await word.fill("Orders");
    await dialog.getByRole("button", { name: "Purge 2 events" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.locator("[data-row]")).toHaveCount(0);
    expect(await count()).toBe(0);
  }
});

test("Lists of messages and inboxes update rows live, and new rows wait behind a pill while text is selected", async ({
  page,
  api,
  db,
  key,
  own,
}) => {
  const make = async (kind: string, body: object) => (await own.create(kind, body)).id;
  const message = (name: string) => ({ url: `https://example.com/${name}`, delay_seconds: 3600 });
  const first = await make("messages", message("first"));
  await expectLive(page, "messages", {
    rows: [/first/, /second/],
    before: "scheduled",
    add: () => make("messages", message("second")),
    changes: [["canceled", () => api("POST", `/api/messages/${first}/cancel`, { key })]],
  });
  const inbox = await make("inboxes", { name: "Jobs" });
  await expectLive(page, "inboxes", {
    rows: [/Jobs/, /Mails/],
    before: "0 of 1,000",
    add: () => make("inboxes", { name: "Mails" }),
    changes: [
      ["1 of 1,000", () => api("POST", `/api/inboxes/${inbox}/events`, { body: { job: 1 } })],
      ["1 dead", () => killEvents(db, inbox)],
    ],
  });
});

test("A hidden list does not poll", async ({ openBrowser, api, key }) => {
  const page = await openBrowser();
  await api("POST", "/api/inboxes", { key, body: { name: "Jobs" } });
  await page.clock.install();
  let asked = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/live")) asked += 1;
  });
  for (const path of ["/messages", "/inboxes"]) {
    asked = 0;
    await page.goto(path);
    await page.clock.runFor(30_000);
    await expect.poll(() => asked).toBeGreaterThan(0);
    await show(page, "hidden");
    // What was under way when it was hidden.
    await page.clock.runFor(30_000);
    asked = 0;
    await page.clock.runFor(120_000);
    expect(asked, path).toBe(0);
  }
});

interface Live {
  rows: [old: RegExp, added: RegExp];
  /** What the old row says at first. */
  before: string;
  add: () => Promise<unknown>;
  /** What it says after each change. */
  changes: [after: string, change: () => Promise<unknown>][];
}

async function expectLive(page: Page, kind: string, { rows, before, add, changes }: Live) {
  const [old, added] = rows;
  await page.goto(`/${kind}`);
  const shown = page.locator("[data-row]");
  const row = page.getByRole("row").filter({ hasText: old });
  await expect(row).toContainText(before);
  await selectText(page);
  await add();
  const pill = page.getByRole("button", { name: "1 new" });
  await expect(pill).toBeVisible();
  for (const [after, change] of changes) {
    await change();
    await expect(row).toContainText(after);
  }
  await expect(shown).toHaveText([old]);
  await pill.click();
  await expect(shown).toHaveText([added, old]);
}
