import { expectError, expectStatus } from "../support/expectations";
import { expect, onCitus, test } from "../support/fixtures";
import {
  type Event,
  elapse,
  type InboxClient,
  inboxClient,
  makeInbox,
  whileLocked,
} from "../support/inboxes";

test.describe("Receivers of one inbox at the same time", () => {
  test("divide the events, each up to its limit, with its own consumer and lease", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    await fill(inbox, 60);
    const wishes = Array.from({ length: 30 }, (_, n) => ({
      limit: 1 + (n % 3),
      lease_seconds: 100 + n,
      consumer: `worker ${n}`,
    }));
    const parts = await Promise.all(wishes.map((wish) => inbox.receive(wish)));
    expect(parts.map(({ length }) => length)).toEqual(wishes.map(({ limit }) => limit));
    const events = parts.flat();
    expect(new Set(events.map(({ id }) => id)).size).toBe(60);
    expect(new Set(events.map(({ lease_id }) => lease_id)).size).toBe(60);
    for (const [n, part] of parts.entries()) {
      expect(part.map(({ body }) => Number(body))).toEqual(
        part.map(({ body }) => Number(body)).sort((a, b) => a - b),
      );
      for (const event of part) {
        expect(event.consumer).toBe(`worker ${n}`);
        const seconds = (event.leased_until ?? 0) - event.received_at;
        expect(seconds).toBeGreaterThanOrEqual(100 + n - 1);
        expect(await inbox.event(event.id)).toEqual({ ...event, lease_id: undefined });
      }
    }
  });

  test("each get an event, however large the events are", async ({ api }) => {
    const inbox = await makeInbox(api);
    for (let n = 0; n < 6; n += 1) await inbox.ingest({ raw: Buffer.alloc(1_000_000, `${n}`) });
    const parts = await Promise.all([1, 1, 1, 1, 1, 1].map((limit) => inbox.receive({ limit })));
    expect(parts.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(new Set(parts.flat().map(({ id }) => id)).size).toBe(6);
  });

  test("see only what their keys allow", async ({ api, key, otherOrganization }) => {
    const inbox = await makeInbox(api, {}, key);
    await fill(inbox, 20);
    const stranger = inboxClient(api, inbox.id, otherOrganization.key);
    const nobody = inboxClient(api, inbox.id);
    const theirs = await makeInbox(api, {}, otherOrganization.key);
    await fill(theirs, 20);
    const rounds = Array.from({ length: 20 }, async () => {
      const [own, foreign, refused, anonymous] = await Promise.all([
        inbox.receiveOne(),
        theirs.receiveOne(),
        stranger.tryReceive(),
        nobody.tryReceive(),
      ]);
      expect([own.inbox_id, foreign.inbox_id]).toEqual([inbox.id, theirs.id]);
      expectError(refused, 403, "forbidden");
      expectError(anonymous, 403, "forbidden");
    });
    await Promise.all(rounds);
  });
});

test("Of fifty acknowledgements at once only the bad ones fail, each with its own error", async ({
  api,
  db,
}) => {
  const inbox = await makeInbox(api);
  await fill(inbox, 50);
  const events = await inbox.receive({ limit: 50 });
  const sent: ReturnType<InboxClient["ack"]>[] = [];
  await whileLocked(db, inbox.id, async () => {
    for (const [n, event] of events.entries()) {
      if (n === 20) sent.push(inbox.ack({ ...event, lease_id: "lse_other" }));
      else if (n === 30) sent.push(inbox.ack({ ...event, lease_id: "a\u0000b" }));
      else if (n === 40) sent.push(inbox.ack({ ...event, id: "iev_none" }));
      else sent.push(inbox.ack(event));
    }
    // All wait for the lock by now, or will.
    await api("GET", inbox.path);
  });
  for (const [n, response] of (await Promise.all(sent)).entries()) {
    if (n === 20) expectError(response, 409, "lease_lost", "lease_id");
    else if (n === 30) expectError(response, 400, "invalid_param", "lease_id");
    else if (n === 40) expectError(response, 404, "resource_not_found");
    else expectStatus(response, 204);
  }
  expect(await inbox.eventCount()).toBe(3);
  expect((await inbox.stats()).totals.acknowledged).toBe(47);
});

test.describe("However many events are gone", () => {
  test("every ready event is received, wherever it comes from", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    await inbox.ingest({ raw: "nacked" });
    await inbox.ingest({ raw: "dead" });
    await inbox.ingest({ raw: "leased" });
    await inbox.ingest({ raw: "delayed", query: { delay_seconds: "3600" } });
    const [nacked, dead, leased] = await inbox.receive({ limit: 3, lease_seconds: 3600 });
    if (!nacked || !dead || !leased) throw new Error("Three events were ready.");
    await inbox.nack(dead, { dead: true });
    await expect
      .poll(
        async () => {
          expect(await inbox.receive()).toEqual([]);
          const { rows } = await db.query<{ raised: boolean }>(
            "SELECT ready_from > '-infinity' AS raised FROM inbox_state WHERE inbox_id = $1",
            [inbox.id],
          );
          return rows[0]?.raised;
        },
        { intervals: [1], timeout: 20_000 },
      )
      .toBe(true);
    await inbox.extend(leased, 1);
    await inbox.nack(nacked);
    await inbox.redrive(dead.id);
    await inbox.ingest({ raw: "new" });
    await elapse(db, inbox.id, 3600);
    const bodies = (await inbox.receive({ limit: 10 })).map(({ body }) => body);
    expect(bodies.sort()).toEqual(["dead", "delayed", "leased", "nacked", "new"]);
  });

  for (const [what, write] of [
    ["ingest", (inbox: InboxClient) => inbox.tryIngest({ raw: "late" })],
    ["nack", (inbox: InboxClient, held: Event) => inbox.nack(held)],
    ["extension", (inbox: InboxClient, held: Event) => inbox.extend(held, 1)],
  ] as const) {
    test(`An event whose ${what} waited for a lock is received`, async ({ api, db }) => {
      test.skip(onCitus, "Finds out who waits for a lock on one server");
      const inbox = await makeInbox(api);
      await inbox.ingest({ raw: "held" });
      const held = await inbox.receiveOne({ lease_seconds: 3600 });
      const client = await db.connect();
      await client.query("BEGIN");
      const { rows: pids } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await client.query("SELECT FROM inbox_state WHERE inbox_id = $1 FOR UPDATE", [inbox.id]);
      const response = write(inbox, held);
      await expect
        .poll(async () => {
          const { rows } = await db.query(
            `SELECT FROM pg_stat_activity
             WHERE $1 = ANY (pg_blocking_pids(pid))`,
            [pids[0]?.pid],
          );
          return rows.length;
        })
        .toBe(1);
      await client.query(
        "UPDATE inbox_state SET ready_from = clock_timestamp() + interval '2 seconds' WHERE inbox_id = $1",
        [inbox.id],
      );
      await client.query("COMMIT");
      client.release();
      expect((await response).status).toBeLessThan(300);
      await elapse(db, inbox.id, 3);
      expect(await inbox.receive()).toHaveLength(1);
    });
  }
});

async function fill(inbox: InboxClient, count: number) {
  for (let n = 0; n < count; n += 1) await inbox.ingest({ raw: `${n}` });
}
