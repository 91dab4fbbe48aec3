import { makeKey, makeOrganization } from "../support/accounts";
import { countStatuses, expectError, expectStatus } from "../support/expectations";
import {
  createDatabase,
  expect,
  killServer,
  PUBLIC,
  startTwoServers,
  test,
  withDatabase,
} from "../support/fault-fixtures";
import type { ApiResponse } from "../support/http";
import type { RunningServer } from "../support/servers";
import { moveClock, startHour, startMinute, windowWithRoom } from "../support/windows";

/** Rate limits of public mode, across servers. */

const LIMITS = {
  RATE_LIMIT_KEY: "6",
  RATE_LIMIT_ANONYMOUS_CREATES: "4",
  RATE_LIMIT_ARRIVALS: "40",
};

/** Two servers for most tests. Each test has its own addresses, because limits hold for an address. */
let servers: [one: RunningServer, two: RunningServer];
let databaseUrl: string;

test.beforeAll(async ({ sharedPostgres }) => {
  databaseUrl = await createDatabase(sharedPostgres);
  servers = await startTwoServers({ ...PUBLIC, ...LIMITS, DATABASE_URL: databaseUrl });
});

test.beforeEach(() => withDatabase(databaseUrl, startHour));

test.afterAll(async () => {
  await Promise.all(servers.map(killServer));
});

test("A public server without TLS says at its start that secrets are sent unencrypted, and without a token its /metrics is a 404", async () => {
  const [{ api, output }] = servers;
  expect(output()).toContain("BASE_URL is public and http");
  expectError(await api("GET", "/metrics"), 404, "route_not_found");
});

test("A key's rate limit holds across servers, and each response reports the remainder", async () => {
  const [one, two] = servers;
  const { key, other } = await withDatabase(databaseUrl, async (db) => {
    const { id, key } = await makeOrganization(db);
    return { key, other: await makeKey(db, id) };
  });
  const responses: ApiResponse[] = [];
  for (let i = 0; i < 6; i += 1) {
    responses.push(await (i % 2 ? two : one).api("GET", "/api/tasks", { key }));
  }
  for (const response of responses) {
    expectStatus(response, 200);
    expect(response.headers.get("ratelimit-policy")).toBe('"default";q=6;w=60');
    expect(response.headers.get("ratelimit")).toMatch(/^"default";r=[0-5];t=\d+$/);
  }
  const refused = await one.api("GET", "/api/tasks", { key });
  expectError(refused, 429, "rate_limited");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
  // The limit is per key, and checked before scope and body.
  expectError(await two.api("POST", "/api/tasks", { key, raw: "{" }), 429, "rate_limited");
  expectStatus(await two.api("GET", "/api/tasks", { key: other }), 200);
});

test("Uses of the minute before still count, and older ones do not", async () => {
  const [{ api }] = servers;
  const { key } = await withDatabase(databaseUrl, (db) => makeOrganization(db));
  const use = () => api("GET", "/api/tasks", { key });
  const nextMinute = () => withDatabase(databaseUrl, startMinute);
  for (let i = 0; i < 6; i += 1) expectStatus(await use(), 200);
  await nextMinute();
  // A second later there is room for one use, and for the next only after ten.
  await withDatabase(databaseUrl, (db) => moveClock(db, 1));
  expectStatus(await use(), 200);
  expectError(await use(), 429, "rate_limited");
  await nextMinute();
  await nextMinute();
  for (let i = 0; i < 6; i += 1) expectStatus(await use(), 200);
});

test("A request that began in the previous minute keeps this minute's count, and a count from before the clock was set back is dropped", async () => {
  const [{ api }] = servers;
  await withDatabase(databaseUrl, async (db) => {
    const { key } = await makeOrganization(db);
    const use = () => api("GET", "/api/tasks", { key });
    const countedAt = (time: string) => db.query(`UPDATE usage_windows SET started_at = ${time}`);
    for (let i = 0; i < 6; i += 1) expectStatus(await use(), 200);
    await countedAt("(unix_now() / 60 + 1) * 60");
    expectError(await use(), 429, "rate_limited");
    await countedAt("(unix_now() / 60 + 10) * 60");
    expectStatus(await use(), 200);
  });
});

test("Retry-After is the time after which a request succeeds, and no longer", async () => {
  const [{ api }] = servers;
  const { key } = await withDatabase(databaseUrl, (db) => makeOrganization(db));
  const refusal = async () => {
    for (;;) {
      const response = await api("GET", "/api/tasks", { key });
      if (response.status !== 200) return Number(response.headers.need("retry-after"));
    }
  };
  const wait = async (seconds: number) => {
    await withDatabase(databaseUrl, (db) => moveClock(db, seconds));
    expectStatus(await api("GET", "/api/tasks", { key }), 200);
  };
  // Six uses of this minute.
  await wait(await refusal());
  await withDatabase(databaseUrl, startMinute);
  await withDatabase(databaseUrl, startMinute);
  expect(await refusal()).toBeGreaterThan(20);
  await withDatabase(databaseUrl, startMinute);
  await withDatabase(databaseUrl, (db) => moveClock(db, 1));
  // Six of the minute before count less than six now, and one of this minute.
  const seconds = await refusal();
  expect(seconds).toBeLessThanOrEqual(10);
  await wait(seconds);
});

test("A key that replaces another by rotation has no rate limit of its own", async () => {
  const [{ api }] = servers;
  const { key } = await withDatabase(databaseUrl, (db) => makeOrganization(db));
  let current = key;
  for (let i = 0; i < 6; i += 1) {
    const body = { overlap_seconds: 0 };
    const response = await api("POST", "/api/me/key/rotate", { key: current, body });
    expectStatus(response, 200);
    current = JSON.parse(response.text).key;
  }
  expectError(await api("GET", "/api/me", { key: current }), 429, "rate_limited");
});

test("Anonymous creates are limited per address, and reads are not", async () => {
  const [{ api }] = servers;
  const create = (address: string) =>
    api("POST", "/api/tasks", { body: { name: "x" }, headers: { "x-forwarded-for": address } });
  const responses = await Promise.all(Array.from({ length: 12 }, () => create("192.0.2.1")));
  expect(countStatuses(responses)).toEqual({ 201: 4, 429: 8 });
  for (const response of responses) {
    if (response.status === 429) expectError(response, 429, "rate_limited");
  }
  const other = await create("192.0.2.2");
  expectStatus(other, 201);
  for (let i = 0; i < 8; i += 1) expectStatus(await api("GET", `/api/tasks/${other.body.id}`), 200);
});

test("An IPv6 client counts by its /64, and by its /48 with four times the limit", async () => {
  const [{ api }] = servers;
  const create = (address: string) =>
    api("POST", "/api/tasks", { body: { name: "x" }, headers: { "x-forwarded-for": address } });
  for (const [networks, statuses] of [
    [["3:1"], { 201: 4, 429: 4 }],
    [["3:2", "3:3", "3:4", "3:5"], { 201: 12, 429: 20 }],
    [["4:1"], { 201: 4, 429: 4 }],
  ] as const) {
    const addresses = networks.flatMap((network) =>
      Array.from({ length: 8 }, (_, n) => `2001:db8:${network}::${n + 1}`),
    );
    expect(countStatuses(await Promise.all(addresses.map(create)))).toEqual(statuses);
  }
});

test("Every kind of anonymous write counts towards the limit of the address", async () => {
  const [{ api }] = servers;
  let last = 0;
  const asAddress = async (address: string, method: string, path: string, body?: unknown) =>
    api(method, path, { body, headers: { "x-forwarded-for": address } });
  const make = async (kind: string, body: unknown) => {
    last += 1;
    return (await asAddress(`203.0.113.${last}`, "POST", `/api/${kind}`, body)).body.id;
  };
  const task = await make("tasks", { name: "x" });
  const message = await make("messages", { url: "https://example.com", delay_seconds: 3600 });
  const artifact = await make("artifacts", { name: "x", content: "x" });
  const inbox = await make("inboxes", { name: "x" });
  const webhook = await make("webhooks", { name: "x" });
  const WRITES: Array<[method: string, path: string, body?: unknown]> = [
    ["PATCH", `/api/tasks/${task}`, { name: "y" }],
    ["POST", `/api/tasks/${task}/lease`, { holder: "x" }],
    ["DELETE", `/api/tasks/${task}`],
    ["POST", `/api/messages/${message}/cancel`],
    ["POST", `/api/messages/${message}/retry`],
    ["POST", `/api/artifacts/${artifact}/share`, {}],
    ["POST", `/api/inboxes/${inbox}/events/receive`],
    ["POST", `/api/inboxes/${inbox}/events/ack`, { acks: [] }],
    ["DELETE", `/api/inboxes/${inbox}/events`],
    ["DELETE", `/api/webhooks/${webhook}/events`],
    // Without a CRON_SECRET anybody may call it.
    ["POST", "/api/messages/dispatch"],
    ["GET", "/api/messages/dispatch"],
  ];
  // Any four writes exhaust the limit; then every kind is refused.
  for (let i = 0; i < 4; i += 1) {
    const write = WRITES[i % 2];
    const response = write && (await asAddress("198.51.100.1", ...write));
    expect(response?.status).toBeLessThan(429);
    expect(response?.headers.get("ratelimit")).toMatch(new RegExp(`r=${3 - i};`));
  }
  for (const write of WRITES) {
    expectError(await asAddress("198.51.100.1", ...write), 429, "rate_limited");
  }
  expectStatus(await asAddress("198.51.100.1", "GET", `/api/tasks/${task}`), 200);
  expectStatus(await asAddress("198.51.100.2", "PATCH", `/api/tasks/${task}`, { name: "z" }), 200);
});

test("Forged forwarding headers do not raise an address's limit", async ({ db, start }) => {
  await startHour(db);
  const server = await start({ ...PUBLIC, ...LIMITS, TRUSTED_PROXIES: "none" });
  const responses = [];
  for (let i = 1; i <= 8; i += 1) {
    const headers = { "x-forwarded-for": `198.51.100.${i}`, forwarded: `for=198.51.100.${i}` };
    responses.push(await server.api("POST", "/api/tasks", { body: { name: "x" }, headers }));
  }
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 429, 429, 429, 429]);
});

for (const [kind, network] of [
  ["webhooks", "2001:db8:1"],
  ["inboxes", "2001:db8:2"],
] as const) {
  test(`Requests to one ${kind} URL are limited across servers, whether or not it exists`, async () => {
    const [one, two] = servers;
    const from = (host: string) => ({ "x-forwarded-for": `${network}:${host}::1` });
    const make = async () => {
      const options = { body: { name: "x" }, headers: from("ffff") };
      return (await one.api("POST", `/api/${kind}`, options)).body;
    };
    const made = await make();
    const unknown = made.id.replace(/.{6}$/, "000000");
    const send = (server: RunningServer, id: string, host = "1") => {
      const path = kind === "webhooks" ? `/api/catch/${id}` : `/api/inboxes/${id}/events`;
      return server.api("POST", path, { raw: "x", headers: from(host) });
    };
    for (const id of [made.id, unknown]) {
      await windowWithRoom(() => send(one, made.id.replace(/.{6}$/, "111111")));
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, i) => send(one, id, String(i))),
      );
      const refused = responses.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(20);
      for (const response of refused) {
        expectError(response, 429, "rate_limited");
        expect(response.headers.get("ratelimit-policy")).toBe('"default";q=40;w=60');
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      }
    }
    // Servers share their counts after a twentieth of the limit.
    let served = 0;
    const sendToOther = async () => {
      const { status } = await send(two, made.id);
      if (status < 300) served += 1;
      return status;
    };
    await expect.poll(sendToOther, { intervals: [50] }).toBe(429);
    expect(served).toBeLessThan(40);
    const other = await make();
    expect((await send(one, other.id)).status).toBeLessThan(300);
  });
}

test("Retry-After of a capture URL waits for the minute that servers share, not for that of one process", async () => {
  const [one, two] = servers;
  const send = ({ api }: RunningServer) => api("POST", "/api/catch/wh_shared", { raw: "x" });
  let refused: ApiResponse | undefined;
  const sendToOther = async () => {
    refused = await send(two);
    return refused.status;
  };
  await withDatabase(databaseUrl, async (db) => {
    await startMinute(db);
    await Promise.all(Array.from({ length: 40 }, () => send(one)));
    // It has counted few, and hears of the others.
    await expect.poll(sendToOther, { intervals: [50] }).toBe(429);
    const { rows } = await db.query<{ left: number }>(
      `SELECT (started_at + 60 - unix_now())::int AS left FROM usage_windows
       WHERE id = 'arrivals:wh_shared'`,
    );
    const wait = Number(refused?.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual((rows[0]?.left ?? 60) - 1);
  });
});

test("whe_X and wh_X share one limit", async () => {
  const [{ api }] = servers;
  const { body: made } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const ids = [made.id, made.id.replace(/^wh_/, "whe_")];
  await windowWithRoom(() => api("POST", "/api/catch/wh_unknown", { raw: "x" }));
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, i) => api("POST", `/api/catch/${ids[i % 2]}`, { raw: "x" })),
  );
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
});

test("Local mode has no rate limits", async ({ sharedServers: [{ api }] }) => {
  const response = await api("POST", "/api/tasks", { body: { name: "x" } });
  expectStatus(response, 201);
  expect(response.headers.get("ratelimit")).toBeNull();
});

test("Without an API key a short Idempotency-Key is refused, since another caller's could be the same", async () => {
  const [{ api }] = servers;
  const create = (key: string) =>
    api("POST", "/api/webhooks", {
      headers: { "idempotency-key": key, "x-forwarded-for": "192.0.2.9" },
      body: { name: "Test" },
    });
  expectError(await create("1"), 400, "invalid_param", "Idempotency-Key");
  const headers = { "idempotency-key": "1", "x-forwarded-for": "192.0.2.9" };
  const registered = await api("POST", "/api/agent/auth", { headers, body: { type: "anonymous" } });
  expectError(registered, 400, "invalid_request", "Idempotency-Key");

  const own = await create("b4c3c0a5-7d0e-4d3c");
  expectStatus(own, 201);
  const again = await create("b4c3c0a5-7d0e-4d3c");
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.text).toBe(own.text);
});

test("Registrations of OAuth clients are limited, with an OAuth error", async () => {
  const [{ api }] = servers;
  const body = { redirect_uris: ["https://client.example/callback"] };
  const register = () => api("POST", "/oauth/register", { body });
  const responses = await Promise.all(Array.from({ length: 31 }, register));
  expect(countStatuses(responses)).toEqual({ 201: 30, 429: 1 });
  const refused = responses.find(({ status }) => status === 429);
  expect(JSON.parse(refused?.text ?? "{}").error).toBe("temporarily_unavailable");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
});
