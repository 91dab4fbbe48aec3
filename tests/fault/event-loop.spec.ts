import { makeOrganization } from "../support/accounts";
import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test, withDatabase } from "../support/fault-fixtures";
import type { ApiResponse } from "../support/http";
import { withOneServer } from "../support/one-server";
import { makeSchedule } from "../support/schedules";
import { cpuMilliseconds, type RunningServer } from "../support/servers";
import { capture, type EventList, makeEndpoint } from "../support/webhooks";

/** No JSON body blocks the event loop for other callers, whatever its shape. */

const BYTES = 8_000_000;
/** On a fast machine that has nothing else to do. */
const CPU_MS_PER_MB = 50;
const DELAY_MS = 200;

interface Shape {
  body: string;
  /** The expected error; a shape without one is valid. */
  error?: { code: string; param?: string };
}

const SHAPES: Record<string, () => Shape> = {
  "many numbered properties": () => ({
    body: filled('{"0":0', (i) => `,"${i}":0`, "}"),
    error: { code: "unknown_param", param: "0" },
  }),
  "many named properties": () => ({
    body: filled('{"k":0', (i) => `,"k${i}":0`, "}"),
    error: { code: "unknown_param", param: "k" },
  }),
  "one property many times": () => ({
    body: filled('{"body":""', ',"body":""', "}"),
    error: { code: "invalid_param" },
  }),
  "nested arrays": () => ({
    body: `{"url":${"[".repeat(BYTES / 2 - 5)}${"]".repeat(BYTES / 2 - 5)}}`,
    error: { code: "invalid_param", param: "url" },
  }),
  "millions of headers that are wrong": () => ({
    body: filled('{"headers":{"host":0', (i) => `,"h${i}":0`, "}}"),
    error: { code: "invalid_param", param: "headers" },
  }),
  "millions of numbers of many digits": () => ({
    body: filled('{"url":[0', ",1.2345678901234567e-300", "]}"),
    error: { code: "invalid_param", param: "url" },
  }),
  "a number of millions of digits": () => ({
    body: `{"delay_seconds":${"9".repeat(BYTES - 20)}}`,
    error: { code: "invalid_param", param: "delay_seconds" },
  }),
  "an address of millions of characters": () => ({
    body: `{"url":"http://a.example/${"%".repeat(BYTES - 40)}"}`,
    error: { code: "invalid_param", param: "url" },
  }),
  "a text of millions of characters beyond ASCII": () => ({
    body: `{"body":"${"漢".repeat(BYTES / 3 - 10)}"}`,
    error: { code: "invalid_param", param: "body" },
  }),
  "a million characters, each a pair of escapes": () => ({
    body: `{"body":"${"\\ud83d\\ude00".repeat(1_000_000)}"}`,
  }),
};

test("A JSON body of 8 MB or more takes at most 50 ms of CPU per MB, and two delay others by at most 200 ms", async ({
  sharedDatabase,
  sharedServers: [server],
}) => {
  const { key } = await withDatabase(sharedDatabase, makeOrganization);
  const make = { url: "http://127.0.0.1:9/", delay_seconds: 1_000_000 };
  const { body: message } = await server.api("POST", "/api/messages", { body: make });
  const send = (raw: Buffer) => server.api("PATCH", `/api/messages/${message.id}`, { raw });
  const upload = (raw: Buffer) => server.api("POST", "/api/catch/wh_unknown", { raw });
  await slowestPing(server, key, () => send(Buffer.from("{}"))); // warm-up
  const table: string[] = [];

  for (const [title, makeShape] of Object.entries(SHAPES)) {
    const { body, error } = makeShape();
    const bytes = Buffer.from(body);
    const check = (response: ApiResponse) => {
      if (error) expectError(response, 400, error.code, error.param);
      else expectStatus(response, 200);
    };
    let cpu = Infinity;
    const delay = await least(
      async () => {
        const before = cpuMilliseconds(server.pid);
        const slowest = await slowestPing(server, key, async () => {
          for (const response of await Promise.all([send(bytes), send(bytes)])) check(response);
        });
        cpu = Math.min(cpu, (cpuMilliseconds(server.pid) - before) / ((2 * bytes.length) / 1e6));
        return slowest;
      },
      () => slowestPing(server, key, () => Promise.all([upload(bytes), upload(bytes)])),
      () => cpu >= CPU_MS_PER_MB,
    );
    table.push(`${title.padEnd(50)} ${delay} ms, ${cpu.toFixed(0)} ms a MB`);
    expectAtMost(delay, DELAY_MS, title);
    expectAtMost(cpu, CPU_MS_PER_MB, title);
  }
  console.log(table.join("\n"));
});

const EVENT_BYTES = 990_000;
const EVENTS = 8;
const EVENT_SHAPES: Record<string, string> = {
  "named members": filled('{"ttl_seconds":300', (i) => `,"k${i}":0`, "}", EVENT_BYTES),
  "nested arrays": filled(
    '{"ttl_seconds":300,"k":[0',
    () => `,${"[".repeat(190)}${"]".repeat(190)}`,
    "]}",
    EVENT_BYTES,
  ),
};

test("Eight JSON events of 1 MB delay others by at most 200 ms", async ({
  sharedDatabase,
  sharedServers: [server],
}) => {
  const { key } = await withDatabase(sharedDatabase, makeOrganization);
  const { api } = server;
  const read = async (inbox: string) => {
    const list = await api("GET", `/api/inboxes/${inbox}/events`, { query: { limit: 100 } });
    expectStatus(list, 200);
    return list;
  };
  const make = async () => (await api("POST", "/api/inboxes", { body: { name: "x" } })).body.id;
  await slowestPing(server, key, () => make().then(read));
  const table: string[] = [];

  for (const [title, body] of Object.entries(EVENT_SHAPES)) {
    const raw = Buffer.from(body);
    let inbox = "";
    const ingesting = await least(async () => {
      inbox = await make();
      return slowestPing(server, key, async () => {
        for (let n = 0; n < EVENTS; n += 1)
          expectStatus(await api("POST", `/api/inboxes/${inbox}/events`, { raw }), 201);
      });
    });
    const reading = await least(() => slowestPing(server, key, () => read(inbox)));
    table.push(`${title.padEnd(40)} ingest ${ingesting}, list ${reading} ms`);
    expectAtMost(ingesting, DELAY_MS, title);
    expectAtMost(reading, DELAY_MS, title);
    const [event] = JSON.parse((await read(inbox)).text).data;
    expect(event.body).toBe(body);
    expect(JSON.stringify(event.parsed_body) === JSON.stringify(JSON.parse(body))).toBe(true);
    if (body.startsWith("{")) expect(event.expires_at - event.received_at).toBe(300);
  }
  console.log(table.join("\n"));
});

/** As many as one network's lease has. */
const MESSAGES = 13;
const MESSAGE_SHAPES: Record<string, string> = {
  "nested arrays": "[".repeat(500_000) + "]".repeat(500_000),
  "objects, each with a name of its own": filled("[{}", (i) => `,{"k${i}":0}`, "]", 1_000_000),
};

const it = withOneServer(QUIET);

it("13 messages of 1 MB without a media type delay others by at most 200 ms", async ({
  db,
  key,
  server,
  target,
}) => {
  const { api } = server;
  for (const [title, body] of Object.entries(MESSAGE_SHAPES)) {
    const ids: string[] = [];
    for (let n = 0; n < MESSAGES; n += 1) {
      const message = { url: target.url, body, delay_seconds: 1_000_000 };
      ids.push((await api("POST", "/api/messages", { body: message })).body.id);
    }
    const delay = await least(async () => {
      await db.query(
        `UPDATE scheduled_messages
         SET status = 'scheduled', due_at = unix_now(), attempts_before = attempts WHERE id = ANY ($1)`,
        [ids],
      );
      return slowestPing(server, key, async () => {
        const { body: result } = await api("POST", "/api/messages/dispatch");
        expect(result).toMatchObject({ dispatched: MESSAGES, delivered: MESSAGES });
      });
    });
    expect(target.received.at(-1)?.headers["content-type"]).toBe("application/json");
    expectAtMost(delay, DELAY_MS, title);
  }
});

it("A raw body costs what its bytes cost, whatever they are", async ({ server: { api, pid } }) => {
  const endpoint = await makeEndpoint(api);
  const store = async (raw: Buffer) => {
    const id = await capture(api, endpoint.id, { raw });
    return `/api/webhooks/${endpoint.id}/events/${id}/raw`;
  };
  const json = await store(Buffer.from(filled("[{}", (i) => `,{"k${i}":0}`, "]", EVENT_BYTES)));
  const other = await store(Buffer.alloc(EVENT_BYTES, 0xff));
  const cost = async (path: string) => {
    const before = cpuMilliseconds(pid);
    for (let n = 0; n < 40; n += 1) {
      expectStatus(await api("GET", path, { headers: { "if-none-match": "*" } }), 304);
    }
    return cpuMilliseconds(pid) - before;
  };
  await cost(json); // warm-up
  const bound = 2 * (await cost(other)) + 100;
  expect(Math.min(await cost(json), await cost(json))).toBeLessThan(bound);
});

it("100 schedules whose times are rare delay others by at most 200 ms", async ({
  db,
  key,
  server,
}) => {
  const { api } = server;
  await Promise.all(Array.from({ length: 100 }, () => makeSchedule(api, key)));
  let hour = 0;
  /** Gives them times that have not been searched for. */
  const move = async () => {
    await db.query(
      `UPDATE schedules SET cron = (place % 60) || ' ' || ($1::int + place / 60) || ' 29W 2 +MON#5',
         timezone = 'Africa/Casablanca', every_seconds = NULL, due_at = unix_now()
       FROM (SELECT id, row_number() OVER () AS place FROM schedules) AS numbered
       WHERE schedules.id = numbered.id`,
      [hour],
    );
    hour += 2;
  };
  const listing = await least(async () => {
    await move();
    return slowestPing(server, key, async () => {
      const list = await api("GET", "/api/schedules", { key, query: { limit: 100 } });
      expect(list.body.data).toHaveLength(100);
    });
  });
  const running = await least(async () => {
    await move();
    return slowestPing(server, key, async () => {
      expectStatus(await api("POST", "/api/messages/dispatch"), 200);
      const due = await db.query("SELECT FROM schedules WHERE due_at <= unix_now()");
      expect(due.rowCount).toBe(0);
    });
  });
  expectAtMost(listing, DELAY_MS, "list");
  expectAtMost(running, DELAY_MS, "dispatch");
});

it("100 forwards of 500 headers delay others by at most 200 ms", async ({ key, server }) => {
  const { api } = server;
  const headers = Object.fromEntries(Array.from({ length: 480 }, (_, n) => [`x-${n}`, "1"]));
  const delay = await least(async () => {
    const { id } = (await api("POST", "/api/webhooks", { key, body: { name: "x" } })).body;
    const forward = { key, body: { url: "http://target.invalid/" } };
    expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, forward), 200);
    const capture = () => api("POST", `/api/catch/${id}`, { raw: "x", headers });
    expectStatus(await capture(), 200);
    const forwarded = async () => {
      const list = await api("GET", `/api/webhooks/${id}/events`, { key, query: { limit: 100 } });
      const { data }: EventList = JSON.parse(list.text);
      return data.filter(({ forward }) => forward?.status === "forwarded").length;
    };
    return slowestPing(server, key, async () => {
      await Promise.all(Array.from({ length: 99 }, capture));
      await expect.poll(forwarded, { timeout: 30_000 }).toBe(100);
    });
  });
  expectAtMost(delay, DELAY_MS);
});

test("A nested router state makes a page cost at most five times as much", async ({
  sharedServers: [server],
}) => {
  const state = `${'["",{"children":'.repeat(500)}["",{}]${"}]".repeat(500)}`;
  const cost = async (headers: Record<string, string>) => {
    const before = cpuMilliseconds(server.pid, { eventLoop: true });
    for (let n = 0; n < 15; n += 1) await server.api("GET", "/nothing", { headers });
    return cpuMilliseconds(server.pid, { eventLoop: true }) - before;
  };
  await cost({ rsc: "1" }); // warm-up
  const plain = await cost({ rsc: "1" });
  expect(await cost({ rsc: "1", "next-router-state-tree": state })).toBeLessThan(5 * plain);
});

/** How long the event loop computes at worst until a caller with a key is answered while `work` is done. */
async function slowestPing(
  { api, pid }: RunningServer,
  key: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const computed = () => cpuMilliseconds(pid, { eventLoop: true });
  let working = true;
  const done = work().finally(() => {
    working = false;
  });
  let slowest = 0;
  do {
    const before = computed();
    expectStatus(await api("GET", "/api/tasks", { key, query: { limit: 1 } }), 200);
    slowest = Math.max(slowest, computed() - before);
  } while (working);
  await done;
  return slowest;
}

/** Measures the machine, which takes half a second, only if it matters. */
function expectAtMost(found: number, limit: number, title?: string) {
  if (found > limit) expect.soft(found, title).toBeLessThanOrEqual(limit * inflation());
}

/**
 * How much more CPU time parsing takes than on a fast machine that has nothing else to do: what shares
 * the caches and the cores inflates it. At least 1.
 */
function inflation(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    JSON.parse(SAMPLE);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(1, (times.sort((a, b) => a - b)[2] ?? 0) / SAMPLE_MS);
}

const SAMPLE = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ [`k${n}`]: n })));
const SAMPLE_MS = 80;

/** With three, a slow machine failed now and then. */
const TRIES = 5;

/**
 * The least of a few tries. A busy machine inflates CPU times, so in repetitions the delay that `plain` work
 * causes, such as an upload that nobody parses, is subtracted.
 */
async function least(
  measure: () => Promise<number>,
  plain?: () => Promise<number>,
  isInflated = () => false,
): Promise<number> {
  let best = await measure();
  for (let tries = 1; tries < TRIES && (best > DELAY_MS || isInflated()); tries += 1) {
    const inflated = (await plain?.()) ?? 0;
    best = Math.min(best, (await measure()) - inflated);
  }
  return best;
}

function filled(
  start: string,
  item: string | ((index: number) => string),
  end: string,
  bytes = BYTES,
): string {
  if (typeof item === "string") {
    return start + item.repeat((bytes - start.length - end.length) / item.length) + end;
  }
  const parts = [start];
  let length = start.length + end.length;
  for (let index = 1; ; index += 1) {
    const next = item(index);
    length += next.length;
    if (length > bytes) return parts.join("") + end;
    parts.push(next);
  }
}
