import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import {
  ApiError,
  ConnectionError,
  createClient,
  type EventOptions,
  type NextTaskOptions,
  type WorkOptions,
} from "@/packages/client/src/index";
import { expect, test } from "../support/fixtures";
import { type Fault, startFlakyProxy } from "../support/flaky-proxy";
import { startTarget } from "../support/target";

/** The typed client against the server, through a network that fails. */

/** The error with which a promise rejects. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error) => error,
  );
}

/** A client whose n-th request meets the n-th fault; later ones pass. */
async function throughFaults(baseUrl: string, apiKey: string, faults: Fault[]) {
  const proxy = await startFlakyProxy(baseUrl, (_, number) => faults[number] ?? "pass");
  return { proxy, client: createClient({ baseUrl: proxy.url, apiKey }) };
}

test("A call answers the body and the response, and a failure throws every part of the error", async ({
  baseUrl,
  key,
}) => {
  const client = createClient({ baseUrl: `${baseUrl}/`, apiKey: `${key}\n` });
  const { data: task, response } = await client.POST("/api/tasks", {
    body: { name: "Write", labels: ["a b", "ü"] },
  });
  expect(response.status).toBe(201);
  expect(task.labels).toEqual(["a b", "ü"]);
  const { data: found } = await client.GET("/api/tasks", {
    params: { query: { label: ["a b", "ü"] } },
  });
  expect(found.data.map(({ id }) => id)).toEqual([task.id]);
  const read = await client.GET("/api/tasks/{id}", { params: { path: { id: task.id } } });
  const etag = String(read.response.headers.get("etag"));
  const stale = client.PATCH("/api/tasks/{id}", {
    params: { path: { id: task.id } },
    body: { name: "Other" },
    headers: { "If-Match": `${etag.slice(0, -1)}0"` },
  });
  expect(await errorOf(stale)).toMatchObject({ status: 412, code: "precondition_failed" });
  const deleted = await client.DELETE("/api/tasks/{id}", { params: { path: { id: task.id } } });
  expect(deleted.data).toBeUndefined();

  const refused = await errorOf(
    client.POST("/api/tasks", { body: { name: "x", labels: ["ok", ""] } }),
  );
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    status: 400,
    type: "invalid_request_error",
    code: "invalid_param",
    param: "labels.1",
    requestId: expect.stringMatching(/^req_/),
    retryAfter: null,
  });
});

test("Bytes and text are sent and read as they are", async ({ baseUrl, key }) => {
  const client = createClient({ baseUrl, apiKey: key });
  const { data: inbox } = await client.POST("/api/inboxes", { body: { name: "Bytes" } });
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (const [body, type] of [
    [bytes, undefined],
    [bytes.buffer, "application/x-bytes"],
    [new Blob([bytes], { type: "image/png" }), undefined],
    ['"text"', undefined],
  ] as const) {
    const { data: receipt } = await client.POST("/api/inboxes/{id}/events", {
      params: { path: { id: inbox.id } },
      body,
      ...(type && { headers: { "Content-Type": type } }),
    });
    const params = { path: { id: inbox.id, eventId: receipt.id } };
    const path = "/api/inboxes/{id}/events/{eventId}" as const;
    const { data: event } = await client.GET(path, { params });
    const { data: raw } = await client.GET(`${path}/raw`, { params, parseAs: "arrayBuffer" });
    const sent = Buffer.from(await new Blob([body]).arrayBuffer());
    expect(Buffer.from(raw).equals(sent)).toBe(true);
    const expected = body instanceof Blob ? "image/png" : typeof body === "string" ? /^text/ : type;
    expect(event.content_type ?? undefined).toEqual(
      expected instanceof RegExp ? expect.stringMatching(expected) : expected,
    );
  }
  const stream = new Blob([bytes]).stream() as unknown as string;
  const refused = client.POST("/api/catch/{id}", { params: { path: { id: "x" } }, body: stream });
  expect(await errorOf(refused)).toBeInstanceOf(TypeError);
});

test("A create whose response is lost is repeated with the same key and happens once", async ({
  baseUrl,
  key,
}) => {
  const { proxy, client } = await throughFaults(baseUrl, key, ["lose", "refuse", { status: 503 }]);
  const { data: task } = await client.POST("/api/tasks", { body: { name: "Once" } });
  expect(proxy.received).toHaveLength(4);
  const keys = new Set(proxy.received.map(({ headers }) => headers["idempotency-key"]));
  expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  const { data: tasks } = await client.GET("/api/tasks");
  expect(tasks.data.map(({ id }) => id)).toEqual([task.id]);
  await client.POST("/api/tasks", { body: { name: "Another" } });
  expect(proxy.received.at(-1)?.headers["idempotency-key"]).not.toBe([...keys][0]);
  await proxy.stop();
});

test("A repeat waits for an earlier attempt that is still running", async ({ baseUrl, key }) => {
  const running = {
    status: 409,
    headers: { "Retry-After": "0" },
    body: '{"error":{"type":"invalid_request_error","code":"idempotency_in_progress","message":"Wait."}}',
  };
  const { proxy, client } = await throughFaults(baseUrl, key, Array(6).fill(running));
  const { data } = await client.POST("/api/tasks", { body: { name: "x" }, maxRetries: 0 });
  expect(data.name).toBe("x");
  expect(proxy.received).toHaveLength(7);
  await proxy.stop();
});

test("Retry-After is waited for, and thrown at once when it is too long", async ({
  baseUrl,
  key,
}) => {
  const { proxy, client } = await throughFaults(baseUrl, key, [
    { status: 429, headers: { "Retry-After": "1" } },
    { status: 503, headers: { "Retry-After": new Date(Date.now() - 5000).toUTCString() } },
    "pass",
    { status: 429, headers: { "Retry-After": "9".repeat(400) } },
    { status: 503, headers: { "Retry-After": new Date(Date.now() + 9e7).toUTCString() } },
  ]);
  await client.GET("/api/me");
  const [first, second] = proxy.received;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  expect(await errorOf(client.GET("/api/me"))).toMatchObject({
    retryAfter: Number.POSITIVE_INFINITY,
  });
  expect(await errorOf(client.GET("/api/me"))).toMatchObject({ status: 503 });
  expect(proxy.received).toHaveLength(5);
  await proxy.stop();
});

test("Requests that are not safe to repeat are sent once, unless they were refused", async ({
  baseUrl,
  key,
}) => {
  const faults: Fault[] = [];
  const { proxy, client } = await throughFaults(baseUrl, key, faults);
  const { data: hook } = await client.POST("/api/webhooks", { body: { name: "Hook" } });
  const path = { id: hook.id };
  const untyped = client as unknown as Record<
    "GET" | "POST" | "PUT",
    (path: string, init?: object) => Promise<unknown>
  >;
  const capture = `/api/catch/${hook.id}/below`;
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const unsafe = [
    () => untyped.GET(capture),
    () => untyped.PUT(capture, { body: "x" }),
    () => untyped.POST("/mcp", { body: ping, parseAs: "text" }),
    () => client.POST("/api/catch/{id}", { params: { path }, body: "x" }),
    () => client.DELETE("/api/webhooks/{id}/events", { params: { path } }),
    () =>
      client.PATCH("/api/webhooks/{id}", {
        params: { path },
        body: { name: "New" },
        headers: { "If-Match": "*" },
      }),
    () =>
      client.PUT("/api/tasks/external/{external_id}", {
        params: { path: { external_id: crypto.randomUUID() } },
        body: { name: "New" },
        headers: { "If-None-Match": "*" },
      }),
  ];
  for (const send of unsafe) {
    for (const fault of ["lose", { status: 500 }, { status: 503 }] as Fault[]) {
      const before = proxy.received.length;
      faults[before] = fault;
      expect(await errorOf(send())).toBeInstanceOf(fault === "lose" ? ConnectionError : ApiError);
      expect(proxy.received).toHaveLength(before + 1);
    }
    faults[proxy.received.length] = { status: 429, headers: { "Retry-After": "0" } };
    await send();
  }
  for (const status of [400, 401, 404, 409, 422]) {
    const before = proxy.received.length;
    faults[before] = { status };
    expect(await errorOf(client.GET("/api/me"))).toMatchObject({ status });
    expect(proxy.received).toHaveLength(before + 1);
  }
  const count = proxy.received.length;
  faults.push(...Array(count + 2 - faults.length).fill("refuse"));
  expect(await errorOf(client.GET("/api/me", { maxRetries: 1 }))).toBeInstanceOf(ConnectionError);
  expect(proxy.received).toHaveLength(count + 2);
  await proxy.stop();
});

test("An attempt ends at its time limit, also in the middle of a body, and at the caller's signal", async ({
  baseUrl,
  key,
}) => {
  const slow = await startTarget((response, { path }) => {
    if (path === "/api/health") response.writeHead(200).write("{");
  });
  const client = createClient({ baseUrl: slow.url, apiKey: key, maxRetries: 0, timeoutMs: 150 });
  for (const path of ["/api/me", "/api/health"] as const) {
    const error = await errorOf(client.GET(path));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain("No response within 150 ms.");
  }
  const before = slow.received.length;
  const reason = new Error("Enough.");
  const stop = new AbortController();
  const call = errorOf(client.GET("/api/me", { timeoutMs: 60_000, signal: stop.signal }));
  await expect.poll(() => slow.received.length).toBe(before + 1);
  stop.abort(reason);
  expect(await call).toBe(reason);
  expect(await errorOf(client.GET("/api/me", { signal: stop.signal }))).toBe(reason);
  expect(slow.received).toHaveLength(before + 1);
  await slow.stop();

  const { proxy, client: waiting } = await throughFaults(baseUrl, key, [
    { status: 503, headers: { "Retry-After": "120" } },
  ]);
  const later = new AbortController();
  const waits = errorOf(waiting.GET("/api/me", { signal: later.signal }));
  await expect.poll(() => proxy.received.length).toBe(1);
  later.abort(reason);
  expect(await waits).toBe(reason);
  await proxy.stop();
});

test("A signal ends a streamed body, and is released once the body is read, cancelled or broken", async () => {
  const target = await startTarget((response, { path }) => {
    response.writeHead(200).write("{", () => {
      if (path === "/api/me") response.end("}");
      if (path === "/api/tasks") response.destroy();
    });
  });
  const client = createClient({ baseUrl: target.url });
  const stop = new AbortController();
  const { signal } = stop;
  const stream = async (path: "/api/me" | "/api/tasks" | "/api/health") => {
    const { data } = await client.GET(path, { parseAs: "stream", signal });
    return data;
  };
  const followers = () => getEventListeners(signal, "abort").length;
  expect(await new Response(await stream("/api/me")).text()).toBe("{}");
  expect(followers()).toBe(0);
  expect(await errorOf(new Response(await stream("/api/tasks")).text())).toBeInstanceOf(TypeError);
  expect(followers()).toBe(0);
  await (await stream("/api/health")).cancel();
  expect(followers()).toBe(0);

  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on("warning", onWarning);
  await Promise.all(Array.from({ length: 11 }, () => client.GET("/api/me", { signal })));
  expect(followers()).toBe(0);
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);

  const reading = errorOf(new Response(await stream("/api/health")).text());
  expect(followers()).toBe(1);
  const reason = new Error("Enough.");
  stop.abort(reason);
  expect(await reading).toBe(reason);
  await target.stop();
});

test("A redirect is not followed, so that another host gets neither key nor body", async ({
  key,
}) => {
  const other = await startTarget();
  const redirecting = await startTarget((response, { path }) => {
    response.writeHead(path.endsWith("me") ? 301 : 307, { Location: `${other.url}/x` });
    response.end();
  });
  const client = createClient({ baseUrl: redirecting.url, apiKey: key });
  for (const call of [
    () => client.GET("/api/me"),
    () => client.POST("/api/tasks", { body: { name: "secret" } }),
    () => client.events("wh_1", { since: "wev_0" }).next(),
    () => client.GET("/api/tasks", { parseAs: "stream" }),
  ]) {
    const error = await errorOf(call());
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toContain(`redirects to ${other.url}/x`);
  }
  expect(other.received).toEqual([]);
  await other.stop();
  await redirecting.stop();
});

test("A response that is not the service's is a clear error without control characters", async () => {
  const responses: Fault[] = [
    { status: 404, headers: { "Request-Id": "req_1" }, body: "<h1>\u001b[2JNo\u0000</h1>" },
    { status: 400, body: '{"error":{"message":"\\u001b]0;x\\u0007Bad","code":7}}' },
    { status: 400, body: '{"error":null}' },
    { status: 400 },
    { status: 200, body: "<html>Sign in</html>" },
    { status: 200, body: '{"object":' },
  ];
  const proxy = await startFlakyProxy("", (_, number) => responses[number] ?? "refuse");
  const client = createClient({ baseUrl: proxy.url, apiKey: null });
  const messages: string[] = [];
  for (const _ of responses) {
    const error = await errorOf(client.GET("/api/health"));
    expect(error).toBeInstanceOf(ApiError);
    if (error instanceof ApiError) messages.push(`${error.code}: ${error.message}`);
  }
  expect(messages).toEqual([
    "invalid_response: The server returned 404: <h1> [2JNo </h1>",
    "unknown:  ]0;x Bad",
    'invalid_response: The server returned 400: {"error":null}',
    "invalid_response: The server returned 400",
    "invalid_response: GET /api/health returned something other than JSON.",
    "invalid_response: GET /api/health returned something other than JSON.",
  ]);
  await proxy.stop();
});

test("A response without end is given up", async () => {
  const chunk = Buffer.alloc(1_000_000, "x");
  const endless = await startTarget((response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  });
  const client = createClient({ baseUrl: endless.url });
  expect(String(await errorOf(client.GET("/api/health")))).toContain("more than 67108864 bytes");
  await endless.stop();
});

test("An ID cannot lead to another path", async ({ baseUrl, key }) => {
  const { proxy, client } = await throughFaults(baseUrl, key, []);
  const { data: hook } = await client.POST("/api/webhooks", { body: { name: "Keep me" } });
  const remove = (id: string, eventId: unknown) =>
    client.DELETE("/api/webhooks/{id}/events/{eventId}", {
      params: { path: { id, eventId: eventId as string } },
    });
  for (const eventId of ["", ".", "..", undefined, null, {}]) {
    const error = await errorOf(remove(hook.id, eventId));
    expect(error, String(eventId)).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('"eventId"');
  }
  expect(proxy.received).toHaveLength(1);
  for (const eventId of ["../..", "%2e%2e", "?x", "#", "a/b"]) {
    expect(await errorOf(remove(hook.id, eventId))).toMatchObject({ status: 404 });
    expect(proxy.received.at(-1)?.path).toBe(
      `/api/webhooks/${hook.id}/events/${encodeURIComponent(eventId)}`,
    );
  }
  await client.GET("/api/webhooks/{id}", { params: { path: { id: hook.id } } });
  await proxy.stop();
});

test("Unusable options are refused, and nothing shows the key", async ({ baseUrl, key }) => {
  for (const url of [
    "",
    "localhost:3000",
    "ftp://x",
    "http://u:p@x",
    "http://x/?a",
    "http://x/#a",
  ]) {
    expect(() => createClient({ baseUrl: url }), url).toThrow(TypeError);
  }
  for (const apiKey of ["svc_live_secret\nX-Header: 1", "svc_live_secret é"]) {
    const refused = await errorOf((async () => createClient({ baseUrl, apiKey }))());
    expect(refused).toBeInstanceOf(TypeError);
    expect(inspect(refused)).not.toContain("secret");
  }
  for (const apiKey of ["", " \n"]) {
    expect(() => createClient({ baseUrl, apiKey })).toThrow("apiKey is empty");
  }
  process.env.AGENT_INFRA_KEY = key;
  try {
    const without = createClient({ baseUrl, apiKey: null });
    expect(await without.me.get()).toMatchObject({ kind: "anonymous" });
  } finally {
    delete process.env.AGENT_INFRA_KEY;
  }
  const client = createClient({ baseUrl, apiKey: key });
  const misspelt: [string, Promise<unknown>][] = [
    ["lables", client.nextTask({ holder: "me", lables: ["docs"] } as NextTaskOptions)],
    ["retryDelaySecond", client.work("inbox_1", () => {}, { retryDelaySecond: 9 } as WorkOptions)],
    ["methods", client.events("wh_1", { methods: "PUT" } as EventOptions).next()],
  ];
  for (const [name, call] of misspelt) {
    const refused = await errorOf(call);
    expect(refused).toBeInstanceOf(TypeError);
    expect(String(refused)).toContain(`"${name}" is not an option`);
  }
  const error = await errorOf(client.GET("/api/tasks/{id}", { params: { path: { id: "tsk_1" } } }));
  expect(inspect([client, error], { depth: 9, showHidden: true })).not.toContain(key);
});

test("A list yields every item of all pages once, and fetches no page before it is needed", async ({
  baseUrl,
  key,
  db,
  organization,
}) => {
  await db.query(
    `INSERT INTO tasks (id, organization_id, name, created_at, updated_at)
     SELECT 'tsk_' || substr(md5($1::text || n) || md5(n::text), 1, 25), $1, 'Task ' || n, n, n
     FROM generate_series(1, 250) AS n`,
    [organization.id],
  );
  const { proxy, client } = await throughFaults(baseUrl, key, ["pass", "lose"]);
  const names: string[] = [];
  for await (const task of client.list("/api/tasks", { params: { query: { limit: 100 } } })) {
    names.push(task.name);
  }
  expect(new Set(names).size).toBe(250);
  expect(names).toHaveLength(250);
  expect(proxy.received).toHaveLength(4);
  for await (const _ of client.list("/api/tasks")) break;
  expect(proxy.received).toHaveLength(5);
  await proxy.stop();
});

test("A list that would never end is an error", async () => {
  const page = '{"object":"list","data":[],"has_more":true,"next_cursor":"tsk_1"}';
  const target = await startTarget((response) => void response.end(page));
  const client = createClient({ baseUrl: target.url });
  const all = (async () => {
    for await (const _ of client.list("/api/tasks"));
  })();
  expect(String(await errorOf(all))).toContain("says that there is more, but not where");
  expect(target.received).toHaveLength(2);
  await target.stop();
});
