import type { Pool } from "pg";
import { CHANNEL } from "@/lib/platform/wakeups/listener";
import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, onCitus, test } from "../support/fixtures";
import { jsonOf } from "../support/http";
import {
  type Event,
  elapse,
  inboxClient,
  makeInbox,
  type Outcomes,
  whileLocked,
} from "../support/inboxes";
import { databaseNow } from "../support/leases";

test.describe("Receive", () => {
  test("Without a body the oldest ready event is leased for a minute", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest({ raw: "first" });
    await inbox.ingest({ raw: "second" });
    const before = await databaseNow(db);
    const response = await api("POST", `${inbox.path}/events/receive`);
    expectStatus(response, 200);
    const { data, ...envelope } = jsonOf<{ data: Event[] }>(response);
    expect(envelope).toEqual({ object: "list", has_more: false, next_cursor: null });
    expect(data).toEqual([
      expect.objectContaining({
        body: "first",
        state: "leased",
        lease_id: expect.stringMatching(/^lse_[0-9A-Za-z]{25}$/),
        delivery_count: 1,
        consumer: null,
      }),
    ]);
    const [event] = data;
    expect(event?.leased_until).toBeGreaterThanOrEqual(before + 60);
    expect(event?.leased_until).toBeLessThanOrEqual((await databaseNow(db)) + 61);
    const looked = await inbox.event(event?.id ?? "");
    expect(looked).toEqual({ ...event, lease_id: undefined });
    expect(Object.keys(looked)).not.toContain("lease_id");
  });

  test("A received event is what a GET shows, whatever its texts are", async ({ api, key }) => {
    const inbox = await makeInbox(api, {}, key);
    const odd = 'a "quoted" \\ word,\tü €\n\u2028';
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`x-${n}`, ""]));
    await inbox.ingest({
      raw: '\uFEFF{"a": [1e400, "\\u0000"]}',
      headers: { "Content-Type": 'application/json; of="x"', "X-Odd": 'a "quoted" \\ word' },
      query: { dedup_id: odd, 'q"': odd },
    });
    await inbox.ingest({ raw: odd, headers: many });
    await inbox.ingest({ raw: Buffer.from([0, 255]) });
    await inbox.ingest();
    for (const event of await inbox.receive({ limit: 4 })) {
      expectStatus(await inbox.nack(event, { error: odd }), 200);
    }
    const again = await inbox.receive({ limit: 4, consumer: odd });
    expect(again).toHaveLength(4);
    for (const event of again) {
      expect(event).toMatchObject({ consumer: odd, last_error: odd, delivery_count: 2 });
      const { lease_id, ...shown } = event;
      expect(JSON.stringify(await inbox.event(event.id))).toBe(JSON.stringify(shown));
    }
    expect(again.filter((event) => event.headers_truncated)).toHaveLength(1);
  });

  test("Events are received first in, first out, up to the limit, and none twice", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    for (const raw of ["1", "2", "3", "4", "5"]) await inbox.ingest({ raw });
    const bodies = async (body: object) => (await inbox.receive(body)).map((event) => event.body);
    expect(await bodies({ limit: 2, consumer: "me" })).toEqual(["1", "2"]);
    expect(await bodies({ limit: 100, lease_seconds: 43_200 })).toEqual(["3", "4", "5"]);
    expect(await bodies({ limit: 100 })).toEqual([]);
    expect((await inbox.events()).map(({ consumer }) => consumer)).toEqual([
      "me",
      "me",
      null,
      null,
      null,
    ]);
  });

  test("An event that is not acknowledged is delivered again after its lease, under a new one", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const first = await inbox.receiveOne({ lease_seconds: 60 });
    await elapse(db, inbox.id, 50);
    expect(await inbox.receive()).toEqual([]);
    await elapse(db, inbox.id, 10);
    const second = await inbox.receiveOne();
    expect(second).toMatchObject({ id: first.id, delivery_count: 2 });
    expect(second.lease_id).not.toBe(first.lease_id);
  });

  test("Large events are split over several responses of a few megabytes", async ({ api }) => {
    const inbox = await makeInbox(api);
    for (let n = 0; n < 6; n += 1) await inbox.ingest({ raw: Buffer.alloc(1_000_000, "x") });
    const page = await api("GET", `${inbox.path}/events`);
    expect(page.bytes.length).toBeLessThan(4_500_000);
    expect(page.body).toMatchObject({ has_more: true, next_cursor: page.body.data.at(-1)?.id });
    const rest = await api("GET", `${inbox.path}/events`, {
      query: { after: page.body.next_cursor ?? "" },
    });
    expect(page.body.data.length + rest.body.data.length).toBe(6);
    expect(await inbox.receive({ limit: 100 })).toHaveLength(4);
    expect(await inbox.receive({ limit: 100 })).toHaveLength(2);
  });

  test("Long queries are split over several responses, and each event is in one", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    for (let n = 0; n < 3; n += 1) await inbox.ingest();
    // Reading one costs more than its bytes.
    await db.query(
      "UPDATE inbox_events SET query_string = repeat('a=1&', 60000) WHERE inbox_id = $1",
      [inbox.id],
    );
    const { body: page } = await api("GET", `${inbox.path}/events`);
    expect(page.data).toHaveLength(2);
    expect(page).toMatchObject({ has_more: true, next_cursor: page.data[1]?.id });
    expect(await inbox.events({ after: page.next_cursor ?? "" })).toHaveLength(1);
    expect(await inbox.receive({ limit: 100 })).toHaveLength(2);
    expect(await inbox.receive({ limit: 100 })).toHaveLength(1);
  });

  test("A list whose first event is larger than a page goes on after it", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await inbox.ingest({ raw: "small" })).id);
    // As with a higher INBOX_MAX_BODY_BYTES.
    await db.query(
      `UPDATE inbox_events SET body = convert_to(repeat('x', 4500000), 'UTF8'), size_bytes = 4500000
       WHERE inbox_id = $1 AND id = $2`,
      [inbox.id, ids[0]],
    );
    const first = await api("GET", `${inbox.path}/events`);
    expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    expect(first.body).toMatchObject({ has_more: true, next_cursor: ids[0] });
    expect((await inbox.events({ after: ids[0] })).map(({ id }) => id)).toEqual(ids.slice(1));
  });

  test("`ack` acknowledges earlier deliveries in the same call", async ({ api }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest({ raw: "1" });
    await inbox.ingest({ raw: "2" });
    const first = await inbox.receiveOne();
    const ack = [
      { event_id: first.id, lease_id: first.lease_id },
      { event_id: "iev_none", lease_id: "x" },
    ];
    const response = await api("POST", `${inbox.path}/events/receive`, { body: { ack } });
    expect(response.body).toMatchObject({
      data: [{ body: "2" }],
      acks: [
        { event_id: first.id, outcome: "acknowledged" },
        { event_id: "iev_none", outcome: "not_found" },
      ],
    });
    expectError(await inbox.tryEvent(first.id), 404, "resource_not_found");
  });

  const REFUSED: Array<[string, unknown]> = [
    ["limit", 1.5],
    ["limit", "1"],
    ["lease_seconds", 0],
    ["lease_seconds", 43_201],
    ["wait_seconds", null],
    ["consumer", ""],
  ];
  test("A value that a field cannot have is refused by the field's name", async ({ api }) => {
    const inbox = await makeInbox(api);
    for (const [field, value] of REFUSED) {
      const body = { [field]: value };
      const response = await api("POST", `${inbox.path}/events/receive`, { body });
      expectError(response, 400, "invalid_param", field);
    }
  });
});

test("limit and wait are clamped to their bounds", async ({ api }) => {
  const inbox = await makeInbox(api);
  for (const body of ["1", "2", "3"]) await inbox.ingest({ raw: body });
  const received = async (body: object) => {
    const response = await api("POST", `${inbox.path}/events/receive`, { body });
    expectStatus(response, 200);
    return response.body.data.length;
  };
  expect(await received({ limit: 0, wait_seconds: 60 })).toBe(1);
  expect(await received({ limit: 1000, wait_seconds: -1 })).toBe(2);
  expect(await received({ limit: -5, wait_seconds: -1 })).toBe(0);
});

test.describe("Long poll", () => {
  test("A waiting receiver gets an event within a second of its ingest", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    for (let round = 0; round < 3; round += 1) {
      let arrived = 0;
      const waiting = inbox.receiveOne({ wait_seconds: 20 }).then((event) => {
        arrived = performance.now();
        return event;
      });
      await expect.poll(() => isAwaited(db, inbox.id)).toBe(true);
      const sent = performance.now();
      await inbox.ingest({ raw: `${round}` });
      expect((await waiting).body).toBe(`${round}`);
      await expectWithin(api, 1000, arrived - sent);
    }
  });

  test("A waiting receiver gets an event within a second of the end of its delay or lease, or of a nack", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const since = (start: number) => performance.now() - start;
    const ingested = performance.now();
    const { id } = await inbox.ingest({ query: { delay_seconds: 2 } });
    expect((await inbox.receiveOne({ wait_seconds: 20, lease_seconds: 2 })).id).toBe(id);
    const delayed = since(ingested);
    expect(delayed).toBeGreaterThanOrEqual(2000);
    await expectWithin(api, 3000, delayed);
    const leased = performance.now();
    const afterLease = await inbox.receiveOne({ wait_seconds: 20, lease_seconds: 100 });
    expect(afterLease.id).toBe(id);
    await expectWithin(api, 3000, since(leased));
    const waiting = inbox.receiveOne({ wait_seconds: 20 });
    const nacked = performance.now();
    expectStatus(await inbox.nack(afterLease), 200);
    expect((await waiting).id).toBe(id);
    await expectWithin(api, 1000, since(nacked));
  });

  test("A receiver that lost its connection gets the next event when it repeats the request with its key", async ({
    api,
    baseUrl,
    db,
    key,
  }) => {
    const inbox = await makeInbox(api, {}, key);
    const path = `${inbox.path}/events/receive`;
    const headers = { "idempotency-key": "the key of a wait" };
    const body = { wait_seconds: 20 };
    const leave = startWaiting(`${baseUrl}${path}`, { key, headers, body });
    await expect.poll(() => isAwaited(db, inbox.id)).toBe(true);
    // Later, so that the request that was lost does not lease it.
    const { id } = await inbox.ingest({ query: { delay_seconds: 2 } });
    await leave();
    const repeat = async () => {
      const { status, body: list } = await api("POST", path, { key, headers, body });
      return status === 409 ? [] : list.data.map((event) => event.id);
    };
    await expect.poll(repeat).toEqual([id]);
  });

  test("A receiver that lost its connection learns by a repeat what its request has acknowledged", async ({
    api,
    baseUrl,
    db,
    key,
  }) => {
    const inbox = await makeInbox(api, {}, key);
    const { id: event_id } = await inbox.ingest({});
    const [leased] = await inbox.receive();
    const path = `${inbox.path}/events/receive`;
    const headers = { "idempotency-key": "the key of a wait with acks" };
    const body = { wait_seconds: 20, ack: [{ event_id, lease_id: leased?.lease_id }] };
    const leave = startWaiting(`${baseUrl}${path}`, { key, headers, body });
    await expect.poll(() => isAwaited(db, inbox.id)).toBe(true);
    await leave();
    const repeat = async () => {
      const response = await api("POST", path, { key, headers, body });
      return jsonOf<{ acks?: object[] }>(response).acks;
    };
    await expect.poll(repeat).toEqual([{ event_id, outcome: "acknowledged" }]);
  });

  test("An extension that shortens a lease wakes waiting receivers, and another does not", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const event = await inbox.receiveOne({ lease_seconds: 100 });
    const awaited = "UPDATE inbox_state SET awaited_until = now() + interval '1 minute'";
    await db.query(`${awaited} WHERE inbox_id = $1`, [inbox.id]);
    const topic = `inbox:${inbox.id}`;
    const heard: unknown[] = [];
    const listener = await db.connect();
    try {
      listener.on("notification", ({ payload }) => payload === topic && heard.push(payload));
      await listener.query(`LISTEN ${CHANNEL}`);
      for (const seconds of [200, 300, 50]) {
        expectStatus(await inbox.extend(event, seconds), 200);
      }
      await expect.poll(() => heard).toEqual([topic]);
    } finally {
      listener.release(true);
    }
  });

  test("When no event arrives, the response is an empty list after the requested time", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const started = performance.now();
    expect(await inbox.receive({ wait_seconds: 1 })).toEqual([]);
    const seconds = (performance.now() - started) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThan(15);
  });

  test("Twenty waiting receivers each get one of twenty events", async ({ api }) => {
    const inbox = await makeInbox(api);
    const waiting = Array.from({ length: 20 }, () => inbox.receiveOne({ wait_seconds: 20 }));
    await Promise.all(Array.from({ length: 20 }, (_, n) => inbox.ingest({ raw: `${n}` })));
    const events = await Promise.all(waiting);
    expect(new Set(events.map(({ id }) => id)).size).toBe(20);
  });

  test("A receiver that disconnects while waiting leases nothing", async ({ api, baseUrl }) => {
    const inbox = await makeInbox(api);
    const controller = new AbortController();
    const gone = fetch(`${baseUrl}${inbox.path}/events/receive`, {
      method: "POST",
      body: '{"wait_seconds": 20}',
      signal: controller.signal,
    }).catch((error: Error) => error.name);
    await expect.poll(() => inbox.eventCount()).toBe(0);
    controller.abort();
    expect(await gone).toBe("AbortError");
    await expect
      .poll(async () => {
        const { id } = await inbox.ingest();
        const { state } = await inbox.event(id);
        return state;
      })
      .toBe("ready");
  });

  test("A receiver that disconnects before its first lease leases nothing", async ({
    api,
    baseUrl,
    db,
  }) => {
    test.skip(onCitus, "Finds out who waits for a lock on one server");
    const inbox = await makeInbox(api);
    const { id } = await inbox.ingest();
    const input = { ack: [{ event_id: "iev_none", lease_id: "lse_none" }] };
    await whileLocked(db, inbox.id, async (lock) => {
      const controller = new AbortController();
      const gone = fetch(`${baseUrl}${inbox.path}/events/receive`, {
        method: "POST",
        body: JSON.stringify(input),
        signal: controller.signal,
      }).catch((error: Error) => error.name);
      const { rows } = await lock.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      // Its acknowledgement waits for the lock.
      const waiting = "SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))";
      await expect.poll(async () => (await db.query(waiting, [rows[0]?.pid])).rowCount).toBe(1);
      controller.abort();
      expect(await gone).toBe("AbortError");
      // By its response, the server has noticed.
      await inbox.get();
    });
    // Acknowledges too, so its lease comes after that of the other.
    expect(await inbox.receive(input)).toEqual([expect.objectContaining({ id })]);
  });
});

test.describe("Acknowledge", () => {
  test("An acknowledged event is gone for good", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const event = await inbox.receiveOne();
    const response = await inbox.ack(event);
    expectStatus(response, 204);
    expect(response.text).toBe("");
    const again = await inbox.ack(event);
    expectError(again, 404, "resource_not_found");
    expect(again.body.error.message).toContain("already acknowledged, expired or deleted");
    await elapse(db, inbox.id, 100);
    expect(await inbox.receive()).toEqual([]);
    expect(await inbox.eventCount()).toBe(0);
  });

  test("A late acknowledgement is accepted unless another receiver holds the event", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const event = await inbox.receiveOne({ lease_seconds: 1 });
    await elapse(db, inbox.id, 1000);
    expectStatus(await inbox.ack(event), 204);
  });

  test("Once another receiver holds the event, ack, nack and extend with the old lease are refused", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const old = await inbox.receiveOne({ lease_seconds: 1 });
    await elapse(db, inbox.id, 1);
    const current = await inbox.receiveOne({ lease_seconds: 100 });
    const before = await inbox.event(current.id);
    for (const response of [
      await inbox.ack(old),
      await inbox.nack(old, { error: "x" }),
      await inbox.extend(old, 500),
      await inbox.ack({ ...old, lease_id: "lse_guess" }),
    ]) {
      expectError(response, 409, "lease_lost", "lease_id");
    }
    expect(await inbox.event(current.id)).toEqual(before);
    // Even after the second lease has expired, the first is refused.
    await elapse(db, inbox.id, 100);
    expectError(await inbox.ack(old), 409, "lease_lost", "lease_id");
    expectStatus(await inbox.ack(current), 204);
  });

  test("Of parallel deletes of one event one succeeds, and it counts as acknowledged", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const event = await inbox.receiveOne();
    await inbox.ack(event);
    await inbox.ingest();
    const other = await inbox.receiveOne();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => inbox.removeEvent(other.id)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    expect(await inbox.eventCount()).toBe(0);
    expect((await inbox.stats()).totals).toMatchObject({ ingested: 2, acknowledged: 2 });
  });

  test("Each item of a batch has its own outcome", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    for (const raw of ["a", "b", "c", "d", "e"]) await inbox.ingest({ raw });
    const [lost] = await inbox.receive({ lease_seconds: 1 });
    await elapse(db, inbox.id, 1);
    const events = await inbox.receive({ limit: 100 });
    const pair = (body: string, lease?: string) => {
      const event = events.find((one) => one.body === body);
      return { event_id: event?.id ?? "", lease_id: lease ?? event?.lease_id ?? "" };
    };
    await db.query("UPDATE inbox_events SET delivery_count = 10 WHERE id = $1", [
      pair("e").event_id,
    ]);
    const response = await inbox.settle({
      acks: [pair("a", lost?.lease_id), pair("b"), { event_id: "iev_none", lease_id: "lse_none" }],
      nacks: [
        { ...pair("c"), delay_seconds: 50, error: "not now" },
        { ...pair("d"), lease_id: "wrong" },
        pair("e"),
      ],
    });
    expectStatus(response, 200);
    const outcomes = jsonOf<Outcomes>(response);
    expect(outcomes.acks.map(({ outcome }) => outcome)).toEqual([
      "lease_lost",
      "acknowledged",
      "not_found",
    ]);
    expect(outcomes.nacks.map(({ outcome }) => outcome)).toEqual([
      "released",
      "lease_lost",
      "dead",
    ]);
    expect(outcomes.acks[2]?.event_id).toBe("iev_none");
    expect((await inbox.events()).map(({ body, state }) => [body, state])).toEqual([
      ["a", "leased"],
      ["c", "delayed"],
      ["d", "leased"],
      ["e", "dead"],
    ]);
    expect((await inbox.events())[1]?.last_error).toBe("not now");
    const tooMany = Array.from({ length: 101 }, () => pair("a"));
    expectError(await inbox.settle({ acks: tooMany }), 400, "invalid_param", "acks");
    expectError(
      await inbox.settle({ nacks: [{ event_id: "x" }] }),
      400,
      "missing_required_param",
      "nacks.0.lease_id",
    );
  });

  test("A batch without acks, without nacks, or without both is for those who may reach the inbox", async ({
    api,
    db,
  }) => {
    const { key } = await makeOrganization(db);
    const { id } = await makeInbox(api, {}, key);
    const item = { event_id: "iev_none", lease_id: "lse_none" };
    const notFound = { event_id: item.event_id, outcome: "not_found" };
    for (const [acks, nacks] of [
      [[], []],
      [[item], []],
      [[], [item]],
    ]) {
      const settled = await inboxClient(api, id, key).settle({ acks, nacks });
      expectStatus(settled, 200);
      expect(jsonOf<Outcomes>(settled)).toMatchObject({
        acks: acks?.map(() => notFound),
        nacks: nacks?.map(() => notFound),
      });
      const stranger = inboxClient(api, id, (await makeOrganization(db)).key);
      expectError(await stranger.settle({ acks, nacks }), 403, "forbidden");
      expectError(
        await inboxClient(api, "inbox_none", key).settle({ acks, nacks }),
        404,
        "resource_not_found",
      );
    }
  });
});

test.describe("Nack, extend, dead, redrive, purge", () => {
  test("A nack makes the event ready at once, or after its delay", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const first = await inbox.receiveOne();
    const nacked = await inbox.nack(first, { error: "Out of paper" });
    expectStatus(nacked, 200);
    expect(nacked.body).toMatchObject({ id: first.id, state: "ready", last_error: "Out of paper" });
    expect(Object.keys(nacked.body)).not.toContain("lease_id");
    const second = await inbox.receiveOne();
    expect((await inbox.nack(second, { delay_seconds: 100 })).body).toMatchObject({
      state: "delayed",
      last_error: null,
    });
    expectError(await inbox.ack(second), 409, "lease_lost", "lease_id");
    expect(await inbox.receive()).toEqual([]);
    await elapse(db, inbox.id, 100);
    expect((await inbox.receiveOne()).delivery_count).toBe(3);
  });

  test("The delay of a nack ends before the event expires", async ({ api }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest({ query: { ttl_seconds: 3600 } });
    const event = await inbox.receiveOne();
    const nacked = await inbox.nack(event, { delay_seconds: 7200 });
    expectStatus(nacked, 200);
    expect(nacked.body).toMatchObject({ state: "delayed", visible_at: event.expires_at - 1 });
  });

  test("An extended lease lasts its new duration from now", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const event = await inbox.receiveOne({ lease_seconds: 60 });
    await elapse(db, inbox.id, 50);
    const extended = await inbox.extend(event, 100);
    expectStatus(extended, 200);
    expect(extended.body).toMatchObject({ id: event.id, state: "leased" });
    await elapse(db, inbox.id, 90);
    expect(await inbox.receive()).toEqual([]);
    await elapse(db, inbox.id, 10);
    // An expired lease can still be extended while no other receiver holds the event.
    expectStatus(await inbox.extend(event, 50), 200);
    expect(await inbox.receive()).toEqual([]);
    expectStatus(await inbox.ack(event), 204);
  });

  test("With Prefer: return=minimal a nack, an extension and a redrive return the event without body and headers", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest({ body: { order: 7 }, query: { from: "shop" } });
    const { id, lease_id } = await inbox.receiveOne();
    const headers = { prefer: "return=minimal" };
    const post = (step: string, body: object) =>
      api("POST", `${inbox.path}/events/${id}/${step}`, { headers, body });
    const answers = [
      await post("extend", { lease_id, lease_seconds: 60 }),
      await post("nack", { lease_id, dead: true }),
      await post("redrive", {}),
    ];
    expect(answers.map(({ body }) => body.state)).toEqual(["leased", "dead", "ready"]);
    const {
      body: _,
      parsed_body: __,
      headers: ___,
      query_params: ____,
      ...rest
    } = await inbox.event(id);
    expect(answers.at(-1)?.body).toEqual(rest);
  });

  for (const how of ["a lease that ends", "a nack"]) {
    test(`After ten deliveries that end with ${how} an event is dead, and redrive makes it ready`, async ({
      api,
      db,
    }) => {
      const inbox = await makeInbox(api, { max_events: 1 });
      const { id } = await inbox.ingest();
      let last: Event | undefined;
      for (let n = 1; n <= 10; n += 1) {
        expectError(await inbox.redrive(id), 400, "invalid_param", "state");
        last = await inbox.receiveOne({ lease_seconds: 60 });
        expect(last.delivery_count).toBe(n);
        if (how === "a nack") expectStatus(await inbox.nack(last, { error: `${n}` }), 200);
        else await elapse(db, inbox.id, 60);
      }
      expect(await inbox.receive()).toEqual([]);
      const dead = await inbox.event(id);
      expect(dead).toMatchObject({ state: "dead", visible_at: null, leased_until: null });
      expect(await inbox.stats()).toMatchObject({ ready: 0, dead: 1 });
      expect(await inbox.eventCount()).toBe(0);
      expect((await inbox.events({ state: "dead" })).map((event) => event.id)).toEqual([id]);
      if (last) expectError(await inbox.extend(last, 60), 409, "lease_lost", "lease_id");

      // A dead event takes no room, but a redriven one does.
      const other = await inbox.ingest();
      expectError(await inbox.redrive(id), 429, "inbox_full");
      expectStatus(await inbox.removeEvent(other.id), 204);
      const redriven = await inbox.redrive(id);
      expectStatus(redriven, 200);
      expect(redriven.body).toMatchObject({ id, state: "ready", delivery_count: 0 });
      expect(await inbox.eventCount()).toBe(1);
      expect((await inbox.receiveOne()).id).toBe(id);
    });
  }

  test("A nack with dead makes an event dead at once, singly or in a batch", async ({ api }) => {
    const inbox = await makeInbox(api, { max_events: 2 });
    await inbox.ingest({ query: { dedup_id: "a" } });
    await inbox.ingest();
    const [first, second] = await inbox.receive({ limit: 2 });
    if (!first || !second) throw new Error("Two events were ready.");
    const buried = await inbox.nack(first, { dead: true, delay_seconds: 5, error: "Poison" });
    expectStatus(buried, 200);
    const dead = { state: "dead", visible_at: null, delivery_count: 1, last_error: "Poison" };
    expect(buried.body).toMatchObject({ id: first.id, ...dead });
    const nacks = [{ event_id: second.id, lease_id: second.lease_id, dead: true }];
    expect(jsonOf<Outcomes>(await inbox.settle({ nacks })).nacks).toEqual([
      { event_id: second.id, outcome: "dead" },
    ]);
    expect([await inbox.eventCount(), await inbox.receive()]).toEqual([0, []]);
    // Its dedup_id and its room are free again.
    expect((await inbox.ingest({ query: { dedup_id: "a" } })).deduplicated).toBe(false);
    expectStatus(await inbox.redrive(first.id), 200);
    expect((await inbox.receive({ limit: 2 })).map(({ id }) => id)).toContain(first.id);
    expectError(await inbox.nack(first, { dead: "yes" }), 400, "invalid_param", "dead");
  });

  test("Redriving all dead events takes the oldest that fit, and reports how many remain", async ({
    api,
  }) => {
    const inbox = await makeInbox(api, { max_events: 3 });
    expect((await inbox.redriveAll()).body).toMatchObject({ redriven: 0, remaining: 0 });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      ids.push((await inbox.ingest()).id);
      expectStatus(await inbox.nack(await inbox.receiveOne(), { dead: true }), 200);
    }
    const redrive = async (body?: object) => {
      const response = await inbox.redriveAll(body);
      expectStatus(response, 200);
      return response.body;
    };
    const result = { object: "inbox_redrive_result", redriven: 1, remaining: 5 };
    expect(await redrive({ limit: 1 })).toEqual(result);
    expect(await redrive()).toMatchObject({ redriven: 2, remaining: 3 });
    expectError(await inbox.redriveAll(), 429, "inbox_full");
    const ready = await inbox.receive({ limit: 100 });
    expect(ready.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    for (const event of ready) await inbox.ack(event);
    expect(await redrive({ limit: 100_000 })).toMatchObject({ redriven: 3, remaining: 0 });
    expect(await inbox.stats()).toMatchObject({ ready: 3, dead: 0 });
  });

  test("A late acknowledgement is accepted for an event whose last lease expired", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    const { id } = await inbox.ingest();
    await db.query("UPDATE inbox_events SET delivery_count = 9 WHERE id = $1", [id]);
    const event = await inbox.receiveOne({ lease_seconds: 10 });
    await elapse(db, inbox.id, 10);
    expect((await inbox.event(id)).state).toBe("dead");
    await inbox.receive();
    expectStatus(await inbox.ack(event), 204);
    expect(await inbox.stats()).toMatchObject({ dead: 0, totals: { acknowledged: 1 } });
    expect(await inbox.eventCount()).toBe(0);
  });

  test("A redriven event keeps existing beside a newer one with its dedup_id", async ({ api }) => {
    const inbox = await makeInbox(api);
    const query = { dedup_id: "same" };
    const { id } = await inbox.ingest({ query });
    for (let n = 0; n < 10; n += 1) await inbox.nack(await inbox.receiveOne());
    const second = await inbox.ingest({ query });
    expectStatus(await inbox.redrive(id), 200);
    expect((await inbox.tryIngest({ query })).body.id).toBe(second.id);
    expect(await inbox.eventCount()).toBe(2);
  });

  test("Of dead events with one dedup_id, all redriven at once, the oldest has it", async ({
    api,
  }) => {
    const inbox = await makeInbox(api, { max_events: 3 });
    const query = { dedup_id: "same" };
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      ids.push((await inbox.ingest({ query })).id);
      if (n < 3) await inbox.nack(await inbox.receiveOne(), { dead: true });
    }
    // The last one is pending and has it.
    expect((await inbox.redriveAll()).body).toMatchObject({ redriven: 2, remaining: 1 });
    expect((await inbox.tryIngest({ query })).body.id).toBe(ids[3]);
    for (let n = 0; n < 3; n += 1) await inbox.nack(await inbox.receiveOne(), { dead: true });
    expect((await inbox.redriveAll()).body).toMatchObject({ redriven: 3, remaining: 1 });
    expect((await inbox.tryIngest({ query })).body.id).toBe(ids[0]);
    expectStatus(await inbox.ack(await inbox.receiveOne()), 204);
    expect((await inbox.ingest({ query })).deduplicated).toBe(false);
  });

  test("Purge deletes the events in one state, or all", async ({ api }) => {
    const inbox = await makeInbox(api);
    for (const raw of ["leased", "ready", "ready"]) await inbox.ingest({ raw });
    await inbox.ingest({ raw: "delayed", query: { delay_seconds: 100 } });
    const leased = await inbox.receiveOne();
    const left = async () => (await inbox.events()).map(({ body }) => body);
    expectStatus(await inbox.purge({ state: "dead" }), 204);
    expect(await left()).toHaveLength(4);
    expectStatus(await inbox.purge({ state: "ready" }), 204);
    expect(await left()).toEqual(["leased", "delayed"]);
    expectError(await inbox.purge({ state: "other" }), 400, "invalid_param", "state");
    expectStatus(await inbox.purge(), 204);
    expect(await left()).toEqual([]);
    expect(await inbox.eventCount()).toBe(0);
    expectError(await inbox.ack(leased), 404, "resource_not_found");
  });

  test("The list of events is oldest first, paged, filtered by state and without side effects", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await inbox.ingest()).id);
    await inbox.receive({ limit: 2 });
    const first = await api("GET", `${inbox.path}/events`, {
      query: { limit: 3, include: "total_count" },
    });
    expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.body).toMatchObject({ has_more: true, next_cursor: ids[2], total_count: 5 });
    expect((await inbox.events({ after: ids[2] })).map(({ id }) => id)).toEqual(ids.slice(3));
    expect((await inbox.events({ state: "leased" })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await inbox.events({ state: "ready" })).map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await inbox.receive({ limit: 100 })).map(({ id }) => id)).toEqual(ids.slice(2));
    const wrong = await api("GET", `${inbox.path}/events`, { query: { after: "tsk_1" } });
    expectError(wrong, 400, "invalid_param", "after");
  });

  test("An event is found only in its own inbox", async ({ api }) => {
    const [one, two] = [await makeInbox(api), await makeInbox(api)];
    await one.ingest();
    const event = await one.receiveOne();
    expectError(await two.tryEvent(event.id), 404, "resource_not_found");
    expectError(await two.removeEvent(event.id), 404, "resource_not_found");
    expectError(await two.ack(event), 404, "resource_not_found");
    expectError(await two.nack(event), 404, "resource_not_found");
    expectError(await two.extend(event, 10), 404, "resource_not_found");
    expectError(await two.redrive(event.id), 404, "resource_not_found");
    expectStatus(await one.ack(event), 204);
  });
});

test.describe("Who may consume", () => {
  test("A foreign redrive is refused without waiting for a lock on the inbox", async ({
    api,
    db,
    key,
    otherOrganization,
  }) => {
    const inbox = await makeInbox(api, {}, key);
    const { id } = await inbox.ingest({ raw: "x" });
    const stranger = inboxClient(api, inbox.id, otherOrganization.key);
    await whileLocked(db, inbox.id, async () => {
      expectError(await stranger.redrive(id), 403, "forbidden");
    });
  });
});

test("A redrive without a limit redrives all dead events, as far as there is room", async ({
  api,
  db,
}) => {
  const inbox = await makeInbox(api, { max_events: 2500 });
  await inbox.ingest();
  // 2600 dead events, made in the database: a thousand ingests would take seconds.
  await db.query("UPDATE inbox_events SET visible_at = 'infinity' WHERE inbox_id = $1", [inbox.id]);
  await db.query("UPDATE inbox_state SET occupied = 0 WHERE inbox_id = $1", [inbox.id]);
  await db.query(
    `INSERT INTO inbox_events (inbox_id, id, headers, body, size_bytes, query_string, queue_id,
                               visible_at, lapses_at, expires_at)
     SELECT inbox_id, id || n, headers, body, size_bytes, query_string, queue_id, visible_at,
            lapses_at, expires_at
     FROM inbox_events, generate_series(1, 2599) AS n WHERE inbox_id = $1`,
    [inbox.id],
  );
  const all = await inbox.redriveAll();
  expect(all.body).toEqual({ object: "inbox_redrive_result", redriven: 2500, remaining: 100 });
  expect(await inbox.stats()).toMatchObject({ ready: 2500, dead: 100 });
  expectError(await inbox.redriveAll(), 429, "inbox_full");
  await inbox.purge({ state: "ready" });
  expect((await inbox.redriveAll({ limit: 30 })).body).toMatchObject({
    redriven: 30,
    remaining: 70,
  });
});

test("An event leased during a purge of ready events is kept, and a purge of all events removes it", async ({
  api,
  db,
}) => {
  test.skip(onCitus, "Finds out who waits for a lock on one server");
  for (const [query, left] of [
    [{ state: "ready" }, 1],
    [{}, 0],
  ] as const) {
    const inbox = await makeInbox(api);
    await inbox.ingest();
    const receiver = await db.connect();
    try {
      await receiver.query("BEGIN");
      // As a receiver does, which does not lock the inbox.
      await receiver.query(
        "UPDATE inbox_events SET visible_at = now() + interval '1 minute', lease_id = 'lse_x', delivery_count = 1 WHERE inbox_id = $1",
        [inbox.id],
      );
      const purged = inbox.purge(query);
      const waiting =
        "SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))";
      await expect.poll(async () => (await receiver.query(waiting)).rowCount).toBe(1);
      await receiver.query("COMMIT");
      expectStatus(await purged, 204);
    } finally {
      receiver.release();
    }
    expect(await inbox.eventCount()).toBe(left);
    const { leased, totals } = await inbox.stats();
    expect({ leased, purged: totals.purged }).toEqual({ leased: left, purged: 1 - left });
  }
});

/** Sends a request that waits, and returns what ends its connection. */
function startWaiting(
  url: string,
  { key, headers, body }: { key: string; headers: object; body: object },
) {
  const client = new AbortController();
  const lost = fetch(url, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: client.signal,
  }).catch(() => "lost");
  return async () => {
    client.abort();
    expect(await lost).toBe("lost");
  };
}

async function isAwaited(db: Pool, inboxId: string): Promise<boolean | undefined> {
  const { rows } = await db.query<{ yes: boolean }>(
    "SELECT awaited_until > now() AS yes FROM inbox_state WHERE inbox_id = $1",
    [inboxId],
  );
  return rows[0]?.yes;
}
