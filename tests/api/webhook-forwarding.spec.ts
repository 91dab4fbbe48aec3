import type { Row } from "@/lib/platform/db/columns";
import type { WebhookForward } from "@/lib/resources/webhooks/forward/contract";
import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { formOf, keySession } from "../support/forms";
import { type Api, type CallOptions, jsonOf } from "../support/http";
import { inboxClient, makeInbox, whileLocked } from "../support/inboxes";
import { whileLocked as whileRowLocked, whileUncommitted } from "../support/locks";
import {
  githubHeaders,
  shopifyHeaders,
  slackHeaders,
  standardHeaders,
  stripeHeaders,
} from "../support/signatures";
import { allEvents, capture, makeEndpoint, readEvent, setClockBack } from "../support/webhooks";

/** Forwarding of captured events to an inbox. */

const SECRET = "It's a Secret to Everybody";

test("A capture is in the inbox when its sender gets the response: bytes, headers, query and delivery ID", async ({
  api,
}) => {
  const { endpoint, inbox } = await makeFlow(api, { scheme: "github" });
  const raw = Buffer.from([0, 255, 1, 254]);
  const headers = { ...githubHeaders(SECRET, raw, "delivery-1"), "Content-Type": "image/png" };
  const eventId = await capture(api, `${endpoint}?a=1`, { raw, headers });
  const received = await inbox.receiveOne();
  expect(received).toMatchObject({
    content_type: "image/png",
    body: raw.toString("base64"),
    dedup_id: "delivery-1",
    query_params: { a: "1" },
    headers: { "x-github-event": "push", "x-github-delivery": "delivery-1" },
  });
  expect((await readEvent(api, endpoint, eventId)).forward).toEqual({
    status: "forwarded",
    reason: null,
    inbox_id: inbox.id,
    inbox_event_id: received.id,
    message_id: null,
  });
  expect((await inbox.stats()).totals.ingested).toBe(1);
});

test("A new inbox that the form forwards to is there only once the endpoint forwards to it", async ({
  api,
  baseUrl,
  db,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const session = await keySession(baseUrl, key);
  const submit = await formOf(baseUrl, `/webhooks/${id}`, session, "methods");
  const inboxes = async () => jsonOf<{ data: { id: string }[] }>(await list()).data;
  const list = () => api("GET", "/api/inboxes", { key });
  const [saved, inboxesBefore] = await whileRowLocked(
    db,
    { table: "webhook_endpoints", id },
    () => submit({ inbox_id: "new", name: "Pushes" }),
    inboxes,
  );
  expect(saved.status).toBe(200);
  expect(inboxesBefore).toEqual([]);
  const forward = await forwardOf(api, id, key);
  expect(await inboxes()).toEqual([expect.objectContaining({ id: forward.inbox_id })]);
});

test("Events that fail verification are kept and not forwarded", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api, { scheme: "github" });
  const forged = await capture(api, endpoint, { raw: "x", headers: githubHeaders("Wrong", "x") });
  const unsigned = await capture(api, endpoint, { raw: "x" });
  for (const eventId of [forged, unsigned]) {
    expect(await readEvent(api, endpoint, eventId)).toMatchObject({
      verified: false,
      forward: { status: "skipped", reason: "not_verified", inbox_event_id: null },
    });
  }
  expect(await inbox.eventCount()).toBe(0);
});

test("A late signature is not forwarded either, and one in time is, also after the clock was set back", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api, { scheme: "stripe" });
  const headers = stripeHeaders(SECRET, "x", Math.floor(Date.now() / 1000) - 1000);
  const eventId = await capture(api, endpoint, { raw: "x", headers });
  expect((await readEvent(api, endpoint, eventId)).forward).toMatchObject({
    status: "skipped",
    reason: "not_verified",
  });
  expect(await inbox.eventCount()).toBe(0);
  await setClockBack(db, endpoint);
  await capture(api, endpoint, { raw: "x", headers: stripeHeaders(SECRET, "x") });
  expect(await inbox.eventCount()).toBe(1);
});

test("A repeated delivery is not added twice, in one batch or in several, and says where the first is", async ({
  api,
}) => {
  const { endpoint, inbox } = await makeFlow(api, { scheme: "stripe" });
  const raw = JSON.stringify({ id: "evt_1", type: "charge.succeeded" });
  const headers = stripeHeaders(SECRET, raw);
  const send = () => capture(api, endpoint, { raw, headers });
  await Promise.all(Array.from({ length: 20 }, send));
  await send();
  const [only, ...others] = await inbox.events();
  expect(others).toEqual([]);
  expect(only).toMatchObject({ dedup_id: "evt_1" });
  const forwards = (await allEvents(api, endpoint)).map(({ forward }) => forward);
  expect(forwards).toHaveLength(21);
  expect(forwards.filter((forward) => forward?.inbox_event_id === only?.id)).toHaveLength(21);
  expect(forwards.filter((forward) => forward?.reason === "duplicate")).toHaveLength(20);
});

test("A delivery ID is free again once its event has expired", async ({ api, db }) => {
  const { endpoint, inbox } = await makeFlow(api, { scheme: "github" });
  const send = () =>
    capture(api, endpoint, { raw: "x", headers: githubHeaders(SECRET, "x", "again") });
  await send();
  await db.query(
    "UPDATE inbox_events SET expires_at = unix_now() - 1, lapses_at = now() - interval '1 second' WHERE inbox_id = $1",
    [inbox.id],
  );
  const second = await send();
  expect((await readEvent(api, endpoint, second)).forward?.reason).toBeNull();
  expect(await inbox.events()).toMatchObject([{ dedup_id: "again" }]);
});

test("Each scheme's own delivery ID becomes the dedup_id, whatever other IDs there are", async ({
  api,
}) => {
  const { endpoint, inbox } = await makeFlow(api);
  const secret = Buffer.from(SECRET).toString("base64");
  const raw = JSON.stringify({ id: "evt_1", event_id: "Ev1" });
  const others = { "Idempotency-Key": "another" };
  const deliveries = {
    github: { ...others, ...githubHeaders(secret, raw, "of GitHub") },
    stripe: { ...others, ...stripeHeaders(secret, raw) },
    slack: { ...others, ...slackHeaders(secret, raw) },
    shopify: { ...others, ...shopifyHeaders(secret, raw, "of Shopify") },
    standard_webhooks: { ...others, ...standardHeaders(secret, raw, "of Standard Webhooks") },
  };
  for (const [scheme, headers] of Object.entries(deliveries)) {
    const body = { scheme, secret };
    expectStatus(await api("PUT", `/api/webhooks/${endpoint}/verification`, { body }), 200);
    for (const _ of [1, 2]) await capture(api, endpoint, { raw, headers });
  }
  expect((await inbox.events()).map(({ dedup_id }) => dedup_id)).toEqual([
    "of GitHub",
    "evt_1",
    "Ev1",
    "of Shopify",
    "of Standard Webhooks",
  ]);
});

test("Without verification, well-known headers give the delivery ID", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api);
  for (const name of [
    "X-GitHub-Delivery",
    "X-Shopify-Webhook-Id",
    "Webhook-Id",
    "Idempotency-Key",
  ]) {
    await capture(api, endpoint, { raw: "x", headers: { [name]: `id of ${name}` } });
  }
  await capture(api, endpoint, { raw: "x", headers: { "Webhook-Id": "x".repeat(300) } });
  expect((await inbox.events()).map(({ dedup_id }) => dedup_id)).toEqual([
    "id of X-GitHub-Delivery",
    "id of X-Shopify-Webhook-Id",
    "id of Webhook-Id",
    "id of Idempotency-Key",
    null,
  ]);
});

test("methods and match choose what is forwarded, by header and by JSON path", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {
    methods: ["POST", "PUT"],
    match: {
      "X-Event": "push",
      "$.repo['full.name']": "acme/app",
      "$.commits[1].id": 2,
      "$.draft": false,
      "$.note": null,
    },
  });
  const body = {
    repo: { "full.name": "acme/app" },
    commits: [{ id: 1 }, { id: 2 }],
    draft: false,
    note: null,
  };
  const headers = { "x-event": "push" };
  const outcome = async (method: string, options: CallOptions) => {
    const response = await api(method, `/api/catch/${endpoint}`, options);
    const { forward } = await readEvent(api, endpoint, response.body.event_id);
    return forward?.reason ?? forward?.status;
  };
  expect(await outcome("POST", { body, headers })).toBe("forwarded");
  expect(await outcome("PUT", { body, headers })).toBe("forwarded");
  expect(await outcome("POST", { raw: `\uFEFF${JSON.stringify(body)}`, headers })).toBe(
    "forwarded",
  );
  const several = (...values: string[]) => ({ body, headers: { "x-event": values } });
  expect(await outcome("POST", several("ping", "push"))).toBe("forwarded");
  expect(await outcome("POST", several("ping,push"))).toBe("forwarded");
  expect(await outcome("GET", { headers })).toBe("other_method");
  const others: CallOptions[] = [
    { body },
    { body, headers: { "x-event": "Push" } },
    several("ping", "pushed"),
    { body: { ...body, draft: "false" }, headers },
    { body: { ...body, commits: { 1: { id: 2 } } }, headers },
    { body: { ...body, note: undefined }, headers },
    { raw: "not JSON", headers },
    { raw: '{"__proto__": {"draft": false}}', headers },
    { headers },
  ];
  for (const options of others) expect(await outcome("POST", options)).toBe("no_match");
  const long = { body: { ...body, more: "x".repeat(70_000) }, headers };
  expect(await outcome("POST", long)).toBe("body_too_large");
  expect(await inbox.eventCount()).toBe(5);
});

test("Conditions on a long body need a signature and few values, and its delivery ID does not", async ({
  api,
}) => {
  const { id, claim_token } = await makeEndpoint(api);
  const inbox = await makeInbox(api);
  const put = async (name: string, body: object) =>
    expectStatus(await api("PUT", `/api/webhooks/${id}/${name}`, { body }), 200);
  await put("verification", { scheme: "stripe", secret: SECRET, claim_token });
  const send = async (delivery: string, more: unknown) => {
    const raw = JSON.stringify({ more, id: delivery, draft: false });
    const eventId = await capture(api, id, { raw, headers: stripeHeaders(SECRET, raw) });
    return (await readEvent(api, id, eventId)).forward;
  };
  const [long, many] = ["x".repeat(70_000), Array.from({ length: 40_000 }, () => 0)];
  await put("forward", { inbox_id: inbox.id, claim_token });
  expect(await send("evt_many", many)).toMatchObject({ status: "forwarded" });
  expect(await inbox.events()).toMatchObject([{ dedup_id: "evt_many" }]);
  await put("forward", { inbox_id: inbox.id, match: { "$.draft": false }, claim_token });
  expect(await send("evt_long", long)).toMatchObject({ status: "forwarded" });
  expect(await send("evt_more", many)).toMatchObject({ reason: "body_too_large" });
});

test("In one burst each event has its own outcome and its own place in the inbox", async ({
  api,
}) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, { methods: ["POST"] });
  // After the first one the server knows that the endpoint has a forward.
  await capture(api, endpoint, { raw: "first" });
  const methods = ["PUT", "POST", "POST"];
  await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      api(methods[n % 3] ?? "", `/api/catch/${endpoint}`, { raw: `${n}` }),
    ),
  );
  const bodies = new Map((await inbox.events()).map(({ id, body }) => [id, body]));
  expect(bodies.size).toBe(17);
  for (const { method, body, forward } of await allEvents(api, endpoint)) {
    if (method === "PUT") {
      expect(forward).toMatchObject({ status: "skipped", reason: "other_method" });
    } else {
      expect(forward).toMatchObject({ status: "forwarded", reason: null, inbox_id: inbox.id });
      expect(bodies.get(forward?.inbox_event_id ?? "")).toBe(body);
    }
  }
});

test("What is forwarded follows the forward as it is, not as an earlier capture found it", async ({
  api,
}) => {
  const { endpoint, inbox } = await makeFlow(api);
  await capture(api, endpoint, { raw: "1" });
  await forwardTo(api, endpoint, { inbox_id: inbox.id, methods: ["PUT"] });
  const second = await capture(api, endpoint, { raw: "2" });
  expect((await readEvent(api, endpoint, second)).forward).toMatchObject({ status: "skipped" });
  expect((await inbox.events()).map(({ body }) => body)).toEqual(["1"]);
});

test("A capture does not overtake held events when nothing is in their way any more", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, { max_events: 1 });
  for (const raw of ["1", "2"]) await capture(api, endpoint, { raw });
  const held = { held_count: 1, held_reason: "inbox_full" };
  expect(await forwardOf(api, endpoint)).toMatchObject(held);
  // As after the first 200 of many held events.
  await db.query("UPDATE inboxes SET max_events = 3 WHERE id = $1", [inbox.id]);
  await db.query("UPDATE endpoint_state SET obstacle = NULL WHERE endpoint_id = $1", [endpoint]);
  await capture(api, endpoint, { raw: "3" });
  await expect.poll(() => inbox.eventCount()).toBe(3);
  expect((await inbox.receive({ limit: 3 })).map(({ body }) => body)).toEqual(["1", "2", "3"]);
});

test("A capture that waits for the claim of its inbox is not forwarded to the new owner", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api);
  await capture(api, endpoint, { raw: "public" });
  const { id: owner } = await makeOrganization(db);
  await whileUncommitted(
    db,
    [`UPDATE inboxes SET organization_id = '${owner}' WHERE id = '${inbox.id}'`],
    "capture_and_forward",
    () => capture(api, endpoint, { raw: "not theirs" }),
  );
  expect(await forwardOf(api, endpoint)).toMatchObject({
    held_count: 1,
    held_reason: "other_owner",
  });
});

test("A full inbox holds events back in order, and catches up as room is made", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, { max_events: 2 });
  for (let n = 1; n <= 7; n += 1) await capture(api, endpoint, { raw: `${n}` });
  expect(await inbox.eventCount()).toBe(2);
  expect(await forwardOf(api, endpoint)).toMatchObject({
    held_count: 5,
    held_reason: "inbox_full",
  });
  const [newest] = await allEvents(api, endpoint);
  expect(newest?.forward).toMatchObject({ status: "held", reason: "inbox_full" });
  const order: (string | null)[] = [];
  while (order.length < 7) {
    for (const event of await inbox.receive({ limit: 10, wait_seconds: 5 })) {
      order.push(event.body);
      expectStatus(await inbox.ack(event), 204);
    }
  }
  expect(order).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(await forwardOf(api, endpoint)).toMatchObject({ held_count: 0, held_reason: null });
  // A purge makes room too, and so do a higher limit and a dead event.
  for (let n = 8; n <= 14; n += 1) await capture(api, endpoint, { raw: `${n}` });
  expectStatus(await inbox.purge(), 204);
  await expect.poll(async () => (await forwardOf(api, endpoint)).held_count).toBe(3);
  expectStatus(await api("PATCH", inbox.path, { body: { max_events: 4 } }), 200);
  await expect.poll(async () => (await forwardOf(api, endpoint)).held_count).toBe(1);
  expectStatus(await inbox.nack(await inbox.receiveOne(), { dead: true }), 200);
  await expect.poll(async () => (await forwardOf(api, endpoint)).held_count).toBe(0);
  expect((await inbox.events()).map(({ body }) => body)).toEqual(["10", "11", "12", "13", "14"]);
});

test("Events that wait for a full inbox are read only once there is room, and a repeat of one in it does not wait", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api, { scheme: "github" }, {}, { max_events: 1 });
  const send = (deliveryId: string) =>
    capture(api, endpoint, { raw: "x", headers: githubHeaders(SECRET, "x", deliveryId) });
  for (const deliveryId of ["first", "second"]) await send(deliveryId);
  await db.query(
    `UPDATE webhook_events SET body = (
       SELECT decode(string_agg(md5(n::text), ''), 'hex') FROM generate_series(1, 5000) AS n)
     WHERE endpoint_id = $1 AND forward_status = 'held'`,
    [endpoint],
  );
  const client = await db.connect();
  try {
    await client.query("BEGIN");
    const blocksRead = async () =>
      (
        await client.query(
          `SELECT pg_stat_get_xact_blocks_fetched(reltoastrelid) AS blocks
           FROM pg_class WHERE oid = 'webhook_events'::regclass`,
        )
      ).rows;
    const before = await blocksRead();
    // Full by number, and by bytes.
    for (const [most, bytes] of [
      [1, 1_000_000],
      [5, 50_000],
    ]) {
      await client.query("UPDATE inboxes SET max_events = $2 WHERE id = $1", [inbox.id, most]);
      const forward = "SELECT * FROM forward_held_events($1, NULL, $2)";
      const { rows } = await client.query(forward, [endpoint, bytes]);
      expect(rows).toEqual([{ is_held: true, has_more: false, awaited_inbox: null }]);
      expect(await blocksRead()).toEqual(before);
    }
  } finally {
    client.release(true);
  }
  const repeat = await send("first");
  expect((await readEvent(api, endpoint, repeat)).forward).toMatchObject({ reason: "duplicate" });
  expectStatus(await inbox.ack(await inbox.receiveOne()), 204);
  const { body } = await inbox.receiveOne({ wait_seconds: 20 });
  expect(Buffer.from(body ?? "", "base64")).toHaveLength(80_000);
});

test("Of more held bytes than an integer counts, those that fit are forwarded", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, { max_events: 1 });
  for (const raw of ["fills it", "held"]) await capture(api, endpoint, { raw });
  // As with a higher CAPTURE_MAX_BODY_BYTES.
  const held = `INSERT INTO webhook_events (endpoint_id, method, path, query_string, headers,
                                            forward_status, id, body, size_bytes)
                SELECT endpoint_id, method, path, query_string, headers, forward_status`;
  const client = await db.connect();
  try {
    await client.query("BEGIN");
    await client.query(
      `${held}, id || 'x', convert_to(repeat('x', 50000000), 'UTF8'), 50000000
       FROM webhook_events WHERE endpoint_id = $1 AND forward_status = 'held'`,
      [endpoint],
    );
    // Copied as it is stored: compressed.
    await client.query(
      `${held}, id || n, body, size_bytes FROM webhook_events, generate_series(1, 44) AS n
       WHERE endpoint_id = $1 AND size_bytes = 50000000`,
      [endpoint],
    );
    await client.query("UPDATE inboxes SET max_events = 5 WHERE id = $1", [inbox.id]);
    const forward = "SELECT * FROM forward_held_events($1, NULL, 1000000)";
    const { rows } = await client.query(forward, [endpoint]);
    expect(rows).toEqual([{ is_held: true, has_more: true, awaited_inbox: null }]);
  } finally {
    client.release(true);
  }
});

test("An event that max_events pushes out while it is held is not forwarded later", async ({
  api,
}) => {
  const { endpoint, inbox } = await makeFlow(
    api,
    undefined,
    {},
    { max_events: 1 },
    { max_events: 2 },
  );
  for (let n = 1; n <= 4; n += 1) await capture(api, endpoint, { raw: `${n}` });
  expect((await forwardOf(api, endpoint)).held_count).toBe(2);
  for (const body of ["1", "3", "4"]) {
    const event = await inbox.receiveOne({ wait_seconds: 20 });
    expect(event.body).toBe(body);
    expectStatus(await inbox.ack(event), 204);
  }
});

test("Held events stay in order if a forward that began first runs last", async ({ api, db }) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, { max_events: 1 });
  for (let n = 1; n <= 3; n += 1) await capture(api, endpoint, { raw: `${n}` });
  const slow = await db.connect();
  try {
    await slow.query("BEGIN");
    await slow.query("SELECT now()");
    expectStatus(await api("PATCH", inbox.path, { body: { max_events: 2 } }), 200);
    expectStatus(await api("POST", "/api/messages/dispatch"), 200);
    await expect.poll(() => inbox.eventCount()).toBe(2);
    await slow.query("UPDATE inboxes SET max_events = 3 WHERE id = $1", [inbox.id]);
    await slow.query("SELECT forward_held_events($1, NULL, 1000000)", [endpoint]);
    await slow.query("COMMIT");
  } finally {
    slow.release(true);
  }
  const received = await inbox.receive({ limit: 3 });
  expect(received.map(({ body }) => body)).toEqual(["1", "2", "3"]);
});

test("Two endpoints share a full inbox without blocking each other", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, { max_events: 1 });
  const other = await makeEndpoint(api);
  await forwardTo(api, other.id, { inbox_id: inbox.id });
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      capture(api, n % 2 === 0 ? endpoint : other.id, { raw: `${n}` }),
    ),
  );
  const seen = new Set<string | null>();
  while (seen.size < 20) {
    for (const event of await inbox.receive({ limit: 10, wait_seconds: 5 })) {
      seen.add(event.body);
      await inbox.ack(event);
    }
  }
  expect((await inbox.stats()).totals.ingested).toBe(20);
});

test("An endpoint that keeps one event forwards every event of a burst", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, {}, { max_events: 1 });
  await Promise.all(Array.from({ length: 50 }, (_, n) => capture(api, endpoint, { raw: `${n}` })));
  expect(await inbox.eventCount()).toBe(50);
});

test("Captures do not wait for forwards, however many endpoints forward into one inbox", async ({
  api,
  db,
}) => {
  const inbox = await makeInbox(api);
  const other = await makeFlow(api);
  await capture(api, other.endpoint, { raw: "first" });
  const forwarding = await Promise.all(
    // If each took one of the four turns for half a second, some would give up.
    Array.from({ length: 40 }, async () => {
      const { id } = await makeEndpoint(api);
      await forwardTo(api, id, { inbox_id: inbox.id });
      // After the first one the server knows that the endpoint has a forward.
      await capture(api, id, { raw: "first" });
      return id;
    }),
  );
  let forwarded: Promise<string>[] = [];
  await whileLocked(db, inbox.id, async () => {
    forwarded = forwarding.flatMap((id) => [1, 2].map(() => capture(api, id, { raw: "x" })));
    await Promise.all(Array.from({ length: 20 }, () => capture(api, other.endpoint, { raw: "x" })));
  });
  await Promise.all(forwarded);
  expect((await inbox.stats()).totals.ingested).toBe(120);
});

test("Captures into an inbox do not wait for those of strangers who forwarded into it before its claim", async ({
  api,
  db,
  key,
}) => {
  const made = (await api("POST", "/api/inboxes", { body: { name: "Test" } })).body;
  const forwarding = async (withKey?: string) => {
    const { id } = await makeEndpoint(api, withKey === undefined ? {} : { key: withKey });
    const body = { inbox_id: made.id };
    expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { body, key: withKey }), 200);
    await capture(api, id, { raw: "first" });
    return id;
  };
  const strangers = await Promise.all(Array.from({ length: 20 }, () => forwarding()));
  const { claim_token } = made;
  expectStatus(await api("POST", `/api/claim/${made.id}`, { key, body: { claim_token } }), 200);
  const own = await forwarding(key);
  const lock = await db.connect();
  const waiting: Promise<string>[] = [];
  try {
    const rows = "SELECT FROM endpoint_state WHERE endpoint_id = ANY ($1) FOR UPDATE";
    await lock.query("BEGIN");
    await lock.query(rows, [strangers]);
    for (const id of strangers) waiting.push(capture(api, id, { raw: "waits" }));
    const began = performance.now();
    await capture(api, own, { raw: "does not wait" });
    // Each of the others gives up its turn after half a second.
    await expectWithin(api, 1000, performance.now() - began);
  } finally {
    lock.release(true);
  }
  await Promise.all(waiting);
  expect(await inboxClient(api, made.id, key).eventCount()).toBe(22);
});

test("Captures that are not forwarded do not wait for the inbox: skipped ones, and those of another owner", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, { methods: ["DELETE"] });
  const stranger = (await makeEndpoint(api)).id;
  await forwardTo(api, stranger, { inbox_id: inbox.id });
  const outcomeOf = async (id: string) => {
    const eventId = await capture(api, id, { raw: "x" });
    return (await readEvent(api, id, eventId)).forward;
  };
  await whileLocked(db, inbox.id, async () => {
    const skipped = { status: "skipped", reason: "other_method" };
    expect(await outcomeOf(endpoint)).toMatchObject(skipped);
  });
  const { id: owner } = await makeOrganization(db);
  await db.query("UPDATE inboxes SET organization_id = $1 WHERE id = $2", [owner, inbox.id]);
  await whileLocked(db, inbox.id, async () => {
    expect(await outcomeOf(stranger)).toMatchObject({ status: "held", reason: "other_owner" });
  });
});

test("While an endpoint is locked, captures of others are forwarded to its inbox, and its own wait", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(api);
  const other = (await makeEndpoint(api)).id;
  await forwardTo(api, other, { inbox_id: inbox.id });
  await capture(api, endpoint, { raw: "first" });
  await capture(api, other, { raw: "first" });
  await whileRowLocked(
    db,
    { table: "endpoint_state", id: endpoint, key: "endpoint_id" },
    () => capture(api, endpoint, { raw: "waits" }),
    () => capture(api, other, { raw: "does not wait" }),
  );
  const events = await inbox.events();
  expect(events.slice(2).map(({ body }) => body)).toEqual(["does not wait", "waits"]);
});

test("However many events are held back, a transaction forwards at most 200, and all arrive in order", async ({
  api,
  db,
}) => {
  const { endpoint, inbox } = await makeFlow(
    api,
    undefined,
    {},
    { max_events: 1 },
    { max_events: 1000 },
  );
  for (let sent = 0; sent < 250; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => capture(api, endpoint, { raw: "x" })));
  }
  expectStatus(await api("PATCH", inbox.path, { body: { max_events: 1000 } }), 200);
  await capture(api, endpoint, { raw: "last" });
  await expect.poll(async () => (await forwardOf(api, endpoint)).held_count).toBe(0);
  const events = await allEvents(api, endpoint);
  const ids = events.map(({ forward }) => forward?.inbox_event_id).toReversed();
  const { rows } = await db.query<Row<"InboxEvent", "id"> & { together: number }>(
    `SELECT id, count(*) OVER (PARTITION BY xmin::text)::int AS together
     FROM inbox_events WHERE inbox_id = $1 ORDER BY visible_at, id`,
    [inbox.id],
  );
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect(Math.max(...rows.map(({ together }) => together))).toBeLessThanOrEqual(200);
});

test("A waiting receiver gets a forwarded event at once", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api);
  const waiting = inbox.receiveOne({ wait_seconds: 10 });
  await expect
    .poll(async () => {
      await capture(api, endpoint, { raw: "work" });
      return (await waiting).body;
    })
    .toBe("work");
});

test("Events of a deleted inbox, and of a removed forward, stay and say why", async ({ api }) => {
  const { endpoint, inbox } = await makeFlow(api, undefined, {}, { max_events: 1 });
  await capture(api, endpoint, { raw: "1" });
  const held = await capture(api, endpoint, { raw: "2" });
  expectStatus(await api("DELETE", inbox.path), 204);
  const last = await capture(api, endpoint, { raw: "3" });
  for (const eventId of [held, last]) {
    expect((await readEvent(api, endpoint, eventId)).forward).toMatchObject({
      status: "failed",
      reason: "inbox_deleted",
    });
  }
  const second = await makeInbox(api, { max_events: 1 });
  await forwardTo(api, endpoint, { inbox_id: second.id });
  await capture(api, endpoint, { raw: "4" });
  const waits = await capture(api, endpoint, { raw: "5" });
  expectStatus(await api("DELETE", `/api/webhooks/${endpoint}/forward`), 204);
  expect((await readEvent(api, endpoint, waits)).forward).toMatchObject({
    status: "skipped",
    reason: "forward_removed",
  });
  const after = await capture(api, endpoint, { raw: "6" });
  expect((await readEvent(api, endpoint, after)).forward).toBeNull();
});

test("Events wait while only one of endpoint and inbox is claimed, and go on when both are", async ({
  api,
  key,
}) => {
  const endpoint = await makeEndpoint(api);
  const made = (await api("POST", "/api/inboxes", { body: { name: "Test" } })).body;
  await forwardTo(api, endpoint.id, { inbox_id: made.id, claim_token: endpoint.claim_token });
  const claim = (id: string, claim_token?: string) =>
    api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
  expectStatus(await claim(made.id, made.claim_token), 200);
  await capture(api, endpoint.id, { raw: "in between" });
  const inbox = inboxClient(api, made.id, key);
  expect(await inbox.eventCount()).toBe(0);
  expect(await forwardOf(api, endpoint.id)).toMatchObject({
    held_count: 1,
    held_reason: "other_owner",
  });
  expectStatus(await claim(endpoint.id, endpoint.claim_token), 200);
  expectStatus(await api("POST", "/api/messages/dispatch"), 200);
  await expect.poll(() => inbox.eventCount()).toBe(1);
});

test("An inbox of another owner, a deleted one and a target that makes no sense are refused", async ({
  api,
  baseUrl,
  key,
  otherOrganization,
}) => {
  const open = await makeEndpoint(api);
  const own = await makeEndpoint(api, { key });
  const foreignInbox = await makeInbox(api, {}, otherOrganization.key);
  const ownInbox = await makeInbox(api, {}, key);
  const openInbox = await makeInbox(api);
  const deleted = await makeInbox(api);
  expectStatus(await api("DELETE", deleted.path), 204);
  const put = (id: string, body: object, withKey?: string) =>
    api("PUT", `/api/webhooks/${id}/forward`, { body, key: withKey });
  const foreign = { inbox_id: foreignInbox.id };
  expectError(await put(own.id, foreign, key), 403, "forbidden");
  expectError(await put(open.id, foreign), 403, "forbidden");
  expectError(await put(open.id, { inbox_id: deleted.id }), 404, "resource_not_found", "inbox_id");
  expectError(await put(open.id, { inbox_id: ownInbox.id }, key), 400, "invalid_param", "inbox_id");
  expectError(await put(own.id, { inbox_id: openInbox.id }, key), 400, "invalid_param", "inbox_id");
  const catchAll = `${baseUrl}/api/catch/${open.id}`;
  const refusals: [object, string, string][] = [
    [{}, "missing_required_param", "inbox_id"],
    [{ inbox_id: openInbox.id, url: "https://a.example/" }, "invalid_param", "url"],
    [{ url: "ftp://a.example/" }, "invalid_param", "url"],
    [{ url: "http://169.254.169.254/" }, "url_not_allowed", "url"],
    [{ url: catchAll }, "invalid_param", "url"],
    [{ url: `${catchAll}/below?x=1` }, "invalid_param", "url"],
    [{ url: catchAll.replace("/api/", "//API/") }, "invalid_param", "url"],
    [{ inbox_id: openInbox.id, methods: [] }, "invalid_param", "methods"],
    [{ inbox_id: openInbox.id, methods: ["BREW"] }, "invalid_param", "methods.0"],
    [{ inbox_id: openInbox.id, match: {} }, "invalid_param", "match"],
    [{ inbox_id: openInbox.id, match: [] }, "invalid_param", "match"],
    [{ inbox_id: openInbox.id, match: { "a b": "x" } }, "invalid_param", "match.a b"],
    [{ inbox_id: openInbox.id, match: { "x-a": 1 } }, "invalid_param", "match.x-a"],
    [{ inbox_id: openInbox.id, match: { "$..a": 1 } }, "invalid_param", "match.$..a"],
    [{ inbox_id: openInbox.id, match: { "$.a": {} } }, "invalid_param", "match.$.a"],
    [{ inbox_id: openInbox.id, match: { "$.a": "x".repeat(501) } }, "invalid_param", "match.$.a"],
    [{ inbox_id: openInbox.id, match: { "$.a": "\0" } }, "invalid_param", "match.$.a"],
    [{ inbox_id: openInbox.id, match: { "x-a": "1", "X-A": "2" } }, "invalid_param", "match.X-A"],
    [
      {
        inbox_id: openInbox.id,
        match: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, "1"])),
      },
      "invalid_param",
      "match",
    ],
  ];
  for (const [body, code, param] of refusals) {
    expectError(await put(open.id, body), 400, code, param);
  }
  expectError(await api("GET", `/api/webhooks/${open.id}/forward`), 404, "resource_not_found");
  const longest = { inbox_id: openInbox.id, match: { "$.a": "😀".repeat(500) } };
  expectStatus(await put(open.id, longest), 200);
});

/** An endpoint that forwards to an inbox, both public. */
async function makeFlow(
  api: Api,
  verification?: object,
  forward: object = {},
  inboxFields: object = {},
  endpointFields: object = {},
) {
  const { id } = await makeEndpoint(api, endpointFields);
  const inbox = await makeInbox(api, inboxFields);
  if (verification) {
    const body = { secret: SECRET, ...verification };
    expectStatus(await api("PUT", `/api/webhooks/${id}/verification`, { body }), 200);
  }
  await forwardTo(api, id, { inbox_id: inbox.id, ...forward });
  return { endpoint: id, inbox };
}

async function forwardTo(api: Api, id: string, body: object): Promise<void> {
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { body }), 200);
}

async function forwardOf(api: Api, id: string, key?: string): Promise<WebhookForward> {
  return jsonOf<WebhookForward>(await api("GET", `/api/webhooks/${id}/forward`, { key }));
}
