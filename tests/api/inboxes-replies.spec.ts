import type { InboxReply } from "@/lib/resources/inboxes/replies/contract";
import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type Api, type ApiResponse, type CallOptions, jsonOf } from "../support/http";
import { type Event, elapse, type InboxClient, makeInbox } from "../support/inboxes";
import { rowsOf } from "../support/rows";

const DAY = 86_400;

/** Sends an event and returns the path of its reply URL. */
async function send(inbox: InboxClient, options: CallOptions = {}): Promise<string> {
  const response = await inbox.tryIngest(options);
  expectStatus(response, 201);
  return replyPathOf(response);
}

function replyPathOf(response: ApiResponse): string {
  return new URL(response.headers.need("reply-url")).pathname;
}

function reply(api: Api, inbox: InboxClient, event: Event, options: CallOptions = {}) {
  return api("POST", `${inbox.path}/events/${event.id}/reply`, {
    query: { lease_id: event.lease_id },
    ...options,
  });
}

const bytes = Buffer.from([0, 0xff, 0x0a, 0xfe]);
const asPng = { raw: bytes, headers: { "content-type": "image/png" } };

test.describe("A reply", () => {
  test("reaches the sender byte for byte with its type, and acknowledges the event", async ({
    api,
    baseUrl,
  }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const event = await inbox.receiveOne();
    const stored = jsonOf<InboxReply>(await reply(api, inbox, event, asPng));
    expect(stored).toEqual({
      id: event.id,
      object: "inbox_reply",
      inbox_id: inbox.id,
      content_type: "image/png",
      size_bytes: 4,
      reply_url: `${baseUrl}${path}`,
      created_at: expect.any(Number),
      expires_at: stored.created_at + DAY,
    });
    expectError(await inbox.tryEvent(event.id), 404, "resource_not_found");
    expect((await inbox.stats()).totals).toMatchObject({ ingested: 1, acknowledged: 1 });
    expect(await inbox.eventCount()).toBe(0);

    for (const _ of [1, 2]) {
      const read = await api("GET", path);
      expectStatus(read, 200);
      expect(read.bytes).toEqual(bytes);
      expect(read.headers.get("content-type")).toBe("image/png");
    }
  });

  test("may be empty and without a type", async ({ api }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const response = await reply(api, inbox, await inbox.receiveOne());
    expect(response.body).toMatchObject({ content_type: null, size_bytes: 0 });
    const read = await api("GET", path);
    expectStatus(read, 200);
    expect(read.bytes).toHaveLength(0);
  });

  test("is not rendered by a browser", async ({ api }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const html = { raw: "<script>alert(1)</script>", headers: { "content-type": "text/html" } };
    await reply(api, inbox, await inbox.receiveOne(), html);
    const { headers } = await api("GET", path);
    expect(headers.get("content-disposition")).toBe("attachment");
    expect(headers.get("content-security-policy")).toBe("sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("needs the latest lease; a repeat gets the same response, and a different reply is too late", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const first = await inbox.receiveOne({ lease_seconds: 10 });
    await elapse(db, inbox.id, 10);
    const second = await inbox.receiveOne();
    expectError(await reply(api, inbox, first, { raw: "1" }), 409, "lease_lost", "lease_id");
    expectStatus(await api("GET", path), 204);

    const stored = await reply(api, inbox, second, { raw: "2" });
    expectStatus(stored, 200);
    const repeated = await reply(api, inbox, second, { raw: "2" });
    expect(repeated.body).toEqual(stored.body);
    const late = [
      await reply(api, inbox, second, { raw: "other" }),
      await reply(api, inbox, first, { raw: "2" }),
      await inbox.ack(second),
    ];
    for (const response of late) expectError(response, 404, "resource_not_found");
    expect((await api("GET", path)).text).toBe("2");
    expect((await inbox.stats()).totals.acknowledged).toBe(1);
  });

  test("of many at once, one is stored, and the event is acknowledged once", async ({ api }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const event = await inbox.receiveOne();
    const responses = await Promise.all([
      ...["a", "b", "c", "d"].map((raw) => reply(api, inbox, event, { raw })),
      inbox.ack(event),
    ]);
    const done = responses.filter(({ status }) => status < 300);
    expect(done).toHaveLength(1);
    expect((await inbox.stats()).totals.acknowledged).toBe(1);
    const wasReply = done[0]?.status === 200;
    expect((await api("GET", path)).status).toBe(wasReply ? 200 : 404);
  });

  test("is refused with a missing lease, a hostile type or too many bytes", async ({ api }) => {
    const inbox = await makeInbox(api);
    await send(inbox);
    const event = await inbox.receiveOne();
    const path = `${inbox.path}/events/${event.id}/reply`;
    expectError(await api("POST", path), 400, "missing_required_param", "lease_id");
    const typed = { headers: { "content-type": "x".repeat(256) } };
    expectError(await reply(api, inbox, event, typed), 400, "invalid_param", "Content-Type");
    const large = { raw: Buffer.alloc(1_000_001) };
    expectError(await reply(api, inbox, event, large), 413, "payload_too_large");
    expectStatus(await reply(api, inbox, event, { raw: Buffer.alloc(1_000_000) }), 200);
  });

  test("counts against the bytes of a public inbox", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    await send(inbox, { raw: "1" });
    await send(inbox, { raw: "2" });
    const [first, second] = [await inbox.receiveOne(), await inbox.receiveOne()];
    const counted = async () => {
      const where = { inbox_id: inbox.id };
      return Number((await rowsOf(db).inboxState.findUniqueOrThrow({ where })).bytes_used);
    };
    const bytesOfEvents = async () => {
      const { rows } = await db.query<{ bytes: string }>(
        "SELECT sum(size_bytes + octet_length(headers) + 300) AS bytes FROM inbox_events WHERE inbox_id = $1",
        [inbox.id],
      );
      return Number(rows[0]?.bytes);
    };
    const ofBoth = await bytesOfEvents();
    expect(await counted()).toBe(ofBoth);
    expectStatus(await reply(api, inbox, first, { raw: Buffer.alloc(1000) }), 200);
    expect(await counted()).toBe(ofBoth + 1000 + 300);
    // As if the replies of a day had used up the room, but for another of ten bytes.
    const max = 50_000_000;
    await db.query("UPDATE inbox_replies SET size_bytes = $2 WHERE inbox_id = $1", [
      inbox.id,
      max - (await bytesOfEvents()) - 300 - 310,
    ]);
    const count = "UPDATE inbox_state SET bytes_used = $2 WHERE inbox_id = $1";
    await db.query(count, [inbox.id, max]);
    expectError(await reply(api, inbox, second, { raw: "more than ten bytes" }), 429, "inbox_full");
    expectError(await inbox.tryIngest({ raw: "more than ten bytes" }), 429, "inbox_full");
    // Too high for the reply, and not for its bytes alone.
    await db.query(count, [inbox.id, max - 100]);
    expectStatus(await reply(api, inbox, second, { raw: "short" }), 200);
  });
});

test.describe("A reply URL", () => {
  test("answers 204 at once without a reply, and 404 when none can come any more", async ({
    api,
    db,
  }) => {
    const inbox = await makeInbox(api);
    const [acked, dead, deleted, expired] = [
      await send(inbox),
      await send(inbox),
      await send(inbox),
      await send(inbox),
    ];
    expectStatus(await api("GET", acked), 204);
    await inbox.ack(await inbox.receiveOne());
    expectError(await api("GET", acked), 404, "resource_not_found");
    await inbox.nack(await inbox.receiveOne(), { dead: true });
    expectStatus(await api("GET", dead), 204); // it may still be redriven
    const event = await inbox.receiveOne();
    await inbox.removeEvent(event.id);
    expectError(await api("GET", deleted), 404, "resource_not_found");
    await elapse(db, inbox.id, DAY);
    expectError(await api("GET", expired), 404, "resource_not_found");
    await api("DELETE", inbox.path);
    expectError(await api("GET", dead), 404, "resource_not_found");
  });

  test("wakes up when the reply comes", async ({ api }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const reading = api("GET", path, { query: { wait: 20 } });
    const event = await inbox.receiveOne();
    const started = performance.now();
    expectStatus(await reply(api, inbox, event, { raw: "done" }), 200);
    expect((await reading).text).toBe("done");
    await expectWithin(api, 1000, performance.now() - started);
    expectStatus(await api("GET", await send(inbox), { query: { wait: 1 } }), 204);
    expectError(await api("GET", path, { query: { wait: "soon" } }), 400, "invalid_param", "wait");
  });

  test("stops waiting when the event is acknowledged without a reply", async ({ api }) => {
    const inbox = await makeInbox(api);
    const path = await send(inbox);
    const event = await inbox.receiveOne();
    const reading = api("GET", path, { query: { wait: 20 } });
    const started = performance.now();
    await inbox.ack(event);
    expectError(await reading, 404, "resource_not_found");
    await expectWithin(api, 3000, performance.now() - started);
  });

  test("needs its own secret", async ({ api }) => {
    const inbox = await makeInbox(api);
    const [first, second] = [await send(inbox), await send(inbox)];
    await reply(api, inbox, await inbox.receiveOne(), { raw: "secret" });
    const secretOf = (path: string) => path.split("/").at(-1) ?? "";
    const wrong = [secretOf(second), secretOf(first).slice(1), "0".repeat(32)];
    for (const secret of wrong) {
      const response = await api("GET", first.replace(secretOf(first), secret));
      expectError(response, 404, "resource_not_found");
    }
    expectStatus(await api("GET", first), 200);
  });

  test("is the same when the event is sent again, but not given to a sender who knows only its dedup ID", async ({
    api,
  }) => {
    const inbox = await makeInbox(api);
    const again = { query: { dedup_id: "order-1" }, raw: "the order" };
    const path = await send(inbox, again);
    const repeated = await inbox.tryIngest(again);
    expectStatus(repeated, 200);
    expect(replyPathOf(repeated)).toBe(path);
    const guessed = await inbox.tryIngest({ ...again, raw: "?" });
    expectStatus(guessed, 200);
    expect(guessed.headers.get("reply-url")).toBeNull();

    const headers = { "idempotency-key": "0b7f3f5e-9d5f-4a35-8a0f-4e9ab0c6d0b1" };
    const keyed = await send(inbox, { headers, raw: "the order" });
    const replayed = await inbox.tryIngest({ headers, raw: "the order" });
    expect(replyPathOf(replayed)).toBe(keyed);
    expect(keyed).not.toBe(path);
  });
});

test.describe("The replies of an inbox", () => {
  test("are listed newest first, for those who may read it", async ({ api, db }) => {
    const { key } = await makeOrganization(db);
    const inbox = await makeInbox(api, {}, key);
    for (let n = 0; n < 3; n += 1) await send(inbox);
    const events = await inbox.receive({ limit: 3 });
    for (const event of events) await reply(api, inbox, event, { key, raw: event.id });
    const ids = events.map(({ id }) => id).reverse();
    const list = (query = {}) => api("GET", `${inbox.path}/replies`, { key, query });
    const all = await list({ include: "total_count" });
    expect(all.body).toMatchObject({ total_count: 3, has_more: false });
    expect(all.body.data.map(({ id }) => id)).toEqual(ids);
    const page = await list({ limit: 2 });
    expect(page.body).toMatchObject({ has_more: true, next_cursor: ids[1] });
    const rest = await list({ after: ids[1] ?? "" });
    expect(rest.body.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expectError(await api("GET", `${inbox.path}/replies`), 403, "forbidden");
  });

  test("are gone after a day, and with a purge of everything", async ({ api, db }) => {
    const inbox = await makeInbox(api);
    const paths = [await send(inbox), await send(inbox)];
    for (const _ of paths) await reply(api, inbox, await inbox.receiveOne(), { raw: "done" });
    const ids = async () =>
      (await api("GET", `${inbox.path}/replies`)).body.data.map(({ id }) => id);
    const [, oldest = ""] = await ids();
    await db.query("UPDATE inbox_replies SET expires_at = unix_now() WHERE event_id = $1", [
      oldest,
    ]);
    expect(await ids()).toHaveLength(1);
    expectError(await api("GET", paths[0] ?? ""), 404, "resource_not_found");

    await inbox.purge({ state: "dead" });
    expectStatus(await api("GET", paths[1] ?? ""), 200);
    await inbox.purge();
    expectError(await api("GET", paths[1] ?? ""), 404, "resource_not_found");
    expect(await ids()).toEqual([]);
  });
});
