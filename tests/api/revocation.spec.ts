import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { isCreate } from "@/lib/platform/http/operation";
import { makeKey } from "../support/accounts";
import { openEventStream } from "../support/event-stream";
import { challenges, expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { ApiResponse } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { sha256 } from "../support/keys";
import { toolCall } from "../support/mcp";
import { everyOperation } from "../support/operations";
import { makePerson, openSession, viewOf } from "../support/people";
import { bodyOf, pathOf, validRequests } from "../support/requests";
import { pause } from "../support/servers";

/** Waiting requests end with their credential. */

/** Long enough for the call to be waiting, even on a slow machine. */
const WAITING_MS = 1500;
/** A second, and the poll after it. */
const SOON_MS = 2500;

const revoke = (db: Pool, key: string) =>
  db.query("UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", [sha256(key)]);

test("A waiting long poll, receive or lease-next is refused within a second of the key's revocation", async ({
  api,
  db,
  organization,
}) => {
  const { key: owner } = organization;
  const endpoint = await api("POST", "/api/webhooks", { key: owner, body: { name: "x" } });
  const inbox = await api("POST", "/api/inboxes", { key: owner, body: { name: "x" } });
  const calls = (key: string): Promise<ApiResponse>[] => [
    api("GET", `/api/webhooks/${endpoint.body.id}/events?since=wev_0&wait=20`, { key }),
    api("POST", `/api/inboxes/${inbox.body.id}/events/receive`, {
      key,
      body: { wait_seconds: 20 },
    }),
    api("POST", "/api/tasks/lease-next", { key, body: { holder: "x", wait_seconds: 20 } }),
  ];

  const key = await makeKey(db, organization.id);
  const waiting = calls(key);
  await pause(WAITING_MS);
  const revoked = performance.now();
  await revoke(db, key);
  for (const response of await Promise.all(waiting)) expectError(response, 401, "invalid_api_key");
  await expectWithin(api, SOON_MS, performance.now() - revoked);

  const expiring = calls(await makeKey(db, organization.id, { expiresIn: 3 }));
  const begun = performance.now();
  for (const response of await Promise.all(expiring)) expectError(response, 401, "invalid_api_key");
  await expectWithin(api, 3000 + SOON_MS, performance.now() - begun);

  // Nobody holds what arrived afterwards.
  expectStatus(await api("POST", `/api/inboxes/${inbox.body.id}/events`, { raw: "job" }), 201);
  const path = `/api/inboxes/${inbox.body.id}/events/receive`;
  const received = await api("POST", path, { key: owner });
  expect(received.body.data).toMatchObject([{ body: "job", delivery_count: 1 }]);
});

test("A job that arrives during the key's revocation is not delivered to it", async ({
  api,
  db,
  organization,
}) => {
  const { body: inbox } = await api("POST", "/api/inboxes", {
    key: organization.key,
    body: { name: "x" },
  });
  const path = `/api/inboxes/${inbox.id}/events`;
  const key = await makeKey(db, organization.id);
  const waiting = Array.from({ length: 5 }, () =>
    api("POST", `${path}/receive`, { key, body: { wait_seconds: 20 } }),
  );
  await pause(WAITING_MS);
  await revoke(db, key);
  await Promise.all(Array.from({ length: 5 }, (_, n) => api("POST", path, { raw: `${n}` })));
  for (const response of await Promise.all(waiting)) expectError(response, 401, "invalid_api_key");
  const received = await api("POST", `${path}/receive`, {
    key: organization.key,
    body: { limit: 10 },
  });
  expect(received.body.data).toHaveLength(5);
});

test("A stream ends within a second of its key's revocation, without later events", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", {
    key: organization.key,
    body: { name: "x" },
  });
  const key = await makeKey(db, organization.id);
  const stream = await openEventStream(baseUrl, `/api/webhooks/${endpoint.id}/events/stream`, {
    authorization: `Bearer ${key}`,
  });
  await api("POST", `/api/catch/${endpoint.id}`, { raw: "before" });
  await expect.poll(() => stream.messages.length).toBe(1);
  const revoked = performance.now();
  await revoke(db, key);
  await api("POST", `/api/catch/${endpoint.id}`, { raw: "after" });
  await stream.ended;
  await expectWithin(api, SOON_MS, performance.now() - revoked);
  expect(stream.messages).toHaveLength(1);
});

test("A browser's stream ends when the person signs out or leaves the organization", async ({
  api,
  baseUrl,
  db,
  organization,
  key,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "x" } });
  const ends = [
    "DELETE FROM sessions WHERE user_id = $1",
    "DELETE FROM members WHERE user_id = $1",
  ];
  for (const end of ends) {
    const person = await makePerson(db, organization.id);
    const token = await openSession(db, person.id);
    const view = await viewOf(db, person.id, organization.id);
    const path = `/dashboard/signals?view=${view}&endpoint=${endpoint.id}`;
    const stream = await openEventStream(baseUrl, path, { cookie: `session=${token}` });
    expect(stream.status).toBe(200);
    const ended = performance.now();
    await db.query(end, [person.id]);
    await stream.ended;
    await expectWithin(api, SOON_MS, performance.now() - ended, end);
  }
});

/** What ends a key, or takes its scope, and the answer to its next create. */
const ENDS = [
  ["UPDATE api_keys SET revoked_at = unix_now() WHERE digest = $1", 401, "invalid_api_key"],
  ["UPDATE api_keys SET expires_at = unix_now() WHERE digest = $1", 401, "invalid_api_key"],
  ["DELETE FROM api_keys WHERE digest = $1", 401, "invalid_api_key"],
  ["UPDATE api_keys SET scopes = '{api.read}' WHERE digest = $1", 403, "insufficient_scope"],
] as const;

test("A key that has just created resources creates no more once it has ended, and gets no stored response", async ({
  api,
  db,
  organization,
}) => {
  const creates = everyOperation.filter(isCreate);
  expect(creates.length).toBeGreaterThan(6);
  for (const [index, operation] of creates.entries()) {
    const valid = validRequests[operation.id];
    if (!valid) throw new Error(`${operation.id} has no valid request.`);
    const resource = await valid.kind?.({ api, db, key: organization.key });
    const path = pathOf(operation, valid, resource);
    const body = bodyOf(valid, resource);
    const repeated = { "idempotency-key": randomUUID() };
    // Each has a key of its own, since the first refusal is remembered.
    const requests = [
      { body },
      { body, headers: { "idempotency-key": randomUUID() } },
      { body, headers: repeated },
      { body: { unknown: 1 } },
    ];
    for (const [number, request] of requests.entries()) {
      const key = await makeKey(db, organization.id);
      expectStatus(await api("POST", path, { key, body }), 201);
      expectStatus(await api("POST", path, { key, body, headers: repeated }), 201);
      const [end, status, code] = ENDS[(index + number) % ENDS.length] ?? ENDS[0];
      await db.query(end, [sha256(key)]);
      const before = await createdIn(db, organization.id);
      const refused = await api("POST", path, { key, ...request });
      expectError(refused, status, code);
      expect(await createdIn(db, organization.id), operation.id).toBe(before);
    }
  }
});

test("A key that has just read a resource reads no more once it has ended, not even that there is none", async ({
  api,
  db,
  organization,
}) => {
  for (const [kind, unknown] of [
    ["tasks", "task_unknown"],
    ["inboxes", "inbox_unknown"],
    ["webhooks", "wh_unknown"],
  ]) {
    const { key: owner } = organization;
    const { body } = await api("POST", `/api/${kind}`, { key: owner, body: { name: "x" } });
    const read = (key: string, id = body.id) => api("GET", `/api/${kind}/${id}`, { key });
    for (const [given, status, code] of ENDS) {
      const end = given.replace("api.read", "api.write");
      // Each refusal has a key of its own, since the first one is remembered.
      for (const id of [body.id, unknown]) {
        const key = await makeKey(db, organization.id);
        for (const _ of [1, 2]) expectStatus(await read(key), 200);
        expectError(await read(key, unknown), 404, "resource_not_found");
        await db.query(end, [sha256(key)]);
        expectError(await read(key, id), status, code);
      }
      const key = await makeKey(db, organization.id);
      expectStatus(await read(key), 200);
      await db.query(end, [sha256(key)]);
      const both = await Promise.all(
        Array.from({ length: 9 }, () => [read(key), read(owner)]).flat(),
      );
      for (const [n, response] of both.entries()) {
        if (n % 2 === 0) expectError(response, status, code);
        else expectStatus(response, 200);
      }
    }
  }
});

test("Of creates that arrive together, those are refused whose keys have ended or lost their scope", async ({
  api,
  db,
  organization,
}) => {
  const create = (key: string, headers = {}) =>
    api("POST", "/api/tasks", { key, body: { name: "x" }, headers });
  const [ended, narrowed] = [
    await makeKey(db, organization.id),
    await makeKey(db, organization.id),
  ];
  const keys = [ended, organization.key, narrowed];
  for (const key of keys) expectStatus(await create(key), 201);
  await revoke(db, ended);
  await db.query("UPDATE api_keys SET scopes = '{api.read}' WHERE digest = $1", [sha256(narrowed)]);
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      create(keys[n % 3] ?? "", n % 2 === 0 ? {} : { "idempotency-key": randomUUID() }),
    ),
  );
  for (const [n, response] of responses.entries()) {
    if (n % 3 === 0) expectError(response, 401, "invalid_api_key");
    else if (n % 3 === 1) expectStatus(response, 201);
    else expectError(response, 403, "insufficient_scope");
  }
  expect(await createdIn(db, organization.id)).toBe(keys.length + 10);
});

async function createdIn(db: Pool, organizationId: string): Promise<number> {
  const created = "SELECT FROM changes WHERE organization_id = $1 AND action = 'created'";
  return (await db.query(created, [organizationId])).rowCount ?? 0;
}

test("A key that is revoked while a request's body arrives is refused, and nothing is written", async ({
  api,
  baseUrl,
  db,
  organization,
}) => {
  const slowly = (
    path: string,
    fields: object,
    key: string | undefined,
    onceBegun: () => unknown,
  ) =>
    api("POST", path, {
      ...(key && { key }),
      headers: { "Content-Type": "application/json", Accept: "*/*" },
      raw: (async function* () {
        const text = Buffer.from(JSON.stringify(fields));
        yield text.subarray(0, 5);
        await onceBegun();
        await pause(WAITING_MS);
        yield text.subarray(5);
      })(),
    });
  const inbox = await makeInbox(api, {}, organization.key);
  await inbox.ingest({ raw: "x" });
  const [event] = await inbox.receive();
  const writes: Array<[string, object]> = [
    ["/api/tasks", { name: "Late" }],
    ["/api/subscriptions", { url: "https://example.com/late" }],
    // These read their bodies themselves.
    [`${inbox.path}/events/${event?.id}/reply?lease_id=${event?.lease_id}`, { answer: "Late" }],
    ["/mcp", toolCall("create_task", { name: "Late" })],
  ];
  await Promise.all([
    ...writes.map(async ([path, fields]) => {
      const key = await makeKey(db, organization.id);
      const used = "SELECT FROM api_keys WHERE digest = $1 AND last_used_at IS NOT NULL";
      const response = await slowly(path, fields, key, async () => {
        await expect
          .poll(async () => (await db.query(used, [sha256(key)])).rowCount, { intervals: [50] })
          .toBe(1);
        await revoke(db, key);
      });
      expectError(response, 401, "invalid_api_key");
      const { invalidCredential } = challenges(baseUrl, path === "/mcp" ? "mcp" : "api");
      expect(response.headers.get("www-authenticate")).toBe(invalidCredential);
    }),
    slowly("/api/tasks", { name: "With a live key" }, organization.key, () => undefined).then(
      (response) => expectStatus(response, 201),
    ),
    slowly("/api/tasks", { name: "Without a key" }, undefined, () => undefined).then((response) =>
      expectStatus(response, 201),
    ),
  ]);
  for (const [path, length] of [
    ["/api/tasks", 1],
    ["/api/subscriptions", 0],
    [`${inbox.path}/replies`, 0],
  ] as const) {
    const { body } = await api("GET", path, { key: organization.key });
    expect(body.data, path).toHaveLength(length);
  }
});
