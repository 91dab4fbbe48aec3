import { expect, HOSTILE, test } from "../support/browser-fixtures";
import { killEvents, makeInbox } from "../support/inboxes";
import { openMenu, selectText } from "../support/pages";

test("The replies of an inbox are listed, and each opens", async ({ page, api, key, inbox }) => {
  await inbox.ingest({ raw: "6 * 7" });
  const event = await inbox.receiveOne();
  await page.goto(`/inboxes/${inbox.id}`);
  await api("POST", `${inbox.path}/events/${event.id}/reply`, {
    key,
    query: { lease_id: event.lease_id },
    body: { answer: 42, note: HOSTILE },
  });
  await expect(page.getByRole("heading", { name: "Replies, 1 kept" })).toBeVisible();
  await page.getByRole("link", { name: event.id }).click();
  const reply = page.getByRole("article", { name: "Reply" });
  await expect(reply).toContainText("answer");
  const download = page.waitForEvent("download");
  await reply.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("inbox-reply.bin");
  await expect(page).not.toHaveTitle("taken");
});

test("A dead event can be found by its state and redriven", async ({ page, db, inbox }) => {
  const { id } = await inbox.ingest();
  await killEvents(db, inbox.id);
  const state = async () => (await inbox.event(id)).state;
  expect(await state()).toBe("dead");
  await page.goto(`/inboxes/${inbox.id}?status=ready`);
  await expect(page.getByText("No matching events.")).toBeVisible();
  await page.getByRole("link", { name: "dead 1" }).click();
  await page.locator("[data-row]").click();
  await page.getByRole("link", { name: "Journey" }).click();
  await page.getByText("Last error").click();
  await expect(page.getByText("It broke")).toBeVisible();
  await page.getByRole("button", { name: "Redrive", exact: true }).click();
  await expect.poll(state).toBe("ready");
  await expect(page.getByRole("button", { name: /Redrive/ })).toHaveCount(0);

  // It stays on the same page, so nothing else moves the focus.
  await killEvents(db, inbox.id);
  await page.goto(`/inboxes/${inbox.id}?event=${id}`);
  await page.getByRole("button", { name: "Redrive", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Event", exact: true })).toBeFocused();
});

test("All dead events that fit can be redriven at once", async ({ page, api, db, key, own }) => {
  const inbox = await makeInbox(api, { max_events: 3 }, key);
  for (const dedup_id of ["same", "same", "other", "last"]) {
    await inbox.ingest({ query: { dedup_id } });
    await killEvents(db, inbox.id);
  }
  const counts = async () => {
    const { ready, dead } = await inbox.stats();
    return { ready, dead };
  };
  expect(await counts()).toEqual({ ready: 0, dead: 4 });
  await page.goto(`/inboxes/${inbox.id}`);
  await openMenu(page, "List actions");
  await page.getByRole("button", { name: "Redrive all 4 dead" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toHaveAccessibleName("Redrive 4 dead events?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await counts()).toEqual({ ready: 0, dead: 4 });
  await page.getByRole("button", { name: "Redrive all 4 dead" }).click();
  await dialog.getByRole("button", { name: "Redrive 4 dead events" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/This inbox is full/);
  expect(await counts()).toEqual({ ready: 3, dead: 1 });
  expect(await inbox.eventCount()).toBe(3);
  await own.update(`inboxes/${inbox.id}`, { max_events: 4 });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Redrive the dead event" }).click();
  await dialog.getByRole("button", { name: "Redrive 1 dead event" }).click();
  await expect(page.getByRole("button", { name: /Redrive/ })).toHaveCount(0);
  expect(await counts()).toEqual({ ready: 4, dead: 0 });
});

test("Name and figures update live, and rows wait while text is selected", async ({
  page,
  inbox,
  own,
}) => {
  await page.goto(`/inboxes/${inbox.id}`);
  await expect(page.getByText("No events waiting")).toBeVisible();
  await own.update(`inboxes/${inbox.id}`, { name: "Renamed" });
  await expect(page.getByRole("heading", { name: "Renamed" })).toBeVisible();
  await inbox.ingest({ raw: "first" });
  const rows = page.locator("[data-row]");
  await expect(rows).toHaveText([/first/]);

  await selectText(page);
  await inbox.ingest({ raw: "second" });
  await expect(page.getByText("2 of 1,000")).toBeVisible();
  await expect(page.getByRole("link", { name: "ready 2" })).toBeVisible();
  await expect(rows).toHaveText([/first/]);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(rows).toHaveText([/first/, /second/]);

  await selectText(page);
  const taken = await inbox.receiveOne();
  await expect(page.getByText("leased", { exact: true })).toBeVisible();
  await inbox.ack(taken);
  await expect(page.getByRole("button", { name: "1 gone" })).toBeVisible();
  await expect(rows).toHaveText([/first/, /second/]);
  await rows.first().click();
  await expect(page.getByRole("heading", { name: "This event is gone" })).toBeVisible();
  await expect(rows).toHaveText([/second/]);
});
