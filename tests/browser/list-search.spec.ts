import type { Row } from "@/lib/platform/db/columns";
import { expect, test } from "../support/browser-fixtures";
import { formOf, textOf } from "../support/forms";
import { makeInbox } from "../support/inboxes";
import { whileLocked } from "../support/locks";
import { cookieOf } from "../support/people";

/** Searches of the lists. That of tasks: tasks-pages.spec.ts. */

test("Every list finds by name, and says when nothing matches", async ({ page, own }) => {
  for (const name of ["Orders 100%", "Payments"]) {
    await own.create("webhooks", { name });
    await own.create("artifacts", { name, content: "Orders 100%" });
    await own.create("inboxes", { name });
    await own.create("schedules", { name, every_seconds: 3600, target: { task: { name: "t" } } });
    await own.create("messages", { url: `https://example.com/${name}`, delay_seconds: 3600 });
  }
  const read = async (path: string) => textOf(await (await page.request.get(path)).text());
  for (const list of ["artifacts", "inboxes", "schedules", "messages"]) {
    const found = await read(`/${list}?q=rders%20100%25`);
    expect(found, list).toContain("1 found");
    expect(found, list).toContain("Orders 100%");
    expect(found, list).not.toContain("Payments");
    expect(await read(`/${list}?q=_ay`), list).toContain("No matching");
  }
  await page.goto("/webhooks");
  const search = page.getByRole("searchbox", { name: /^Search / });
  await search.fill("rders 100%");
  await search.press("Enter");
  await expect(page.locator("[data-row]")).toHaveText([/Orders 100%/]);
  await expect(search).toHaveValue("rders 100%");
  await expect(page.getByText("1 found", { exact: true })).toBeVisible();
  await search.fill("_ay");
  await search.press("Enter");
  await expect(page.getByText("No matching")).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page.locator("[data-row]")).toHaveCount(2);
});

test("The search keeps the focus and what is typed while its results are on their way", async ({
  page,
  own,
}) => {
  for (const name of ["Orders", "Payments"]) await own.create("inboxes", { name });
  await page.goto("/inboxes");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/inboxes\?q=/, async (route) => {
    await released;
    await route.continue();
  });
  const search = page.getByRole("searchbox", { name: /^Search / });
  await search.fill("Ord");
  await search.press("Enter");
  await page.keyboard.type("ers");
  release();
  await expect(page).toHaveURL("/inboxes?q=Ord");
  await expect(page.locator("[data-row]")).toHaveText([/Orders/]);
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("Orders");
  // What was submitted follows the URL.
  await search.press("Enter");
  await expect(page).toHaveURL("/inboxes?q=Orders");
  await page.goBack();
  await expect(search).toHaveValue("Ord");
  await search.fill("nothing");
  await search.press("Enter");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(search).toHaveValue("");
});

test("Keys are found by name and shown characters, and the log by action, actor and ID", async ({
  context,
  db,
  person,
  organization,
}) => {
  const read = async (query: Record<string, string>) => {
    const response = await context.request.get(`/keys?${new URLSearchParams(query)}`);
    return textOf(await response.text());
  };
  const { rows } = await db.query<Row<"ApiKey", "id"> & { shown: string }>(
    `UPDATE api_keys SET name = 'Deploys' WHERE id = (
       SELECT id FROM api_keys WHERE organization_id = $1 ORDER BY id LIMIT 1)
     RETURNING id, prefix || '…' || last_four AS shown`,
    [organization.id],
  );
  for (const q of ["deplo", rows[0]?.shown.slice(9) ?? "", rows[0]?.id ?? ""]) {
    expect(await read({ q })).toMatch(/1 found.*Deploys/);
  }
  await db.query(
    `INSERT INTO audit_events (id, organization_id, actor, action, data) VALUES
       ('evt_' || $1 || '1', $1, 'operator', 'signing_secret.rotated', '{}'),
       ('evt_' || $1 || '2', $1, $2, 'key.revoked', '{"key": "key_needle"}')`,
    [organization.id, person.id],
  );
  const rotated = "operator rotated the signing secret";
  const revoked = `${person.email} revoked the key key_needle`;
  for (const [q, found, other] of [
    ["rotated the signing", rotated, revoked],
    ["key_needle", revoked, rotated],
    [person.email.slice(0, 9), revoked, rotated],
  ] as const) {
    const log = await read({ tab: "log", q });
    expect(log).toContain(found);
    expect(log).not.toContain(other);
  }
});

test("Events of an inbox are found by header and ID, over several pages", async ({
  page,
  api,
  db,
  key,
}) => {
  const inbox = await makeInbox(api, { max_events: 10_000 }, key);
  await db.query(
    `INSERT INTO inbox_events
       (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT $1, 'iev_0' || lpad(n::text, 6, '0'), '{}', 'hay', 3, '', $1, now(), now() + interval '1 day', unix_now() + 86400
     FROM generate_series(1, 5000) AS n`,
    [inbox.id],
  );
  const body = { order: "The needle" };
  const needle = await inbox.ingest({ body, headers: { "x-shop": "Seven" } });
  for (const [words, found] of [
    ["x-shop: sev", "The needle"],
    ["nothing has this", "No matching"],
  ] as const) {
    const response = await page.request.get(`/inboxes/${inbox.id}`, { params: { q: words } });
    expect(textOf(await response.text()), words).toContain(found);
  }
  const rows = page.locator("[data-row]");
  await page.goto(`/inboxes/${inbox.id}?q=${needle.event_id}`);
  await expect(rows).toHaveText([/The needle/]);
  await rows.click();
  await expect(page.getByRole("article", { name: "Event" })).toContainText("needle");
  await expect(page).toHaveURL(/q=iev_/);
});

test("A search reads a part of a long list, and goes on with Load more", async ({
  page,
  db,
  organization,
  own,
}) => {
  await own.create("inboxes", { name: "The needle" });
  await db.query(
    `INSERT INTO inboxes (id, organization_id, name, default_ttl_seconds, max_events)
     SELECT 'inbox_z' || translate($1, '_', '') || lpad(n::text, 6, '0'), $1, 'Hay', 60, 10 FROM generate_series(1, 17000) AS n`,
    [organization.id],
  );
  await page.goto("/inboxes?q=needle");
  await expect(page.getByText("0 found so far")).toBeVisible();
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(page.locator("[data-row]")).toHaveText([/The needle/]);
  await expect(page.locator("[data-row]")).toBeFocused();
});

test("Messages that will be retried are apart from those that failed, which are retried at once", async ({
  page,
  api,
  db,
  organization,
  own,
}) => {
  const { key, id } = organization;
  const ids: string[] = [];
  for (const path of ["one", "two", "three", "four", "five"]) {
    const url = `https://example.com/${path}`;
    ids.push((await own.create("messages", { url, delay_seconds: 3600 })).id);
  }
  await db.query(
    `UPDATE scheduled_messages SET status = 'failed', attempts = 1, delivered_at = unix_now(),
       due_at = CASE WHEN url LIKE '%/one' THEN unix_now() + 300 END
     WHERE organization_id = $1 AND url ~ '/(one|two|three)$'`,
    [id],
  );
  await api("POST", `/api/messages/${ids.at(-1)}/cancel`, { key });
  await page.goto("/messages");
  await expect(page.getByRole("link", { name: "canceled 1" })).toBeVisible();
  await page.getByRole("link", { name: "retrying 1", exact: true }).click();
  await expect(page.locator("[data-row]")).toHaveText(["https://example.com/one"]);
  await page.getByRole("link", { name: "failed 2", exact: true }).click();
  await expect(page.locator("[data-row]")).toHaveCount(2);
  // Another test may dispatch the retried messages, and this page must not show that.
  await page.route(/\/messages\/live/, () => {});
  await page.getByRole("button", { name: "Retry all 2" }).click();
  await page.getByRole("button", { name: "Retry 2 messages" }).click();
  await expect(page.getByLabel("Notifications")).toContainText("Retried 2");
  await expect(page).toHaveURL(/status=failed$/);
  await expect(page.getByRole("link", { name: "failed 0", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "retrying 1", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "scheduled 3", exact: true })).toBeVisible();
});

test("A message is scheduled at a date, or after a delay", async ({ db, baseUrl, person, own }) => {
  const cookie = await cookieOf(db, person.id);
  const schedule = async (time: Record<string, string>) => {
    const create = await formOf(baseUrl, "/messages?new=1", cookie, "url");
    const fields = { url: "https://example.com/", method: "POST", unit: "h", delay: "" };
    const { headers } = await create({ ...fields, scheduled_at: "", ...time });
    return await own.read(String(headers.location).slice(1));
  };
  const dated = await schedule({ scheduled_at: "2031-05-06T07:08:09" });
  expect(dated.scheduled_at).toBe(Date.UTC(2031, 4, 6, 7, 8, 9) / 1000);
  const delayed = await schedule({ delay: "3" });
  expect(delayed.scheduled_at - delayed.created_at).toBe(3 * 3600);
});

test("While what a search found is retried, others search", async ({
  api,
  key,
  db,
  baseUrl,
  person,
  own,
}) => {
  const url = "https://example.com/found";
  const { id } = await own.create("messages", { url, delay_seconds: 3600 });
  await db.query(
    `UPDATE scheduled_messages SET status = 'failed', attempts = 1, delivered_at = unix_now(),
       due_at = NULL WHERE id = $1`,
    [id],
  );
  const cookie = await cookieOf(db, person.id);
  const retry = await formOf(baseUrl, "/messages?status=failed&q=found", cookie, "replay");
  const [retried, searched] = await whileLocked(
    db,
    { table: "scheduled_messages", id },
    () => retry({}),
    () => api("GET", "/api/tasks?q=x", { key }),
  );
  expect(retried.status).toBe(200);
  expect(searched.status).toBe(200);
});
