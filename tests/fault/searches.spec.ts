import { limitAt } from "@/lib/upkeep/limits/service";
import { insertTasks, makeOrganization } from "../support/accounts";
import { openEventStream } from "../support/event-stream";
import { expectError, expectStatus } from "../support/expectations";
import { expect, PUBLIC, test, withDatabase } from "../support/fault-fixtures";
import type { ApiResponse } from "../support/http";
import { lockWaits, whileHeld, whileUncommitted } from "../support/locks";
import { messageOf } from "../support/mcp";
import { openStream } from "../support/mcp-events";
import { withOneServer } from "../support/one-server";
import { cpuMilliseconds } from "../support/servers";

/** Slow work takes turns: searches, counts and exports leave connections for the rest, documents a thread. */

const WAITING = limitAt("searches.waiting_per_network_max");

const it = withOneServer(PUBLIC);

it("Captures and ingests are answered while searches, counts and exports fill their turns, and the rest gets 429", async ({
  server: { api },
  db,
  key,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const { body: inbox } = await api("POST", "/api/inboxes", { body: { name: "x" } });
  // A page searches first, so the gate that it shares with the API comes from Next's bundle.
  expectStatus(await api("GET", `/webhooks/${endpoint.id}?q=x`), 200);
  const expensive: Array<{ path: string; headers: Record<string, string> }> = [
    { path: "/api/tasks?q=x", headers: {} },
    { path: "/api/tasks?include=total_count", headers: {} },
    { path: "/api/tasks?blocked=true", headers: {} },
    { path: "/api/tasks?label=a&label=b", headers: {} },
    { path: "/api/tasks", headers: { accept: "application/x-ndjson" } },
    { path: "/api/tasks?q=x", headers: { accept: "application/x-ndjson" } },
  ];
  const ended: ApiResponse[] = [];
  const search = async (address: string, index: number) => {
    const { path, headers } = expensive[index % expensive.length] ?? { path: "/", headers: {} };
    const response = await api("GET", path, {
      key,
      headers: { ...headers, "x-forwarded-for": address },
    });
    ended.push(response);
    return response;
  };
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const searches = ["192.0.2.1", "192.0.2.2"].flatMap((address) =>
      Array.from({ length: WAITING + 9 }, (_, index) => search(address, index)),
    );
    // One of each network runs, and the queue has room for some more.
    await expect.poll(() => ended.length, { intervals: [20] }).toBe(2 * 8);
    const ask = (path: string) =>
      api("GET", `/api/${path}`, { headers: { "x-forwarded-for": "192.0.2.1" } });
    const counts = [
      `inboxes/${inbox.id}/stats`,
      `inboxes/${inbox.id}/events?state=delayed`,
      `webhooks/${endpoint.id}/events?method=POST`,
    ];
    // Together, before the database gives up a search that waits for the lock.
    await Promise.all([
      ...Array.from({ length: 20 }, async () => {
        expectStatus(await api("POST", `/api/catch/${endpoint.id}`, { raw: "x" }), 200);
        expectStatus(await api("POST", `/api/inboxes/${inbox.id}/events`, { raw: "x" }), 201);
      }),
      ...counts.map(async (path) => ended.push(await ask(path))),
      ask(`inboxes/${inbox.id}/events`).then((list) => expectStatus(list, 200)),
    ]);
    for (const refused of ended) {
      expectError(refused, 429, "rate_limited");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await end();
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2 * (WAITING + 1));
  });
  expectStatus(await search("192.0.2.1", 0), 200);
});

it("A poll counts in a turn, after it has waited", async ({ server: { api }, db, key }) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  expectStatus(await api("POST", `/api/catch/${endpoint.id}`, { raw: "x" }), 200);
  const get = (path: string, address: string) =>
    api("GET", path, { key, headers: { "x-forwarded-for": address } });
  const poll = (address: string) =>
    get(`/api/webhooks/${endpoint.id}/events?wait=1&since=wev_0&include=total_count`, address);
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const search = get("/api/tasks?q=x", "192.0.2.1");
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    let isAnswered = false;
    const polled = poll("192.0.2.1").finally(() => {
      isAnswered = true;
    });
    for (let n = 0; n < 3; n += 1) {
      expect((await poll("192.0.2.2")).body.total_count).toBe(1);
    }
    expect(isAnswered).toBe(false);
    await end();
    expectStatus(await search, 200);
    expect((await polled).body.total_count).toBe(1);
  });
});

it("Polls, streams and rows filtered by method are read in turns", async ({
  server: { api, baseUrl },
  db,
  key,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  expectStatus(await api("POST", `/api/catch/${endpoint.id}`, { raw: "x" }), 200);
  const events = `/api/webhooks/${endpoint.id}/events`;
  const open = async (address: string) => {
    const headers = { "x-forwarded-for": address };
    let answered = 0;
    const asked = [
      `${events}?wait=1&since=wev_0&method=POST`,
      `/webhooks/${endpoint.id}/rows?method=POST`,
    ].map(async (path) => {
      const response = await api("GET", path, { headers });
      answered += 1;
      expect(JSON.parse(response.text).data).toHaveLength(1);
    });
    const path = `${events}/stream?since=wev_0&method=POST`;
    const { messages, close } = await openEventStream(baseUrl, path, headers);
    return { close, asked: Promise.all(asked), count: () => answered + messages.length };
  };
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const search = api("GET", "/api/tasks?q=x", { key, headers });
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    const [slow, other] = [await open("192.0.2.1"), await open("192.0.2.2")];
    await expect.poll(other.count, { intervals: [20] }).toBe(3);
    expect(slow.count()).toBe(0);
    await end();
    expectStatus(await search, 200);
    await expect.poll(slow.count).toBe(3);
    for (const { asked, close } of [slow, other]) {
      await asked;
      close();
    }
  });
});

it("A poll of MCP Events with conditions reads in a turn", async ({ server: { api }, db, key }) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const poll = async (address: string, cursor: string | null) => {
    const args = { endpoint_id: endpoint.id, match: { "$.a": 1 } };
    const params = { name: "webhook.received", arguments: args, cursor };
    const body = { jsonrpc: "2.0", id: 1, method: "events/poll", params };
    const headers = { "x-forwarded-for": address };
    return messageOf(await api("POST", "/mcp", { body, headers })).result;
  };
  const { cursor } = await poll("192.0.2.2", null);
  expectStatus(await api("POST", `/api/catch/${endpoint.id}`, { body: { a: 1 } }), 200);
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const search = api("GET", "/api/tasks?q=x", { key, headers });
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    let isAnswered = false;
    const polled = poll("192.0.2.1", cursor).finally(() => {
      isAnswered = true;
    });
    for (let n = 0; n < 3; n += 1) {
      expect((await poll("192.0.2.2", cursor)).events).toHaveLength(1);
    }
    expect(isAnswered).toBe(false);
    await end();
    expectStatus(await search, 200);
    expect((await polled).events).toHaveLength(1);
  });
});

it("A stream of MCP Events with conditions reads in a turn", async ({
  server: { api, baseUrl },
  db,
  key,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const args = { endpoint_id: endpoint.id, match: { "$.a": 1 } };
  const open = (address: string) =>
    openStream(baseUrl, { name: "webhook.received", arguments: args }, { address });
  const [slow, other] = [await open("192.0.2.1"), await open("192.0.2.2")];
  await expect.poll(() => [slow.frames.length, other.frames.length]).toEqual([1, 1]);
  await whileHeld(db, "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE", async (end) => {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const search = api("GET", "/api/tasks?q=x", { key, headers });
    await expect.poll(() => lockWaits(db), { intervals: [20] }).toBeGreaterThan(0);
    for (let n = 1; n <= 3; n += 1) {
      expectStatus(await api("POST", `/api/catch/${endpoint.id}`, { body: { a: 1 } }), 200);
      await expect.poll(() => other.events().length, { intervals: [20] }).toBe(n);
    }
    expect(slow.events()).toEqual([]);
    await end();
    expectStatus(await search, 200);
    await expect.poll(() => slow.events().length).toBe(3);
  }).finally(async () => {
    slow.close();
    other.close();
  });
});

it("Documents that one network renders slowly leave a thread for others", async ({
  server: { api, pid },
}) => {
  const make = async (content: string): Promise<string> =>
    (await api("POST", "/api/artifacts", { body: { name: "x", content } })).body.id;
  const view = (id: string, address: string) =>
    api("GET", `/artifacts/${id}/view`, { headers: { "x-forwarded-for": address } });
  expectStatus(await view(await make("# First"), "192.0.2.1"), 200);
  // Each takes a thread for as long as it may.
  const slow = [0, 1].map((index) => make(`${index}${"_a".repeat(20_000)}`));
  const others = await make("# Other");
  let left = slow.length;
  for (const id of await Promise.all(slow)) {
    void view(id, "192.0.2.1")
      .catch(() => {}) // the server stops before
      .finally(() => {
        left -= 1;
      });
  }
  const ofThreads = () => cpuMilliseconds(pid) - cpuMilliseconds(pid, { eventLoop: true });
  const before = ofThreads();
  await expect.poll(() => ofThreads() - before, { intervals: [20] }).toBeGreaterThan(100);
  // Asked for by the slow network, too, it has not had its turn.
  void view(others, "192.0.2.1").catch(() => {});
  expect((await view(others, "192.0.2.2")).text).toContain(">Other</h1>");
  expect(left).toBe(slow.length);
});

test("An export sends nothing of a page that was read while its key ended", async ({
  sharedServers: [{ api }],
  sharedDatabase,
}) => {
  await withDatabase(sharedDatabase, async (db) => {
    const { id, key } = await makeOrganization(db);
    await insertTasks(db, id, 10);
    const list = () =>
      api("GET", "/api/tasks", { key, headers: { accept: "application/x-ndjson" } });
    expectStatus(await list(), 200);
    const revocation = [
      "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE",
      `UPDATE api_keys SET revoked_at = unix_now() WHERE organization_id = '${id}'`,
    ];
    const ended = whileUncommitted(db, revocation, "OVER newest", list);
    await expect(ended).rejects.toThrow(/hang up|aborted/);
    expectError(await list(), 401, "invalid_api_key");
  });
});
