import { expect, test } from "../support/browser-fixtures";
import { inboxClient, killEvents, whileLocked } from "../support/inboxes";
import { selectText } from "../support/pages";

const HOSTILE = `"><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">`;

test("The replies of an inbox are listed, and each opens", async ({ page, api, key }) => {
  const { id } = (await api("POST", "/api/inboxes", { key, body: { name: "Questions" } })).body;
  const inbox = inboxClient(api, id, key);
  await inbox.ingest({ raw: "6 * 7" });
  const event = await inbox.receiveOne();
  await page.goto(`/inboxes/${id}`);
  await api("POST", `${inbox.path}/events/${event.id}/reply`, {
    key,
    query: { lease_id: event.lease_id },
    body: { answer: 42, note: HOSTILE },
  });
  await expect(page.getByRole("heading", { name: "Replies, 1 kept" })).toBeVisible();
  await page.getByRole("link", { name: event.id }).click();
  const reply = page.getByRole("article", { name: "Reply" });
  await expect(reply).toContainText("answer");
  await expect(reply).toContainText("application/json");
  const download = page.waitForEvent("download");
  await reply.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("inbox-reply.bin");
  await expect(page).not.toHaveTitle("taken");
});

test("A dead event can be found by its state and redriven", async ({ page, api, db, key }) => {
  const inbox = (await api("POST", "/api/inboxes", { key, body: { name: "Jobs" } })).body;
  const events = `/api/inboxes/${inbox.id}/events`;
  const event = (await api("POST", events, { body: { job: "stuck" } })).body;
  await killEvents(db, inbox.id);
  const state = async () => (await api("GET", `${events}/${event.id}`, { key })).body.state;
  expect(await state()).toBe("dead");
  await page.goto(`/inboxes/${inbox.id}`);
  await page.getByRole("link", { name: "dead 1" }).click();
  await page.locator("[data-row]").click();
  await expect(page.getByText("It broke")).toBeVisible();
  await page.getByRole("button", { name: "Redrive", exact: true }).click();
  await expect.poll(state).toBe("ready");
  await expect(page.getByRole("button", { name: /Redrive/ })).toHaveCount(0);
});

test("All dead events that fit can be redriven at once", async ({ page, api, db, key }) => {
  const inbox = (await api("POST", "/api/inboxes", { key, body: { name: "Jobs", max_events: 3 } }))
    .body;
  const path = `/api/inboxes/${inbox.id}`;
  for (const dedup_id of ["same", "same", "other", "last"]) {
    await api("POST", `${path}/events`, { body: "{}", query: { dedup_id } });
    await killEvents(db, inbox.id);
  }
  const counts = async () => {
    const { ready, dead } = await inboxClient(api, inbox.id, key).stats();
    return { ready, dead };
  };
  expect(await counts()).toEqual({ ready: 0, dead: 4 });
  await page.goto(`/inboxes/${inbox.id}`);
  await page.getByRole("button", { name: "Redrive all 4 dead" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toHaveAccessibleName("Redrive 4 dead events?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await counts()).toEqual({ ready: 0, dead: 4 });
  await page.getByRole("button", { name: "Redrive all 4 dead" }).click();
  await dialog.getByRole("button", { name: "Redrive 4 dead events" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/This inbox is full/);
  expect(await counts()).toEqual({ ready: 3, dead: 1 });
  expect((await api("GET", path, { key })).body.event_count).toBe(3);
  await api("PATCH", path, { key, body: { max_events: 4 } });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Redrive the dead event" }).click();
  await dialog.getByRole("button", { name: "Redrive 1 dead event" }).click();
  await expect(page.getByRole("button", { name: /Redrive/ })).toHaveCount(0);
  expect(await counts()).toEqual({ ready: 4, dead: 0 });
});

test("Figures update live, and changed rows wait behind a pill while text is selected", async ({
  page,
  api,
  key,
}) => {
  const inbox = (await api("POST", "/api/inboxes", { key, body: { name: "Jobs" } })).body;
  const events = `/api/inboxes/${inbox.id}/events`;
  await page.goto(`/inboxes/${inbox.id}`);
  await expect(page.getByText("No events waiting")).toBeVisible();
  await api("POST", events, { body: { job: "first" } });
  const rows = page.locator("[data-row]");
  await expect(rows).toHaveText([/first/]);

  await selectText(page);
  await api("POST", events, { body: { job: "second" } });
  await expect(page.getByText("2 of 1,000")).toBeVisible();
  await expect(page.getByRole("link", { name: "ready 2" })).toBeVisible();
  await expect(rows).toHaveText([/first/]);
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(rows).toHaveText([/first/, /second/]);

  await selectText(page);
  const worker = inboxClient(api, inbox.id, key);
  const taken = await worker.receiveOne();
  await expect(page.getByText("leased", { exact: true })).toBeVisible();
  await worker.ack(taken);
  await expect(page.getByRole("button", { name: "1 gone" })).toBeVisible();
  await expect(rows).toHaveText([/first/, /second/]);
  await rows.first().click();
  await expect(page.getByRole("heading", { name: "This event is gone" })).toBeVisible();
  await expect(rows).toHaveText([/second/]);
});

test("A redrive of another organization's inbox is refused without waiting for a lock", async ({
  page,
  api,
  db,
  key,
  otherOrganization,
}) => {
  const make = async (owner: string) =>
    (await api("POST", "/api/inboxes", { key: owner, body: { name: "Jobs" } })).body;
  const [own, foreign] = [await make(key), await make(otherOrganization.key)];
  for (const { id } of [own, foreign]) {
    await api("POST", `/api/inboxes/${id}/events`, { body: { job: 1 } });
    await killEvents(db, id);
  }
  await page.goto(`/inboxes/${own.id}`);
  await page.getByRole("button", { name: "Redrive the dead event" }).click();
  const button = page.getByRole("button", { name: "Redrive 1 dead event" });
  await button.evaluate((node, id) => {
    const field = node.closest("form")?.elements.namedItem("id");
    if (field instanceof HTMLInputElement) field.value = id;
  }, foreign.id);
  await whileLocked(db, foreign.id, async () => {
    await button.click();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(
      /belongs to another organization/,
    );
  });
  expect((await inboxClient(api, foreign.id, otherOrganization.key).stats()).dead).toBe(1);
});

test("Opening an event does not take it from workers", async ({ page, api, key }) => {
  const inbox = (await api("POST", "/api/inboxes", { key, body: { name: "Jobs" } })).body;
  const events = `/api/inboxes/${inbox.id}/events`;
  const event = (await api("POST", events, { body: { job: "look" } })).body;
  await page.goto(`/inboxes/${inbox.id}/events/${event.id}`);
  await expect(page).toHaveURL(`/inboxes/${inbox.id}?event=${event.id}`);
  await expect(page.getByRole("article", { name: "Event" })).toContainText("look");
  const received = await api("POST", `${events}/receive`, { key, body: {} });
  expect(received.body.data[0]).toMatchObject({ id: event.id, delivery_count: 1 });
});
