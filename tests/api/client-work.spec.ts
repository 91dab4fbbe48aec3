import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  createClient,
  type LeasedInboxEvent,
  type WorkOptions,
} from "@/packages/client/src/index";
import { expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { startFlakyProxy } from "../support/flaky-proxy";
import type { Api } from "../support/http";
import { type Event, type InboxClient, makeInbox } from "../support/inboxes";
import { pause } from "../support/servers";
import { startTarget } from "../support/target";
import { startTcpProxy } from "../support/tcp-proxy";

/** The client's workers, with the network and the handlers failing. */

async function fill(inbox: InboxClient, count: number) {
  await Promise.all(
    Array.from({ length: count }, (_, number) => inbox.ingest({ body: { number } })),
  );
}

function numberOf({ parsed_body: body }: LeasedInboxEvent): number {
  return (body as { number: number }).number;
}

/** Stops when the inbox has no more events. */
async function untilEmpty(inbox: InboxClient, stop: AbortController) {
  await expect.poll(() => inbox.eventCount()).toBe(0);
  stop.abort();
}

async function inboxWith(api: Api, key: string, count: number): Promise<InboxClient> {
  const inbox = await makeInbox(api, {}, key);
  await fill(inbox, count);
  return inbox;
}

test("Three workers handle each event once while their connections are cut", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 45);
  const stop = new AbortController();
  const proxies = await Promise.all([1, 2, 3].map(() => startTcpProxy(baseUrl)));
  const handled: number[] = [];
  let breaks = 0;
  const workers = proxies.map(({ url }, index) =>
    createClient({ baseUrl: url, apiKey: key }).work(
      inbox.id,
      async (event) => {
        await pause(20);
        handled.push(numberOf(event));
      },
      {
        consumer: `worker-${index}`,
        concurrency: index + 1,
        signal: stop.signal,
        onError: () => breaks++,
      },
    ),
  );
  for (let cut = 0; cut < 4; cut++) {
    await expect.poll(() => handled.length).toBeGreaterThan(cut * 9);
    const proxy = proxies[cut % 3];
    proxy?.cut();
    await pause(cut * 10);
    proxy?.mend();
  }
  await untilEmpty(inbox, stop);
  await Promise.all(workers);
  expect(handled.sort((one, other) => one - other)).toEqual([...Array(45).keys()]);
  for (const proxy of proxies) await proxy.close();
});

test("A handler may take longer than the lease, and a lost response to an extension does no harm", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 2);
  let extensions = 0;
  const proxy = await startFlakyProxy(baseUrl, ({ path }) =>
    path.endsWith("/extend") && ++extensions === 1 ? "lose" : "pass",
  );
  const stop = new AbortController();
  const starts: number[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = createClient({ baseUrl: proxy.url, apiKey: key }).work(
    inbox.id,
    async (event, { signal }) => {
      starts.push(event.delivery_count);
      await finished;
      expect(signal.aborted).toBe(false);
    },
    { leaseSeconds: 6, concurrency: 2, signal: stop.signal },
  );
  await expect.poll(() => starts.length).toBe(2);
  expect(await inbox.receive({ wait_seconds: 7 })).toEqual([]);
  finish();
  await untilEmpty(inbox, stop);
  await work;
  expect(starts).toEqual([1, 1]);
  expect(extensions).toBeGreaterThan(3);
  await proxy.stop();
});

test("Its waits are not cut off by a client's shorter time limit", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await makeInbox(api, {}, key);
  const stop = new AbortController();
  const client = createClient({ baseUrl, apiKey: key, timeoutMs: 1000, maxRetries: 0 });
  const done: string[] = [];
  const work = client.work(inbox.id, ({ id }) => void done.push(id), { signal: stop.signal });
  await pause(1500);
  const { id } = await inbox.ingest({ raw: "x" });
  await expect.poll(() => done).toEqual([id]);
  stop.abort();
  await work;
});

test("A failed event comes again after its delay with the error's message, and is dead in the end", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 5);
  const stop = new AbortController();
  const handled: number[] = [];
  const errors: unknown[][] = [];
  const circular: { self?: object } = {};
  circular.self = circular;
  const work = createClient({ baseUrl, apiKey: key }).work(
    inbox.id,
    (event) => {
      handled.push(numberOf(event));
      if (numberOf(event) === 1) throw new Error("Poison\0 \ud800 é");
      if (numberOf(event) === 2 && event.delivery_count === 1) throw Object.create(null);
      if (numberOf(event) === 3) throw circular;
      if (numberOf(event) === 4) throw new Error("Unreadable");
    },
    {
      retryDelaySeconds: (event) => {
        if (numberOf(event) === 3) throw new Error("No delay");
        if (numberOf(event) === 4) return "dead";
        return numberOf(event) === 1 ? 0 : Number.NaN;
      },
      signal: stop.signal,
      onError: (error, event) => errors.push([error, event && numberOf(event)]),
    },
  );
  await expect.poll(async () => (await inbox.stats()).dead).toBe(2);
  stop.abort();
  await work;
  const dead = await inbox.events({ state: "dead" });
  expect(dead.map(({ delivery_count, last_error }) => [delivery_count, last_error]).sort()).toEqual(
    [
      [1, "Unreadable"],
      [10, "Poison  \ufffd é"],
    ],
  );
  expect(handled.filter((number) => number === 1)).toHaveLength(10);
  expect(handled.filter((number) => number === 2)).toHaveLength(2);
  expect(errors.filter(([_, number]) => number !== 3)).toHaveLength(12);
  expect(errors).toContainEqual([new Error("No delay"), 3]);
  expect(errors.some(([error]) => error === circular)).toBe(true);
  expect(await inbox.eventCount()).toBe(1);
  const left = await inbox.events();
  expect(left.map(({ last_error }) => last_error)).toContain("[object Object]");
});

test("A server that stops, which ends all waits at once, is not asked again at once", async () => {
  const target = await startTarget((response) => void response.end('{"object":"list","data":[]}'));
  const stop = new AbortController();
  const client = createClient({ baseUrl: target.url, apiKey: null });
  const work = client.work("inbox_1", () => {}, { signal: stop.signal });
  await expect.poll(() => target.received.length).toBeGreaterThanOrEqual(3);
  stop.abort();
  await work;
  const [first, , third] = target.received;
  expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(700);
  await target.stop();
});

test("What a lost response leased is handled once the network is back, or comes again if its lease has ended", async ({
  api,
  baseUrl,
  key,
}) => {
  for (const [leaseSeconds, delivery] of [
    [10, 1],
    [1, 2],
  ] as const) {
    const inbox = await inboxWith(api, key, 1);
    let isBroken = delivery === 2;
    const proxy = await startFlakyProxy(baseUrl, (_, number) => {
      if (number === 0) return "pass";
      if (number === 1) return "lose";
      return isBroken ? "refuse" : "pass";
    });
    const stop = new AbortController();
    const handled: number[] = [];
    const client = createClient({ baseUrl: proxy.url, apiKey: key, maxRetries: 0 });
    await client.inboxes.get(inbox.id);
    const work = client.work(
      inbox.id,
      (event) => {
        handled.push(event.delivery_count);
        stop.abort();
      },
      { leaseSeconds, signal: stop.signal },
    );
    if (isBroken) {
      const ended = [{ state: "ready", delivery_count: 1 }];
      await expect.poll(() => inbox.events()).toMatchObject(ended);
      isBroken = false;
    }
    await work;
    expect(handled).toEqual([delivery]);
    await proxy.stop();
  }
});

test("A proxy's page is a break of the network once the service has answered, and ends the work before", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 2);
  const counts = new Map<string, number>();
  const proxy = await startFlakyProxy(baseUrl, ({ path }) => {
    const action = path.split("/").at(-1) ?? "";
    const count = (counts.get(action) ?? 0) + 1;
    counts.set(action, count);
    const isPage = count === (action === "receive" ? 2 : 1);
    return isPage ? { status: 404, body: "No such site" } : "pass";
  });
  const stop = new AbortController();
  const handled: [number, boolean][] = [];
  const errors: unknown[] = [];
  const work = createClient({ baseUrl: proxy.url, apiKey: key }).work(
    inbox.id,
    async (event, { signal }) => {
      await expect.poll(() => counts.get("extend") ?? 0).toBeGreaterThan(1);
      handled.push([numberOf(event), signal.aborted]);
    },
    { leaseSeconds: 6, signal: stop.signal, onError: (error) => errors.push(error) },
  );
  await untilEmpty(inbox, stop);
  await work;
  expect(handled.sort()).toEqual([
    [0, false],
    [1, false],
  ]);
  expect(errors).toMatchObject([{ code: "invalid_response" }, { code: "invalid_response" }]);
  await proxy.stop();

  const elsewhere = await startTarget((response) => void response.writeHead(404).end("No."));
  const lost = createClient({ baseUrl: elsewhere.url, apiKey: null }).work(inbox.id, () => {});
  await expect(lost).rejects.toMatchObject({ code: "invalid_response" });
  await elsewhere.stop();
});

test("Without a key a failed event goes back without its error when the service takes no more text", async ({
  api,
  baseUrl,
}) => {
  const inbox = await makeInbox(api);
  await fill(inbox, 1);
  const proxy = await startFlakyProxy(baseUrl, ({ path, body }) =>
    path.endsWith("/ack") && body.includes("Broken.")
      ? { status: 429, headers: { "retry-after": "60" } }
      : "pass",
  );
  await giveBack(inbox, { baseUrl: proxy.url, apiKey: null });
  await proxy.stop();
});

test("With a key a failed event goes back with its error, once the service takes more requests", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 1);
  const returns = () => proxy.received.filter(({ path }) => path.endsWith("/ack"));
  const proxy = await startFlakyProxy(baseUrl, (received) =>
    received === returns()[0] ? { status: 429, headers: { "retry-after": "1" } } : "pass",
  );
  await giveBack(inbox, { baseUrl: proxy.url, apiKey: key });
  expect(await inbox.events()).toMatchObject([{ last_error: "Broken." }]);
  const [refused, taken] = returns();
  expect((taken?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(990);
  await proxy.stop();
});

test("A stop waits no longer than a lease for a service that takes no more requests", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 1);
  const proxy = await startFlakyProxy(baseUrl, ({ path }) =>
    path.endsWith("/ack") ? { status: 429, headers: { "retry-after": "3600" } } : "pass",
  );
  const stop = new AbortController();
  const errors: unknown[] = [];
  const work = createClient({ baseUrl: proxy.url, apiKey: key }).work(inbox.id, () => {}, {
    leaseSeconds: 1,
    signal: stop.signal,
    onError: (error) => errors.push(error),
  });
  await expect.poll(() => errors).toHaveLength(1);
  stop.abort();
  await work;
  expect(errors).toMatchObject([{ status: 429 }, { status: 429 }]);
  await proxy.stop();
});

test("A stop lets the running handlers end and gives back what was leased but not started", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 2);
  const proxy = await startFlakyProxy(baseUrl, (received) => {
    const receives = proxy.received.filter(({ path }) => path.endsWith("/receive"));
    return receives.length === 2 && receives[1] === received ? "withhold" : "pass";
  });
  const stop = new AbortController();
  const started: number[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = createClient({ baseUrl: proxy.url, apiKey: key }).work(
    inbox.id,
    async (event) => {
      started.push(numberOf(event));
      await finished;
    },
    { concurrency: 4, signal: stop.signal },
  );
  await expect.poll(() => started.length).toBe(2);
  await fill(inbox, 3);
  await expect.poll(async () => (await inbox.stats()).leased).toBeGreaterThan(2);
  stop.abort();
  await expect.poll(() => inbox.stats()).toMatchObject({ leased: 2, ready: 3 });
  finish();
  await work;
  expect(started).toHaveLength(2);
  expect(await inbox.stats()).toMatchObject({ leased: 0, ready: 3 });
  await proxy.stop();
});

test("What is given back unstarted keeps the error of its last failure", async () => {
  const event = { id: "iev_1", lease_id: "lse_1", leased_until: null, last_error: "Before" };
  const target = await startTarget((response, { path }) => {
    if (path.endsWith("/ack")) response.end('{"acks":[],"nacks":[]}');
    // The first response is late.
    else if (target.received.length > 1) response.end(JSON.stringify({ data: [event] }));
  });
  const stop = new AbortController();
  const work = createClient({ baseUrl: target.url, apiKey: null }).work("inb_1", () => {}, stop);
  await expect.poll(() => target.received.length).toBe(1);
  stop.abort();
  await work;
  const { body } = target.received.at(-1) ?? {};
  expect(JSON.parse(String(body)).nacks).toMatchObject([{ event_id: "iev_1", error: "Before" }]);
  await target.stop();
});

test("A worker that is stopped while it waits leases nothing any more", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 0);
  const proxy = await startFlakyProxy(baseUrl, () => "pass");
  const client = createClient({ baseUrl: proxy.url, apiKey: key });
  const stop = new AbortController();
  const waits = [
    client.work(inbox.id, () => {}, { signal: stop.signal }),
    client.nextTask({ holder: "writer", wait: 60, signal: stop.signal }).catch(() => null),
  ];
  await expect.poll(() => proxy.received.length).toBe(2);
  await pause(500);
  const stopped = performance.now();
  stop.abort();
  await Promise.all(waits);
  await expectWithin(api, 1000, performance.now() - stopped);
  await fill(inbox, 1);
  const direct = createClient({ baseUrl, apiKey: key });
  await direct.POST("/api/tasks", { body: { name: "Nobody's" } });
  const path = { id: inbox.id };
  const { data: events } = await direct.GET("/api/inboxes/{id}/events", { params: { path } });
  expect(events.data).toMatchObject([{ delivery_count: 0 }]);
  const held = await direct.nextTask({ holder: "writer" });
  expect(held?.lease.fencing_token).toBe(1);
  await held?.release();
  await proxy.stop();
});

test("A handler whose lease cannot be extended gets the signal before another worker has the event", async ({
  api,
  baseUrl,
  key,
}) => {
  const inbox = await inboxWith(api, key, 2);
  const proxy = await startFlakyProxy(baseUrl, ({ path }) =>
    path.endsWith("/extend") ? { status: 503 } : "pass",
  );
  const stop = new AbortController();
  const errors: string[] = [];
  const taken: Event[] = [];
  let reason: unknown;
  const work = createClient({ baseUrl: proxy.url, apiKey: key }).work(
    inbox.id,
    async (event, { signal }) => {
      await expect.poll(() => signal.aborted, { intervals: [10] }).toBe(true);
      reason = signal.reason;
      await expect.poll(async () => taken.push(...(await inbox.receive()))).toBe(2);
      // The other worker has handled one of them.
      const own = taken.find(({ id }) => id === event.id);
      if (own && numberOf(event) === 0) await inbox.ack(own);
      stop.abort();
    },
    {
      concurrency: 2,
      leaseSeconds: 1,
      signal: stop.signal,
      onError: (error) => errors.push(String(error)),
    },
  );
  await work;
  expect(String(reason)).toBe("Error: The lease could not be extended in time.");
  const lost = expect.stringContaining("was lost before its work ended");
  expect(errors).toEqual([lost, lost]);
  expect((await inbox.stats()).leased).toBe(1);
  await proxy.stop();
});

test("Work ends with the error when it cannot go on", async ({ api, baseUrl, key }) => {
  const client = createClient({ baseUrl, apiKey: key });
  const inbox = await inboxWith(api, key, 1);
  const ended = (id: string, options?: WorkOptions, of = client) =>
    of.work(id, () => {}, options).catch((error) => error);
  expect(await ended("inbox_1")).toMatchObject({ status: 404 });
  const nobody = createClient({ baseUrl: "http://127.0.0.1:1", maxRetries: 1 });
  expect(await ended("inbox_1", {}, nobody)).toBeInstanceOf(ConnectionError);
  const endless = nobody.nextTask({ holder: "me", wait: Number.POSITIVE_INFINITY });
  await expect(endless).rejects.toBeInstanceOf(ConnectionError);
  expect(await ended("..")).toBeInstanceOf(TypeError);
  expect(await ended(inbox.id, { leaseSeconds: 0 })).toMatchObject({ param: "lease_seconds" });
  expect(await ended(inbox.id, { concurrency: 0 })).toBeInstanceOf(TypeError);
  const wrongKey = createClient({ baseUrl, apiKey: `${key}x` });
  expect(await ended(inbox.id, {}, wrongKey)).toMatchObject({ status: 401 });

  const failing = client.work(
    inbox.id,
    () => {
      throw new Error("Handler");
    },
    {
      retryDelaySeconds: 3600,
      onError: () => {
        throw new Error("Reporter");
      },
    },
  );
  await expect(failing).rejects.toThrow("Reporter");
  expect((await inbox.stats()).delayed).toBe(1);

  const lost = ended(inbox.id);
  await client.DELETE("/api/inboxes/{id}", { params: { path: { id: inbox.id } } });
  expect(await lost).toBeInstanceOf(ApiError);
});

/** Works until an event has gone back because its handler failed. */
async function giveBack(inbox: InboxClient, options: ClientOptions) {
  const stop = new AbortController();
  const work = createClient(options).work(
    inbox.id,
    () => {
      throw new Error("Broken.");
    },
    { retryDelaySeconds: 3600, signal: stop.signal },
  );
  await expect.poll(() => inbox.stats()).toMatchObject({ leased: 0, delayed: 1 });
  stop.abort();
  await work;
}
