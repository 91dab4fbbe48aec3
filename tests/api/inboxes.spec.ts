import type { Row } from "@/lib/platform/db/columns";
import { expectError, expectStatus, missing } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { jsonOf } from "../support/http";
import { inboxClient, makeInbox } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { rowsOf } from "../support/rows";
import { sweep } from "../support/sweep";

/** The inbox itself. For its events see inboxes-ingest.spec.ts and inboxes-consume.spec.ts. */

test("An inbox created with only a name has defaults in all other fields", async ({
  api,
  baseUrl,
  organization,
  key,
}) => {
  const created = await api("POST", "/api/inboxes", { key, body: { name: "Only a name" } });
  expectStatus(created, 201);
  const { id, created_at } = created.body;
  expect(created.body).toEqual({
    id: expect.stringMatching(/^inbox_[0-9A-Za-z]{25}$/),
    object: "inbox",
    organization_id: organization.id,
    name: "Only a name",
    description: null,
    ingest_url: `${baseUrl}/api/inboxes/${id}/events`,
    default_ttl_seconds: 86_400,
    max_events: 1000,
    external_id: null,
    created_at: expect.any(Number),
    updated_at: created_at,
  });
  expect(created.headers.get("location")).toBe(`/api/inboxes/${id}`);
});

test("An inbox reads back as created, and every field can be changed", async ({ api, key }) => {
  const fields = {
    name: "All",
    description: "Everything",
    default_ttl_seconds: 60,
    max_events: 10_000,
    external_id: "ext",
  };
  const inbox = await makeInbox(api, fields, key);
  expect((await inbox.get()).body).toMatchObject({ ...fields, event_count: 0 });
  const changes = {
    name: "Other",
    description: "x".repeat(100_000),
    default_ttl_seconds: 2_592_000,
    max_events: null,
    external_id: null,
  };
  for (const [field, value] of Object.entries(changes)) {
    const changed = await api("PATCH", inbox.path, { key, body: { [field]: value } });
    expectStatus(changed, 200);
    const shown = field === "max_events" ? 1000 : value;
    expect(changed.body).toMatchObject({ [field]: shown });
    expect((await inbox.get()).body).toMatchObject({ [field]: shown });
  }
});

const REFUSED: Array<[field: string, value: unknown]> = [
  ["name", ""],
  ["name", "x".repeat(201)],
  ["name", null],
  ["name", "a\u0000b"],
  ["description", "x".repeat(100_001)],
  ["default_ttl_seconds", 59],
  ["default_ttl_seconds", 2_592_001],
  ["default_ttl_seconds", null],
  ["default_ttl_seconds", 60.5],
  ["max_events", 0],
  ["max_events", 10_001],
  ["max_events", "5"],
];
test("A create and an update refuse a value that a field cannot have, and name the field", async ({
  api,
}) => {
  const inbox = await makeInbox(api);
  for (const [field, value] of REFUSED) {
    const body = { name: "x", [field]: value };
    expectError(await api("POST", "/api/inboxes", { body }), 400, "invalid_param", field);
    expectError(await api("PATCH", inbox.path, { body }), 400, "invalid_param", field);
  }
});

test("Deleting an inbox deletes its events", async ({ api, rows }) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "x" });
  expectStatus(await api("DELETE", inbox.path), 204);
  expectError(await inbox.get(), 404, "resource_not_found");
  expectError(await inbox.tryEvent(id), 404, "resource_not_found");
  expectError(await inbox.tryIngest({ raw: "x" }), 404, "resource_not_found");
  expect(await rows.inboxEvent.count({ where: { inbox_id: inbox.id } })).toBe(0);
});

test("Deleting an inbox during ingests leaves no event behind", async ({ api, rows }) => {
  const inbox = await makeInbox(api);
  const ingests = Array.from({ length: 40 }, () => inbox.tryIngest({ raw: "x" }));
  await Promise.race(ingests);
  await api("DELETE", inbox.path);
  await Promise.all(ingests);
  expect(await rows.inboxEvent.count({ where: { inbox_id: inbox.id } })).toBe(0);
});

test("A claim transfers an inbox with its events, and ingest stays open", async ({
  api,
  db,
  organization,
  key,
}) => {
  const created = await api("POST", "/api/inboxes", { body: { name: "Public" } });
  const { id, claim_token } = created.body;
  const stored = await rowsOf(db).inbox.findUniqueOrThrow({ where: { id } });
  expect(stored.claim_token_digest).toBe(sha256(claim_token));
  const path = `/api/inboxes/${id}/events`;
  await api("POST", path, { raw: "before" });

  const claimed = await api("POST", `/api/claim/${id}`, {
    key,
    body: { claim_token },
  });
  expectStatus(claimed, 200);
  expect(claimed.body).toMatchObject({ id, object: "inbox", organization_id: organization.id });
  expect(claimed.body).not.toHaveProperty("event_count");

  expectStatus(await api("POST", path, { raw: "after" }), 201);
  expectError(await api("POST", `${path}/receive`), 403, "forbidden");
  expectError(await api("GET", path), 403, "forbidden");
  const events = await api("GET", path, { key });
  expect(
    jsonOf<{ data: Array<{ body: string; organization_id: string }> }>(events).data,
  ).toMatchObject([
    { body: "before", organization_id: organization.id },
    { body: "after", organization_id: organization.id },
  ]);
});

test("A stale If-Match keeps an event, and of parallel deletes with its ETag one succeeds", async ({
  api,
}) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "x" });
  const remove = (etag: string) =>
    api("DELETE", `${inbox.path}/events/${id}`, { headers: { "if-match": etag } });
  const etag = (await inbox.tryEvent(id)).headers.need("etag");
  await inbox.nack(await inbox.receiveOne(), { error: "not yet" });
  expectError(await remove(etag), 412, "precondition_failed");
  expectError(await remove('"x"'), 412, "precondition_failed");
  const now = (await inbox.tryEvent(id)).headers.need("etag");
  const responses = await Promise.all(Array.from({ length: 10 }, () => remove(now)));
  expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  expect((await inbox.stats()).totals).toMatchObject({ ingested: 1, acknowledged: 1 });
});

test("The search of a page ends after many megabytes of queries, and goes on with Load more", async ({
  api,
  db,
}) => {
  const inbox = await makeInbox(api);
  // As many as the page shows match, then a long one and another do not.
  await db.query(
    `INSERT INTO inbox_events
       (inbox_id, id, headers, body, size_bytes, query_string, queue_id, visible_at, lapses_at, expires_at)
     SELECT $1, 'iev_0' || lpad(n::text, 6, '0'), '{}', '', 0,
            CASE WHEN n <= 50 THEN 'needle' WHEN n = 51 THEN repeat('x', 17000000) ELSE '' END,
            $1, now(), now() + interval '1 day', unix_now() + 86400
     FROM generate_series(1, 52) AS n`,
    [inbox.id],
  );
  const page = await api("GET", `/inboxes/${inbox.id}`, { query: { q: "needle" } });
  expectStatus(page, 200);
  expect(page.text).toContain("Load more");
});

test("Stats count events by state, and totals of past ones", async ({ api }) => {
  const inbox = await makeInbox(api);
  expect(await inbox.stats()).toEqual({
    object: "inbox_stats",
    inbox_id: inbox.id,
    ready: 0,
    delayed: 0,
    leased: 0,
    dead: 0,
    oldest_ready_age_seconds: null,
    totals: { ingested: 0, acknowledged: 0, expired: 0, purged: 0 },
  });
  for (const raw of ["a", "b", "c", "d"]) await inbox.ingest({ raw });
  await inbox.ingest({ raw: "e", query: { delay_seconds: 100 } });
  await inbox.ack(await inbox.receiveOne());
  await inbox.receiveOne();
  await inbox.removeEvent((await inbox.events({ state: "ready" }))[0]?.id ?? missing());
  expect(await inbox.stats()).toMatchObject({
    ready: 1,
    delayed: 1,
    leased: 1,
    dead: 0,
    oldest_ready_age_seconds: expect.any(Number),
    totals: { ingested: 5, acknowledged: 2, expired: 0, purged: 0 },
  });
  await inbox.purge();
  expect((await inbox.stats()).totals).toEqual({
    ingested: 5,
    acknowledged: 2,
    expired: 0,
    purged: 3,
  });
});

test("The sweep deletes public inboxes unused for 30 days, and expired events", async ({
  api,
  db,
  key,
}) => {
  const old = async (inbox: { id: string }, activeAt = "1000") => {
    const { rows } = await db.query<Row<"Inbox", "id">>(
      `UPDATE inboxes SET created_at = 1000, updated_at = 1000,
                          id = 'inbox_' || id_time(1000 * 1000000) || right(id, 16)
       WHERE id = $1 RETURNING id`,
      [inbox.id],
    );
    const id = rows[0]?.id ?? missing();
    // On Citus a row cannot change its node.
    await db.query("DELETE FROM inbox_state WHERE inbox_id = $1", [inbox.id]);
    await db.query(
      `INSERT INTO inbox_state (inbox_id, organization_id, created_without_key, max_events,
                                default_ttl_seconds, active_at)
       SELECT id, organization_id, claim_token_digest IS NOT NULL, max_events, default_ttl_seconds, ${activeAt}
       FROM inboxes WHERE id = $1`,
      [id],
    );
    return inboxClient(api, id);
  };
  const unused = await old(await makeInbox(api));
  // Other tests sweep at the same time: it is unused for so long only if the ingest is not counted.
  const used = await old(await makeInbox(api), "unix_now() - 30 * 86400 + 3600");
  const owned = await old(await makeInbox(api, {}, key));
  const ids = [unused.id, used.id, owned.id];
  await used.ingest({ raw: "kept" });
  await db.query("UPDATE inbox_state SET active_at = active_at - 7200 WHERE inbox_id = $1", [
    used.id,
  ]);
  const { id } = await used.ingest({ raw: "expired", query: { ttl_seconds: 60 } });
  await db.query(
    `UPDATE inbox_events SET lapses_at = now() - interval '1 second', expires_at = unix_now() - 1
     WHERE id = $1`,
    [id],
  );
  await expect
    .poll(
      async () => {
        await sweep(api, db);
        const inboxes = await rowsOf(db).inbox.findMany({ where: { id: { in: ids } } });
        const events = await rowsOf(db).inboxEvent.count({ where: { id } });
        return [inboxes.map((row) => row.id).sort(), events];
      },
      { timeout: 30_000 },
    )
    .toEqual([[used.id, owned.id].sort(), 0]);
  expect((await used.events()).map(({ body }) => body)).toEqual(["kept"]);
  expect(await used.eventCount()).toBe(1);
  expect((await used.stats()).totals.expired).toBe(1);
});
