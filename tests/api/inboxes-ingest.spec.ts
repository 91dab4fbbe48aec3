import { randomBytes } from "node:crypto";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, onCitus, test } from "../support/fixtures";
import { type CallOptions, exchange, jsonOf } from "../support/http";
import { elapse, makeInbox, type Receipt, whileLocked } from "../support/inboxes";
import { databaseNow } from "../support/leases";
import { whileUncommitted } from "../support/locks";

test("An ingest returns a receipt, and the event reads back with everything that was sent", async ({
  api,
  organization,
  key,
}) => {
  const inbox = await makeInbox(api, {}, key);
  const response = await inbox.tryIngest({
    raw: '{"a": 1}',
    headers: { "content-type": "application/json", "X-Custom": "value" },
    query: { source: "test", ttl_seconds: 100 },
  });
  expectStatus(response, 201);
  const receipt = jsonOf<Receipt>(response);
  expect(receipt).toEqual({
    object: "inbox_event",
    id: expect.stringMatching(/^iev_[0-9A-Za-z]{25}$/),
    inbox_id: inbox.id,
    state: "ready",
    received_at: expect.any(Number),
    expires_at: receipt.received_at + 100,
    deduplicated: false,
    received: true,
    event_id: receipt.id,
  });
  expect(response.headers.get("location")).toBe(`${inbox.path}/events/${receipt.id}`);
  const event = await inbox.event(receipt.id);
  expect(event).toEqual({
    id: receipt.id,
    object: "inbox_event",
    inbox_id: inbox.id,
    organization_id: organization.id,
    state: "ready",
    content_type: "application/json",
    headers: expect.objectContaining({ "content-type": "application/json", "x-custom": "value" }),
    headers_truncated: false,
    body: '{"a": 1}',
    body_encoding: "utf8",
    parsed_body: { a: 1 },
    query_params: { source: "test", ttl_seconds: "100" },
    source_ip: "127.0.0.1",
    size_bytes: 8,
    dedup_id: null,
    delivery_count: 0,
    consumer: null,
    leased_until: null,
    last_error: null,
    visible_at: receipt.received_at,
    received_at: receipt.received_at,
    expires_at: receipt.expires_at,
  });
});

test("Ingest ignores credentials, and records them only in owned inboxes", async ({
  api,
  organization,
}) => {
  const { key, readKey } = organization;
  const owned = await makeInbox(api, {}, key);
  const open = await makeInbox(api);
  for (const authorization of ["Bearer svc_live_wrong", "Basic x", `Bearer ${readKey}`]) {
    const sent = { authorization, cookie: "session=secret", "proxy-authorization": "Basic secret" };
    const headers = { ...sent, "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.1" };
    const whole = (await owned.event((await owned.ingest({ raw: "x", headers })).id)).headers;
    expect(whole).toMatchObject({
      ...sent,
      authorization: authorization.replace(readKey, "[redacted]"),
    });
    const redacted = (await open.event((await open.ingest({ raw: "x", headers })).id)).headers;
    for (const name of Object.keys(sent)) expect(redacted[name]).toBe("[redacted]");
    for (const name of ["x-forwarded-for", "forwarded"]) {
      expect(whole).not.toHaveProperty(name);
      expect(redacted).not.toHaveProperty(name);
    }
  }
});

test("Claiming an inbox does not restore redacted credentials", async ({ api, key }) => {
  const { body } = await api("POST", "/api/inboxes", { body: { name: "x" } });
  const headers = { authorization: "Basic x" };
  const ingest = async () =>
    (await api("POST", `/api/inboxes/${body.id}/events`, { raw: "x", headers })).body.id;
  const before = await ingest();
  await api("POST", `/api/claim/${body.id}`, { key, body: { claim_token: body.claim_token } });
  const recorded = async (id: string) =>
    JSON.parse((await api("GET", `/api/inboxes/${body.id}/events/${id}`, { key })).text).headers
      .authorization;
  expect(await recorded(before)).toBe("[redacted]");
  expect(await recorded(await ingest())).toBe("Basic x");
});

const NESTED = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const HOSTILE: Array<[title: string, body: Buffer]> = [
  ["nothing", Buffer.alloc(0)],
  ["U+0000", Buffer.from("a\u0000b")],
  ["all bytes", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ["a byte order mark", Buffer.from("\uFEFF{}")],
  ["a lone surrogate in UTF-8", Buffer.from([0xed, 0xa0, 0x80])],
  ["an escaped lone surrogate", Buffer.from('{"a":"\\ud800"}')],
  ["an escaped U+0000", Buffer.from('{"a":"\\u0000"}')],
  ["deep nesting", Buffer.from(NESTED(100_000))],
  ["a huge number", Buffer.from(`{"a":1e${"9".repeat(400)}}`)],
  ["a key named __proto__", Buffer.from('{"__proto__":{"a":1},"constructor":2}')],
  ["half an object", Buffer.from('{"a":')],
  ["a megabyte of noise", randomBytes(1_000_000)],
];
test("A hostile body is returned byte for byte, raw, singly, in lists and when received", async ({
  api,
}) => {
  await eachOf(HOSTILE, async ([_title, body]) => {
    const inbox = await makeInbox(api);
    const headers = { "content-type": "application/json" };
    const { id } = await inbox.ingest({ raw: body, headers });
    const event = await inbox.event(id);
    expect(event.size_bytes).toBe(body.length);
    const encoding = event.body_encoding === "base64" ? "base64" : "utf8";
    expect(Buffer.from(event.body ?? "", encoding).equals(body)).toBe(true);
    const raw = await inbox.raw(id);
    expectStatus(raw, 200);
    expect(raw.bytes.equals(body)).toBe(true);
    expect((await inbox.events()).map((one) => one.body)).toEqual([event.body]);
    const received = await inbox.receiveOne();
    expect([received.body, received.parsed_body]).toEqual([event.body, event.parsed_body]);
  });
});

test("The last value of a repeated query parameter counts", async ({ api }) => {
  const inbox = await makeInbox(api);
  const response = await api("POST", `${inbox.path}/events??z=0&a=1&a=2&empty&%00=%ff`, {
    raw: "x",
  });
  expectStatus(response, 201);
  const event = await inbox.event(response.body.id);
  expect(event.query_params).toMatchObject({ "?z": "0", a: "2", empty: "" });
});

test("Raw bytes are an attachment that no browser renders or runs", async ({ api }) => {
  const inbox = await makeInbox(api);
  const headers = { "content-type": "text/html" };
  const { id } = await inbox.ingest({ raw: "<script>alert(1)</script>", headers });
  const raw = await inbox.raw(id);
  expect(raw.headers.get("content-disposition")).toMatch(/^attachment/);
  expect(raw.headers.get("x-content-type-options")).toBe("nosniff");
  expect(raw.headers.get("content-security-policy")).toBe("sandbox");
  expect(raw.headers.get("content-type")).toBe("application/octet-stream");
});

test("Raw bytes have an ETag and honor If-None-Match", async ({ api }) => {
  const inbox = await makeInbox(api);
  const { id } = await inbox.ingest({ raw: "x" });
  const etag = (await inbox.raw(id)).headers.need("etag");
  expect(etag).toMatch(/^"[^"]+"$/);
  const path = `${inbox.path}/events/${id}/raw`;
  expectStatus(await api("GET", path, { headers: { "if-none-match": etag } }), 304);
  expectStatus(await api("GET", path, { headers: { "if-none-match": '"other"' } }), 200);
});

test("A body of 1 000 000 bytes is accepted, and one byte more is 413", async ({
  api,
  baseUrl,
}) => {
  const inbox = await makeInbox(api);
  await inbox.ingest({ raw: Buffer.alloc(1_000_000, "x") });
  const tooLarge = Buffer.alloc(1_000_001, "x");
  expectError(await inbox.tryIngest({ raw: tooLarge }), 413, "payload_too_large");
  const head = `POST ${inbox.path}/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `2710\r\n${" ".repeat(10_000)}\r\n`;
  const response = await exchange(baseUrl, head + chunk.repeat(101), /"request_id":"req_\w+"/);
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
  expect(await inbox.eventCount()).toBe(1);
});

test.describe("Time to live", () => {
  test("The query wins over the header, the header over the body, and the body over the inbox", async ({
    api,
  }) => {
    const inbox = await makeInbox(api, { default_ttl_seconds: 1000 });
    const ttl = async (query: object, headers: object, raw: string) => {
      const receipt = await inbox.ingest({ query: { ...query }, headers: { ...headers }, raw });
      return receipt.expires_at - receipt.received_at;
    };
    const header = { "Inbox-TTL-Seconds": "200" };
    const body = '{"ttl_seconds": 300}';
    expect(await ttl({ ttl_seconds: 100 }, header, body)).toBe(100);
    expect(await ttl({}, header, body)).toBe(200);
    expect(await ttl({}, {}, body)).toBe(300);
    expect(await ttl({}, { "content-type": "text/plain" }, body)).toBe(300);
    expect(await ttl({}, {}, '{"ttl_\\u0073econds": 300}')).toBe(300);
    expect(await ttl({}, {}, `{"ttl_seconds": 300, "deep": ${NESTED(1000)}}`)).toBe(300);
    for (const other of [
      "x",
      "",
      "[300]",
      '{"ttl_seconds": 59}',
      '{"ttl_seconds": 2592001}',
      '{"ttl_seconds": "300"}',
      '{"ttl_seconds": 300.5}',
      '{"ttl_seconds": null}',
      '{"a": {"ttl_seconds": 300}}',
    ]) {
      expect(await ttl({}, {}, other)).toBe(1000);
    }
  });

  test("A value out of range in the query or the header is 400", async ({ api }) => {
    const inbox = await makeInbox(api);
    for (const value of ["59", "2592001", "x", "", "-60", "60.5", "1e3", "9".repeat(400)]) {
      const inQuery = await inbox.tryIngest({ raw: "x", query: { ttl_seconds: value } });
      expectError(inQuery, 400, "invalid_param", "ttl_seconds");
      const inHeader = await inbox.tryIngest({ raw: "x", headers: { "Inbox-TTL-Seconds": value } });
      expectError(inHeader, 400, "invalid_param", "Inbox-TTL-Seconds");
    }
    for (const value of ["-1", "43201", "x", ""]) {
      const response = await inbox.tryIngest({ raw: "x", query: { delay_seconds: value } });
      expectError(response, 400, "invalid_param", "delay_seconds");
    }
    for (const value of ["", "x".repeat(256), "a\u0000"]) {
      const response = await inbox.tryIngest({ raw: "x", query: { dedup_id: value } });
      expectError(response, 400, "invalid_param", "dedup_id");
    }
  });

  test("An event exists until the last second of its TTL, and nowhere after it", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api, { max_events: 2 });
    const query = { ttl_seconds: 60 };
    const ingested = await inbox.ingest({ raw: "leased", query });
    const leased = await inbox.receiveOne({ lease_seconds: 100 });
    const last = await inbox.ingest({ raw: "ready", query });
    const clock = () => databaseNow(db);
    const passed = last.expires_at - (await clock()) - 2;
    await elapse(db, inbox.id, passed);
    for (const { id, expires_at } of [ingested, last]) {
      const end = expires_at - passed;
      for (let status = 200; status === 200; ) {
        const before = await clock();
        const event = await inbox.tryEvent(id);
        const after = await clock();
        ({ status } = event);
        if (status !== 200) expect(after).toBeGreaterThanOrEqual(end);
        else {
          expect(before).toBeLessThan(end);
          expect(event.body.state).toBe(id === leased.id ? "leased" : "ready");
        }
      }
    }
    const { id } = last;
    expect(await inbox.events()).toEqual([]);
    expect(await inbox.receive()).toEqual([]);
    expect(await inbox.eventCount()).toBe(0);
    expectError(await inbox.raw(id), 404, "resource_not_found");
    expectError(await inbox.ack(leased), 404, "resource_not_found");
    expectError(await inbox.nack(leased), 404, "resource_not_found");
    expectError(await inbox.extend(leased, 60), 404, "resource_not_found");
    expectError(await inbox.removeEvent(id), 404, "resource_not_found");
    expect(await inbox.stats()).toMatchObject({ leased: 0, totals: { ingested: 2, expired: 2 } });
    await inbox.ingest({ raw: "there is room again" });
  });

  test("A delay that an event would not outlive is refused, wherever its TTL comes from", async ({
    api,
  }) => {
    const inbox = await makeInbox(api, { default_ttl_seconds: 600 });
    const send = (delay_seconds: number, { query, ...rest }: CallOptions) =>
      inbox.tryIngest({ raw: "x", ...rest, query: { ...query, delay_seconds } });
    const lives: [seconds: number, options: CallOptions][] = [
      [100, { query: { ttl_seconds: 100 } }],
      [200, { headers: { "Inbox-TTL-Seconds": "200" } }],
      [300, { raw: '{"ttl_seconds": 300}' }],
      [600, {}],
    ];
    for (const [seconds, options] of lives) {
      const refused = await send(seconds, options);
      expectError(refused, 400, "invalid_param", "delay_seconds");
      expect(refused.text).toContain(`less than ${seconds},`);
      expectStatus(await send(seconds - 1, options), 201);
    }
    expect(await inbox.eventCount()).toBe(lives.length);
  });

  test("A delayed event is received once its delay is over", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    const receipt = await inbox.ingest({ raw: "x", query: { delay_seconds: 43_200 } });
    expect(receipt.state).toBe("delayed");
    expect(await inbox.receive()).toEqual([]);
    expect((await inbox.event(receipt.id)).visible_at).toBe(receipt.received_at + 43_200);
    await elapse(db, inbox.id, 43_200);
    expect((await inbox.receiveOne()).id).toBe(receipt.id);
  });
});

test.describe("Deduplication", () => {
  for (const [how, options, second] of [
    ["dedup_id", { query: { dedup_id: "same" } }, "second"],
    ["Idempotency-Key", { headers: { "idempotency-key": "same" } }, "first"],
  ] as const) {
    test(`A repeated ${how} adds nothing while the first event is pending`, async ({ api }) => {
      const inbox = await makeInbox(api);
      const first = await inbox.ingest({ raw: "first", ...options });
      for (const state of ["ready", "leased"]) {
        const again = await inbox.tryIngest({ raw: second, ...options });
        expectStatus(again, 200);
        expect(jsonOf<Receipt>(again)).toEqual({
          ...first,
          object: "inbox_event",
          inbox_id: inbox.id,
          received: true,
          state,
          deduplicated: true,
        });
        if (state === "ready") await inbox.receiveOne();
      }
      expect((await inbox.events()).map(({ body, dedup_id }) => [body, dedup_id])).toEqual([
        ["first", "same"],
      ]);
    });
  }

  test("A repeated Idempotency-Key adds nothing for 24 hours, even after the acknowledgement", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const options = { raw: "x", headers: { "idempotency-key": "same" } };
    const first = await inbox.ingest(options);
    expectStatus(await inbox.ack(await inbox.receiveOne()), 204);
    const again = await inbox.tryIngest(options);
    expectStatus(again, 200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(jsonOf<Receipt>(again)).toMatchObject({ id: first.id, deduplicated: true });
    expect(await inbox.events()).toEqual([]);
  });

  test("A repeated Idempotency-Key with a different body is 422 for any sender, so no event is lost", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const headers = { "idempotency-key": "same" };
    const first = { ...headers, "x-forwarded-for": "198.51.100.1" };
    await inbox.ingest({ raw: "first", headers: first });
    for (const sender of ["198.51.100.1", "203.0.113.9"]) {
      const other = { raw: "second", headers: { ...headers, "x-forwarded-for": sender } };
      expectError(await inbox.tryIngest(other), 422, "idempotency_key_reused");
    }
  });

  test("Once the first event is acknowledged, expired or dead, a duplicate is a new event", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api, { max_events: 1 });
    const ingest = () => inbox.ingest({ raw: "x", query: { dedup_id: "same", ttl_seconds: 1000 } });
    await ingest();
    expectStatus(await inbox.ack(await inbox.receiveOne()), 204);
    const second = await ingest();
    await elapse(db, inbox.id, 1000);
    const third = await ingest();
    expect(third.id).not.toBe(second.id);
    for (let n = 0; n < 10; n += 1) {
      await inbox.receiveOne({ lease_seconds: 1 });
      await elapse(db, inbox.id, 1);
    }
    expect((await inbox.event(third.id)).state).toBe("dead");
    const fourth = await ingest();
    expect(fourth.id).not.toBe(third.id);
    await inbox.removeEvent(fourth.id);
    await ingest();
  });

  test("Parallel ingests with one dedup_id store one event, and all return its ID", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const responses = await Promise.all(
      // While the first is stored, the others arrive, and are then stored together.
      Array.from({ length: 30 }, (_, n) =>
        inbox.tryIngest({ raw: `${n}`, query: { dedup_id: `${n === 0 ? "first" : n % 2}` } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      ...Array(27).fill(200),
      201,
      201,
      201,
    ]);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(3);
    expect(await inbox.eventCount()).toBe(3);
  });

  test("Each inbox has its own dedup_ids", async ({ api }) => {
    const [one, two] = [await makeInbox(api), await makeInbox(api)];
    await one.ingest({ query: { dedup_id: "same" } });
    await two.ingest({ query: { dedup_id: "same" } });
  });
});

test.describe("A full inbox", () => {
  test("It accepts an event when a sweep makes room during the ingest", async ({ api, db }) => {
    test.skip(onCitus, "Finds out who waits for a lock on one server");
    const inbox = await makeInbox(api, { max_events: 1 });
    await inbox.ingest({ query: { ttl_seconds: 1000 } });
    await elapse(db, inbox.id, 1000);
    const waiting = async () => {
      const { rowCount } = await db.query(
        `SELECT FROM pg_locks JOIN inbox_state ON inbox_state.ctid = format('(%s,%s)', page, tuple)::tid
         WHERE locktype = 'tuple' AND relation = 'inbox_state'::regclass AND inbox_id = $1`,
        [inbox.id],
      );
      return rowCount;
    };
    /** As the sweep does: locks the inbox, then removes what has expired. */
    const sweep = () =>
      whileLocked(db, inbox.id, async (client) => {
        await client.query("DELETE FROM inbox_events WHERE inbox_id = $1", [inbox.id]);
        await client.query("UPDATE inbox_state SET occupied = 0 WHERE inbox_id = $1", [inbox.id]);
        await client.query("COMMIT");
      });
    // The ingest finds the inbox full, then the sweep runs, then the ingest removes what has expired.
    let both: [ReturnType<typeof inbox.tryIngest>, Promise<void>] | undefined;
    await whileLocked(db, inbox.id, async () => {
      const ingested = inbox.tryIngest();
      await expect.poll(waiting).toBe(1);
      both = [ingested, sweep()];
      await expect.poll(waiting).toBe(2);
    });
    const [response] = await Promise.all(both ?? []);
    expect(response?.status).toBe(201);
  });

  test("An ingest that waits for another one counts its event", async ({ api, db }) => {
    test.skip(onCitus, "Finds out who waits for a lock on one server");
    const inbox = await makeInbox(api, { max_events: 1 });
    const filled = `UPDATE inbox_state SET occupied = 1 WHERE inbox_id = '${inbox.id}'`;
    const late = await whileUncommitted(db, [filled], "ingest_events", () => inbox.tryIngest());
    expectError(late, 429, "inbox_full");
  });

  test("It answers 429 inbox_full with Retry-After, and accepts one event for each that leaves", async ({
    api,
  }) => {
    const inbox = await makeInbox(api, { max_events: 2 });
    const first = await inbox.ingest({ raw: "1" });
    await inbox.ingest({ raw: "2", query: { dedup_id: "two" } });
    const full = await inbox.tryIngest({ raw: "3" });
    expectError(full, 429, "inbox_full");
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
    expectStatus(await inbox.tryIngest({ raw: "2", query: { dedup_id: "two" } }), 200);
    expect((await inbox.events()).map(({ body }) => body)).toEqual(["1", "2"]);

    expectStatus(await inbox.ack(await inbox.receiveOne()), 204);
    expectError(await inbox.tryEvent(first.id), 404, "resource_not_found");
    await inbox.ingest({ raw: "3" });
    expectError(await inbox.tryIngest({ raw: "4" }), 429, "inbox_full");
  });

  for (const [what, leave] of [
    ["expired", (_: string) => 1000],
    ["died by its last lease", (_: string) => 60],
  ] as const) {
    test(`Events that have ${what} free their room at once`, async ({ api, db }) => {
      const inbox = await makeInbox(api, { max_events: 1, default_ttl_seconds: 1000 });
      const { id } = await inbox.ingest();
      if (what !== "expired") {
        await db.query("UPDATE inbox_events SET delivery_count = 9 WHERE id = $1", [id]);
        await inbox.receiveOne({ lease_seconds: 60 });
      }
      expectError(await inbox.tryIngest(), 429, "inbox_full");
      await elapse(db, inbox.id, leave(id));
      await inbox.ingest();
      expectError(await inbox.tryIngest(), 429, "inbox_full");
    });
  }

  test("50 parallel ingests never exceed max_events", async ({ api }) => {
    for (const max_events of [1, 7, 49, 50]) {
      const inbox = await makeInbox(api, { max_events });
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => inbox.tryIngest({ raw: "x" })),
      );
      const taken = responses.filter(({ status }) => status === 201).length;
      const refused = responses.filter(({ status }) => status === 429).length;
      expect([taken, refused]).toEqual([max_events, 50 - max_events]);
      expect(await inbox.eventCount()).toBe(max_events);
      expect(await inbox.events({ limit: 100 })).toHaveLength(max_events);
    }
  });

  test("Parallel ingests, acknowledgements and purges keep the count exact", async ({ api }) => {
    const inbox = await makeInbox(api, { max_events: 20 });
    const numbers = Array.from({ length: 150 }).keys();
    const work = Array.from({ length: 40 }, async () => {
      for (const n of numbers) {
        const response = await inbox.tryIngest({ raw: `${n}` });
        if (response.status !== 201) expectError(response, 429, "inbox_full");
        for (const event of await inbox.receive({ limit: 1 + (n % 3) })) await inbox.ack(event);
        if (n % 40 === 0) await inbox.purge({ state: "ready" });
      }
    });
    await Promise.all(work);
    const { totals } = await inbox.stats();
    const left = await inbox.events({ limit: 100 });
    expect(await inbox.eventCount()).toBe(left.length);
    expect(totals.ingested).toBe(totals.acknowledged + totals.purged + left.length);
    await inbox.purge();
    const refill = await Promise.all(Array.from({ length: 30 }, () => inbox.tryIngest()));
    expect(refill.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  test("Lowering max_events drops no events and refuses new ones until there is room", async ({
    api,
  }) => {
    const inbox = await makeInbox(api, { max_events: 3 });
    for (const raw of ["1", "2", "3"]) await inbox.ingest({ raw });
    expectStatus(await api("PATCH", inbox.path, { body: { max_events: 1 } }), 200);
    expect(await inbox.eventCount()).toBe(3);
    for (let left = 3; left > 0; left -= 1) {
      expectError(await inbox.tryIngest(), 429, "inbox_full");
      expectStatus(await inbox.ack(await inbox.receiveOne()), 204);
    }
    await inbox.ingest();
  });
});
