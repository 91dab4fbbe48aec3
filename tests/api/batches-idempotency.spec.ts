import { mock } from "node:test";
import { config } from "@/lib/platform/config/config";
import { closePools } from "@/lib/platform/db/connections";
import { idempotent } from "@/lib/platform/http/idempotency";
import { HttpResponse } from "@/lib/platform/http/response";
import { runOf } from "@/lib/platform/http/response-records";
import { makeOrganization } from "../support/accounts";
import { burst, expect, test } from "../support/batch-fixtures";
import { expectError, expectStatus } from "../support/expectations";
import type { ApiResponse } from "../support/http";
import { randomText } from "../support/keys";
import { leaseClient } from "../support/leases";
import { whileLocked } from "../support/locks";

/** A create stores its response in one statement with its row, together with other creates. */

test.describe.configure({ mode: "default" });

const now = Math.floor(Date.now() / 1000);
const url = "https://example.com/";
const creates: Record<string, [path: string, body: object]> = {
  "a task": ["/api/tasks", { name: "Once", labels: ["b", "a"], due_at: now }],
  "a webhook": ["/api/webhooks", { name: "Once" }],
  "an inbox": ["/api/inboxes", { name: "Once" }],
  "a shared artifact": [
    "/api/artifacts?share=true",
    { name: "Once", content: "\u2028 \ud83d\ude00" },
  ],
  "a message with a delay": ["/api/messages", { url, delay_seconds: 600 }],
  "a message with odd headers": [
    "/api/messages",
    { url, delay_seconds: 600, headers: { b: "2", "10": "x", "2": "y", constructor: "z" } },
  ],
  "a message far ahead": ["/api/messages", { url, scheduled_at: now + 400 * 86_400 }],
  "an overdue message": ["/api/messages", { url, scheduled_at: now - 1000 }],
};

for (const [turn, [what, [path, body]]] of Object.entries(creates).entries()) {
  for (const isAnonymous of turn === 0 ? [false, true] : [turn % 2 === 0]) {
    const caller = isAnonymous ? "without" : "with";
    test(`Of twenty simultaneous creates of ${what} ${caller} an API key under one Idempotency-Key, all return the same`, async ({
      lone,
    }) => {
      const { api, db } = lone;
      const key = isAnonymous ? undefined : (await makeOrganization(db)).key;
      const shared = randomText(20);
      const fifty = Array.from({ length: 50 }, (_, index) => index % 5 < 2);
      const send = (isRepeat: boolean) =>
        api("POST", path, {
          key,
          headers: { "idempotency-key": isRepeat ? shared : randomText(20) },
          body,
        });
      const responses = await burst(fifty, send);
      for (const response of responses) expectStatus(response, 201);
      const repeats = responses.filter((_, index) => fifty[index]);
      repeats.push(await send(true));
      expect(new Set(repeats.map(({ text }) => text)).size).toBe(1);
      expect(new Set(repeats.map(headersOf)).size).toBe(1);
      const first = repeats.filter(({ headers }) => headers.get("idempotency-replayed") === null);
      expect(first).toHaveLength(1);
      expect(new Set(responses.map(({ body }) => body.id)).size).toBe(31);

      const other = await api("POST", path, {
        key,
        headers: { "idempotency-key": shared },
        body: { ...body, external_id: "other" },
      });
      expectError(other, 422, "idempotency_key_reused");
    });
  }
}

/** Those that a repeat must have too. */
function headersOf({ headers }: ApiResponse) {
  return JSON.stringify(["content-type", "location", "etag"].map((name) => headers.get(name)));
}

test("After 24 hours a repeat creates again", async ({ lone }) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const create = (name: string) =>
    api("POST", "/api/tasks", {
      key,
      headers: { "idempotency-key": "the key of the day" },
      body: { name },
    });
  const first = await create("First");
  await setRecords(db, "created_at = created_at - 86400 + 60");
  const sameDay = await create("First");
  expect(sameDay.headers.get("idempotency-replayed")).toBe("true");
  expect(sameDay.body.id).toBe(first.body.id);
  await setRecords(db, "created_at = created_at - 60");
  const responses = await burst(["Later", "Later", "Later"], create);
  const replayed = responses.map(({ headers }) => headers.get("idempotency-replayed"));
  expect(replayed.filter((header) => header === null)).toHaveLength(1);
  for (const response of responses) {
    expectStatus(response, 201);
    expect(response.body.id).not.toBe(first.body.id);
    expect(response.body.id).toBe(responses[0]?.body.id);
  }
  expectError(await create("First"), 422, "idempotency_key_reused");
});

test("A create whose first request crashed is 409, and later runs", async ({ lone }) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const send = () =>
    api("POST", "/api/tasks", {
      key,
      headers: { "idempotency-key": "the key of a crash" },
      body: { name: "Crashed" },
    });
  const first = await send();
  await setRecords(db, "answer = '', owner = 'gone', owned_until = unix_now() + 60");
  expectError(await send(), 409, "idempotency_in_progress");
  await setRecords(db, "owned_until = unix_now()");
  const [one, other] = await burst([1, 2], send);
  expectStatus(one ?? first, 201);
  const replayed = [one, other].map((response) => response?.headers.get("idempotency-replayed"));
  expect(new Set(replayed)).toEqual(new Set([null, "true"]));
  expect(one?.text).toBe(other?.text);
  expect(one?.body.id).not.toBe(first.body.id);
});

test("A request that is so slow that a repeat has taken over its key has no effect", async ({
  lone,
}) => {
  const { api, rawApi, db } = lone;
  const { key } = await makeOrganization(db);
  const { id } = await leaseClient(api, key).task();
  const headers = { "idempotency-key": "the key of a slow request" };
  const send = () => rawApi("POST", `/api/tasks/${id}/complete`, { key, headers, body: {} });
  const [slow, repeat] = await whileLocked(db, { table: "tasks", id }, send, async () => {
    await setRecords(db, "owned_until = unix_now()");
    return send();
  });
  expectError(slow, 409, "idempotency_in_progress");
  expectStatus(repeat, 200);
  const again = await send();
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.text).toBe(repeat.text);
});

test("A request keeps its key for as long as it runs", async ({ db, databaseUrl }) => {
  Object.assign(config(), { databaseUrl });
  const request = { key: randomText(20), scope: "x", path: "/x", content: {} };
  const where = `WHERE id = '${runOf(request).id}'`;
  const held = `SELECT owned_until > unix_now() + 50 AS held FROM idempotency_records ${where}`;
  mock.timers.enable({ apis: ["setInterval"] });
  try {
    const work = async () => {
      for (let minute = 0; minute < 2; minute += 1) {
        await db.query(`UPDATE idempotency_records SET owned_until = 0 ${where}`);
        mock.timers.tick(20_000);
        await expect
          .poll(async () => (await db.query<{ held: boolean }>(held)).rows[0]?.held)
          .toBe(true);
      }
    };
    await idempotent(request, work, () => new HttpResponse(204, {}, null));
  } finally {
    mock.timers.reset();
    await closePools();
  }
});

test("A repeated create of a message has what follows from its time of creation, whatever the server's clock", async ({
  lone,
}) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const today = Math.floor(Date.now() / 1000);
  const create = async (scheduled_at: number) => {
    const headers = { "idempotency-key": `the key of a message at ${scheduled_at}` };
    return (await api("POST", "/api/messages", { key, headers, body: { url, scheduled_at } })).body;
  };
  const [due, far] = [today - 30, today + 366 * 86_400 + 90];
  expect(await create(due)).toHaveProperty("overdue", false);
  expect(await create(far)).toHaveProperty("warnings");
  await setRecords(db, "created_at = created_at + 120");
  expect(await create(due)).toHaveProperty("overdue", true);
  expect(await create(far)).not.toHaveProperty("warnings");
});

test("A repeated replay of a webhook event gets its response after the event was deleted", async ({
  lone,
}) => {
  const { api, db } = lone;
  const { key } = await makeOrganization(db);
  const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "x" } });
  const { body: event } = await api("POST", `/api/catch/${endpoint.id}`, { raw: "x" });
  const path = `/api/webhooks/${endpoint.id}/events/${event.event_id}`;
  const replay = (target = url) =>
    api("POST", `${path}/replay`, {
      key,
      headers: { "idempotency-key": "the key of a replay" },
      body: { url: target },
    });
  const first = await replay();
  expectStatus(first, 201);
  expectStatus(await api("DELETE", path, { key }), 204);
  const again = await replay();
  expectStatus(again, 201);
  expect(again.text).toBe(first.text);
  expectError(await replay(`${url}other`), 422, "idempotency_key_reused");
  const fresh = await api("POST", `${path}/replay`, { key, body: { url } });
  expectError(fresh, 404, "resource_not_found");
});

/** Changes the records of all requests so far. */
async function setRecords(db: { query(text: string): Promise<unknown> }, assignments: string) {
  await db.query(`UPDATE idempotency_records SET ${assignments}`);
}
