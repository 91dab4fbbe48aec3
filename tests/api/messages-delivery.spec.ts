import { createPublicKey, verify } from "node:crypto";
import type { Socket } from "node:net";
import type { Message } from "@/lib/resources/messages/contract";
import { eachOf, expectError, expectStatus, expectWithin } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { toolCall } from "../support/mcp";
import { publicWebhookId } from "../support/messages";
import { startRaw } from "../support/raw-target";
import { startHoldingTarget, startTarget } from "../support/target";
import { capture, makeEndpoint } from "../support/webhooks";

/** What the target receives, and how its response decides the message's fate. */

/** Creates a due message, dispatches it and waits for its attempt to complete. */
async function send(api: Api, body: object): Promise<Message> {
  const created = await api("POST", "/api/messages", { body: { delay_seconds: 0, ...body } });
  expectStatus(created, 201);
  return settled(api, created.body.id);
}

async function settled(api: Api, id: string): Promise<Message> {
  let message: Message | undefined;
  await expect
    .poll(
      async () => {
        await api("POST", "/api/messages/dispatch");
        const read = await api("GET", `/api/messages/${id}`);
        message = JSON.parse(read.text);
        return message?.status;
      },
      { timeout: 45_000 },
    )
    .not.toMatch(/^(scheduled|delivering)$/);
  if (!message) throw new Error("No message was read.");
  return message;
}

test("A read that waits returns once the message has ended, or when the time is up", async ({
  api,
}) => {
  const target = await startTarget();
  const body = { url: target.url, delay_seconds: 3600 };
  const { id } = (await api("POST", "/api/messages", { body })).body;
  const read = (wait: number) => api("GET", `/api/messages/${id}`, { query: { wait } });
  expect((await read(1)).body.status).toBe("scheduled");
  const started = performance.now();
  const waiting = read(25).then(({ body }) => ({ body, at: performance.now() }));
  await api("PATCH", `/api/messages/${id}`, { body: { delay_seconds: 0 } });
  await settled(api, id);
  const { body: read25, at } = await waiting;
  expect(read25.status).toBe("delivered");
  expect(at - started).toBeLessThan(20_000);
  // It returns at once when no attempt will follow.
  const ended = performance.now();
  expect((await read(25)).body.status).toBe("delivered");
  await expectWithin(api, 1000, performance.now() - ended);
});

test("The target gets the request unchanged, with a signature that the published key verifies", async ({
  api,
  baseUrl,
}) => {
  const target = await startTarget();
  const body = '{"text":"caf\u00e9"}';
  const message = await send(api, {
    url: `${target.url}/a%20b?x=%7B&y`,
    method: "PUT",
    headers: { "X-Mixed-Case": "caf\u00e9", Accept: "a/b" },
    body,
  });
  expect(message).toMatchObject({ status: "delivered", attempts: 1, response_status: 200 });
  expect(message).toMatchObject({ last_error: null, next_attempt_at: null });
  expect(message.delivered_at).toBeGreaterThanOrEqual(message.created_at);

  const [got] = target.received;
  if (!got) throw new Error("Nothing arrived.");
  expect(target.received).toHaveLength(1);
  expect(got).toMatchObject({ method: "PUT", path: "/a%20b?x=%7B&y" });
  expect(got.body.toString()).toBe(body);
  expect(got.rawHeaders).toEqual(expect.arrayContaining(["X-Mixed-Case", "caf\u00e9"]));
  expect(got.headers).toMatchObject({
    host: `127.0.0.1:${target.port}`,
    accept: "a/b",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "webhook-id": publicWebhookId(message.id),
    "message-attempt": "1",
    "user-agent": expect.stringContaining(baseUrl),
  });

  const { body: document } = await api("GET", "/.well-known/webhook-signing-keys.json");
  const [key] = (document as unknown as { keys: Array<Record<string, string>> }).keys;
  const spki = Buffer.concat([
    Buffer.from("302a300506032b6570032100", "hex"),
    Buffer.from(key?.public_key?.replace(/^whpk_/, "") ?? "", "base64"),
  ]);
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  expect(publicKey.export({ format: "jwk" })).toMatchObject({ x: key?.x });
  const [version, signature = ""] = String(got.headers["webhook-signature"]).split(",");
  expect(version).toBe("v1a");
  const signed = `${got.headers["webhook-id"]}.${got.headers["webhook-timestamp"]}.${got.body}`;
  expect(verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, "base64"))).toBe(true);
  expect(verify(null, Buffer.from(`${signed}x`), publicKey, Buffer.from(signature, "base64"))).toBe(
    false,
  );
  await target.stop();
});

const CONTENT_TYPES: Array<[body: string | null, headers: object, expected: string | undefined]> = [
  ['{"a":1}', {}, "application/json"],
  ["[1", {}, "text/plain; charset=utf-8"],
  ["", {}, "text/plain; charset=utf-8"],
  ['{"a":1}', { "CONTENT-TYPE": "x/y" }, "x/y"],
  [null, {}, undefined],
];
test("A body is sent as the type in the headers, else as JSON or text by its content", async ({
  api,
}) => {
  const target = await startTarget();
  for (const [body, headers, expected] of CONTENT_TYPES) {
    await send(api, { url: target.url, body, headers });
    expect(target.received.at(-1)?.headers["content-type"], String(body)).toBe(expected);
  }
  await target.stop();
});

test("Every method is delivered, with a body on GET and DELETE too", async ({ api }) => {
  const target = await startTarget();
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    await send(api, { url: target.url, method, body: "hello" });
    expect(target.received.at(-1)?.method).toBe(method);
    expect(target.received.at(-1)?.body.toString()).toBe("hello");
  }
  await target.stop();
});

test("A caller may set User-Agent but not Message-Attempt", async ({ api }) => {
  const target = await startTarget();
  await send(api, { url: target.url, headers: { "Message-Attempt": "99", "User-Agent": "mine" } });
  expect(target.received[0]?.headers).toMatchObject({
    "message-attempt": "1",
    "user-agent": "mine",
  });
  await target.stop();
});

/** With 10 % of jitter. */
const IN_A_MINUTE = [54, 66] as const;
const DELIVERED = [200, 201, 204, 299];
const RETRIED = [408, 425, 429, 500, 502, 503, 504, 599];
const FINAL = [300, 304, 400, 401, 403, 404, 410, 413, 422, 600, 999];

test("2xx delivers, 408, 425, 429 and 5xx are retried in a minute, and any other status is final", async ({
  api,
}) => {
  const target = await startTarget((response, { path }) => {
    response.writeHead(Number(path.slice(1))).end();
  });
  for (const code of [...DELIVERED, ...RETRIED, ...FINAL]) {
    const message = await send(api, { url: `${target.url}/${code}` });
    const status = DELIVERED.includes(code) ? "delivered" : "failed";
    expect(message).toMatchObject({ status, attempts: 1, response_status: code });
    if (status === "failed")
      expect(message.last_error).toMatch(code < 400 ? /^redirect_not_followed/ : `http_${code}`);
    if (RETRIED.includes(code)) expectDelay(message, ...IN_A_MINUTE);
    else expect(message.next_attempt_at, String(code)).toBeNull();
  }
  await target.stop();
});

const RETRY_AFTER: Array<
  [status: number, header: string, seconds: readonly [number, number], bytes?: number]
> = [
  // A second more: some of the second in which the next attempt was planned had passed.
  [503, "7", [8, 8]],
  [503, "8", [9, 9], 1_000_001],
  [429, "120", [121, 121]],
  [429, "0", [1, 1]],
  [503, "999999999", [86_400, 86_400]],
  [503, "soon", IN_A_MINUTE],
  [503, "-5", IN_A_MINUTE],
  [500, "7", IN_A_MINUTE],
];
test("Retry-After with 429 and 503 is waited for to the end, from a second to a day, if it is a number", async ({
  api,
}) => {
  const target = await startTarget((response, { path }) => {
    const [status, header, , bytes] = RETRY_AFTER[Number(path.slice(1))] ?? [];
    response.writeHead(status ?? 0, { "Retry-After": header }).end(Buffer.alloc(bytes ?? 0));
  });
  for (const [index, [, , seconds]] of RETRY_AFTER.entries()) {
    expectDelay(await send(api, { url: `${target.url}/${index}` }), ...seconds);
  }
  await target.stop();
});

test("A Retry-After date is relative to the database's clock", async ({ api }) => {
  const date = Math.floor(Date.now() / 1000) + 600;
  const target = await startTarget((response) => {
    response.writeHead(429, { "Retry-After": new Date(date * 1000).toUTCString() }).end();
  });
  const { created_at, delivered_at, next_attempt_at } = await send(api, { url: target.url });
  expect(next_attempt_at).toBeGreaterThanOrEqual(date);
  // It may take the time of the lease for now.
  expect(next_attempt_at).toBeLessThanOrEqual(date + 1 + (delivered_at ?? 0) - created_at);
  await target.stop();
});

test("A redirect is not followed, and the error names its location", async ({ api }) => {
  const other = await startTarget();
  const target = await startTarget((response) => {
    response.writeHead(307, { Location: `${other.url}/elsewhere` }).end();
  });
  const message = await send(api, { url: target.url });
  expect(message.last_error).toContain(`${other.url}/elsewhere`);
  expect(other.received).toHaveLength(0);
  await target.stop();
  await other.stop();
});

test("Attempts show the target's response as safe text", async ({ api }) => {
  const responses = [
    Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from("\u{1f600}".repeat(5000))]),
    Buffer.from("short"),
  ];
  const target = await startTarget((response) => {
    response.writeHead(500, { "X-Say": ["a", "b"] }).end(responses.shift());
  });
  const first = await send(api, { url: target.url });
  expectStatus(await api("POST", `/api/messages/${first.id}/retry`), 200);
  const second = await settled(api, first.id);
  expect(second).toMatchObject({ attempts: 2, status: "failed" });
  expect(target.received.map(({ headers }) => headers["message-attempt"])).toEqual(["1", "2"]);
  expect(new Set(target.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

  const list = await api("GET", `/api/messages/${first.id}/attempts`);
  expectStatus(list, 200);
  expect(list.body.data).toEqual([
    expect.objectContaining({ attempt: 2, response_body: "short", response_status: 500 }),
    {
      id: expect.stringMatching(/^att_/),
      object: "message_attempt",
      message_id: first.id,
      attempt: 1,
      started_at: expect.any(Number),
      duration_ms: expect.any(Number),
      response_status: 500,
      response_headers: expect.objectContaining({ "x-say": "a, b" }),
      response_headers_truncated: false,
      response_body: `\ufffd\ufffd\ufffd${"\u{1f600}".repeat(4093)}`,
      error: expect.stringMatching(/^http_500/),
    },
  ]);
  const paged = await api("GET", `/api/messages/${first.id}/attempts`, { query: { limit: 1 } });
  expect(paged.body).toMatchObject({ has_more: true, next_cursor: list.body.data[0]?.id });
  const rest = await api("GET", `/api/messages/${first.id}/attempts`, {
    query: { after: paged.body.next_cursor ?? "" },
  });
  expect(rest.body.data.map(({ id }) => id)).toEqual([list.body.data[1]?.id]);
  await target.stop();
});

const BROKEN: Array<
  [
    what: string,
    onConnection: (socket: Socket) => void,
    error: RegExp,
    status: number | null,
    retried: boolean,
  ]
> = [
  [
    "breaks off before a response",
    (socket) => socket.once("data", () => socket.destroy()),
    /^connection_reset/,
    null,
    true,
  ],
  [
    "breaks off within a response",
    (socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")),
    /^connection_reset/,
    200,
    true,
  ],
  [
    "is no web server",
    (socket) => socket.end("220 mail.example ESMTP\r\n"),
    /^connection_reset/,
    null,
    true,
  ],
  ["hangs", () => {}, /^timeout/, null, true],
  ["answers 200 without end", flood(200), /^response_too_large/, 200, false],
  ["answers 404 without end", flood(404), /^response_too_large/, 404, false],
  ["answers 503 without end", flood(503), /^response_too_large/, 503, true],
];
test("A target that breaks off, hangs or answers without end has one documented outcome", async ({
  api,
}) => {
  await eachOf(BROKEN, async ([_what, onConnection, error, status, retried]) => {
    const target = await startRaw(onConnection);
    const message = await send(api, { url: target.url });
    expect(message).toMatchObject({ status: "failed", response_status: status });
    expect(message.last_error).toMatch(error);
    expect(message.next_attempt_at !== null).toBe(retried);
    target.stop();
  });
});

test("A closed port and a target without TLS are retried", async ({ api }) => {
  const target = await startTarget();
  const plain = await send(api, { url: target.url.replace("http:", "https:") });
  expect(plain.last_error).toMatch(/^tls_error/);
  await target.stop();
  const gone = await send(api, { url: target.url });
  expect(gone.last_error).toMatch(/^connection_refused/);
  expect(plain.next_attempt_at).not.toBeNull();
  expect(gone.next_attempt_at).not.toBeNull();
});

test("Any time in the past is due at once, and a time in the future is not", async ({ api }) => {
  const target = await startTarget();
  const later = await api("POST", "/api/messages", {
    body: { url: `${target.url}/later`, delay_seconds: 3600 },
  });
  const farthest = await api("POST", "/api/messages", {
    body: { url: `${target.url}/never`, scheduled_at: 9_007_199_254_740_991 },
  });
  for (const scheduled_at of [-9_007_199_254_740_991, 0, 1]) {
    const message = await send(api, { url: `${target.url}/now`, scheduled_at });
    expect(message).toMatchObject({ status: "delivered", scheduled_at });
  }
  expect(target.received.map(({ path }) => path)).toEqual(["/now", "/now", "/now"]);
  for (const { body } of [later, farthest]) {
    expect((await api("GET", `/api/messages/${body.id}`)).body).toHaveProperty(
      "status",
      "scheduled",
    );
  }
  await target.stop();
});

test("A message to the service itself cannot forge its source address", async ({
  api,
  baseUrl,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "x" } });
  const url = `${baseUrl}/api/catch/${endpoint.id}`;
  const forged = {
    "X-Forwarded-For": "203.0.113.9",
    Forwarded: "for=203.0.113.9",
    "X-Real-IP": "203.0.113.9",
    "X-Kept": "kept",
  };
  await send(api, { url, headers: forged });
  const { text } = await api("GET", `/api/webhooks/${endpoint.id}/events`);
  expect(JSON.parse(text).data).toEqual([
    expect.objectContaining({
      source_ip: "127.0.0.1",
      headers: expect.objectContaining({ "x-kept": "kept" }),
    }),
  ]);
});

test("webhook-id is the message's ID for owned messages and a digest for public ones, even after a claim", async ({
  api,
  key,
}) => {
  const target = await startTarget((response) => void response.writeHead(500).end());
  const body = { url: target.url, delay_seconds: 0 };
  const open = (await api("POST", "/api/messages", { body })).body;
  await settled(api, open.id);
  const [first] = target.received;
  expect(first?.headers["webhook-id"]).toBe(publicWebhookId(open.id));
  expect(JSON.stringify(first)).not.toContain(open.id);

  const { claim_token } = open;
  expectStatus(await api("POST", `/api/claim/${open.id}`, { key, body: { claim_token } }), 200);
  expectStatus(await api("POST", `/api/messages/${open.id}/retry`, { key }), 200);
  const owned = (await api("POST", "/api/messages", { key, body })).body;
  await expect
    .poll(async () => {
      await api("POST", "/api/messages/dispatch");
      return target.received.map(({ headers }) => headers["webhook-id"]).sort();
    })
    .toEqual([owned.id, publicWebhookId(open.id), publicWebhookId(open.id)].sort());
  for (const { headers } of target.received) {
    const path = `/api/messages/${headers["webhook-id"]}`;
    expect((await api("GET", path)).status).not.toBe(200);
    expect((await api("PATCH", path, { body: {} })).status).not.toBe(200);
  }
  await target.stop();
});

test("A canceled or deleted message is never sent, and a retry sends it once", async ({ api }) => {
  const target = await startTarget();
  const create = () =>
    api("POST", "/api/messages", { body: { url: target.url, delay_seconds: 3600 } });
  const canceled = (await create()).body.id;
  const deleted = (await create()).body.id;
  expect((await api("POST", `/api/messages/${canceled}/cancel`)).body).toHaveProperty(
    "status",
    "canceled",
  );
  expectStatus(await api("DELETE", `/api/messages/${deleted}`), 204);
  expectStatus(await api("POST", `/api/messages/${canceled}/cancel`), 200);
  const refused = await api("PATCH", `/api/messages/${canceled}`, { body: { delay_seconds: 0 } });
  expectError(refused, 400, "message_not_editable");
  await send(api, { url: `${target.url}/other` });
  expect(target.received.map(({ path }) => path)).toEqual(["/other"]);

  const retried = await api("POST", `/api/messages/${canceled}/retry`);
  expect(retried.body).toHaveProperty("status", "scheduled");
  expect(await settled(api, canceled)).toMatchObject({ status: "delivered", attempts: 1 });
  expect(target.received.map(({ headers }) => headers["webhook-id"])).toContain(
    publicWebhookId(canceled),
  );
  expect(target.received).toHaveLength(2);
  await target.stop();
});

test("A message cannot ask for a retry or a replay, also by a tool, since that could go on forever", async ({
  api,
  baseUrl,
}) => {
  const url = `${baseUrl}/api/health`;
  const { body: canceled } = await api("POST", "/api/messages", {
    body: { url, delay_seconds: 3600 },
  });
  const path = `/api/messages/${canceled.id}`;
  expectStatus(await api("POST", `${path}/cancel`), 200);
  const { id } = await makeEndpoint(api);
  const event = await capture(api, id, { raw: "x" });
  const requests = [
    { path: `${path}/retry`, status: 403 },
    { path: `/api/webhooks/${id}/events/${event}/replay`, body: { url }, status: 403 },
    { path: "/mcp", body: toolCall("run_now", { id: canceled.id }), status: 200 },
    { path: "/mcp", body: toolCall("run_now", { id: event, parent_id: id, url }), status: 200 },
  ];
  for (const { path, body, status } of requests) {
    const message = await send(api, { url: baseUrl + path, body: body && JSON.stringify(body) });
    expect(message).toMatchObject({ response_status: status, next_attempt_at: null });
    const attempts = await api("GET", `/api/messages/${message.id}/attempts`);
    expect(attempts.text).toContain("A message cannot make this call.");
  }
  expect((await api("GET", path)).body).toMatchObject({ status: "canceled", attempts: 0 });
});

test("Every action has a defined outcome in every state", async ({ api }) => {
  const good = await startTarget();
  const bad = await startTarget((response) => response.writeHead(404).end());
  const failing = await startTarget((response) => response.writeHead(500).end());
  const scheduled = (
    await api("POST", "/api/messages", { body: { url: good.url, delay_seconds: 3600 } })
  ).body.id;
  const delivered = (await send(api, { url: good.url })).id;
  const final = (await send(api, { url: bad.url })).id;
  const planned = (await send(api, { url: failing.url })).id;
  const canceled = (await send(api, { url: failing.url })).id;
  expectStatus(await api("POST", `/api/messages/${canceled}/cancel`), 200);

  const refusals: Array<[id: string, action: string, code: string]> = [
    [scheduled, "retry", "message_not_retryable"],
    [delivered, "retry", "message_not_retryable"],
    [delivered, "cancel", "message_not_cancelable"],
    [final, "cancel", "message_not_cancelable"],
  ];
  for (const [id, action, code] of refusals) {
    expectError(await api("POST", `/api/messages/${id}/${action}`), 400, code);
  }
  for (const id of [delivered, final, planned, canceled]) {
    const refused = await api("PATCH", `/api/messages/${id}`, { body: {} });
    expectError(refused, 400, "message_not_editable");
  }
  const before = await api("GET", `/api/messages/${canceled}`);
  const again = await api("POST", `/api/messages/${canceled}/cancel`);
  expectStatus(again, 200);
  expect(again.body).toEqual(before.body);
  const stopped = await api("POST", `/api/messages/${planned}/cancel`);
  expect(stopped.body).toMatchObject({ status: "canceled", next_attempt_at: null });
  for (const id of [scheduled, delivered, final, planned, canceled]) {
    expectStatus(await api("DELETE", `/api/messages/${id}`), 204);
  }
  for (const target of [good, bad, failing]) await target.stop();
});

test("During delivery a message cannot be edited, canceled or retried, only deleted", async ({
  api,
}) => {
  const target = await startHoldingTarget();
  const created = await api("POST", "/api/messages", {
    body: { url: target.url, delay_seconds: 0 },
  });
  const path = `/api/messages/${created.body.id}`;
  const dispatching = api("POST", "/api/messages/dispatch");
  await expect.poll(() => target.held.length).toBe(1);
  expect((await api("GET", path)).body).toMatchObject({ status: "delivering", attempts: 1 });
  const refused = await api("PATCH", path, { body: { delay_seconds: 9 } });
  expectError(refused, 400, "message_not_editable");
  expectError(await api("POST", `${path}/cancel`), 400, "message_not_cancelable");
  expectError(await api("POST", `${path}/retry`), 400, "message_not_retryable");
  expectStatus(await api("DELETE", path), 204);
  target.open();
  expectStatus(await dispatching, 200);
  expectError(await api("GET", path), 404, "resource_not_found");
  expect(target.received).toHaveLength(1);
  await target.stop();
});

test("Dispatch by GET and POST reports counts, and in local mode names each message", async ({
  api,
}) => {
  const target = await startTarget();
  const before = (await api("GET", "/api/health")).body as unknown as { last_dispatch_at: number };
  for (const method of ["GET", "POST"]) {
    const id = (await api("POST", "/api/messages", { body: { url: target.url, delay_seconds: 0 } }))
      .body.id;
    // A dispatch ignores API keys, valid or not.
    const response = await api(method, "/api/messages/dispatch", { key: "nonsense" });
    expectStatus(response, 200);
    const result = response.body as unknown as {
      dispatched: number;
      delivered: number;
      failed: number;
      remaining: number;
      results: object[];
    };
    expect(result.remaining).toEqual(expect.any(Number));
    expect(result).toHaveProperty("object", "dispatch_result");
    expect(result.dispatched).toBe(result.delivered + result.failed);
    expect(result.results).toHaveLength(result.dispatched);
    for (const item of result.results) {
      expect(Object.keys(item)).toEqual([
        "id",
        "status",
        "attempts",
        "response_status",
        "error",
        "next_attempt_at",
      ]);
    }
    await settled(api, id);
  }
  const after = (await api("GET", "/api/health")).body as unknown as { last_dispatch_at: number };
  expect(after.last_dispatch_at).toBeGreaterThanOrEqual(before.last_dispatch_at ?? 0);
  await target.stop();
});

function flood(status: number) {
  return (socket: Socket) => {
    socket.write(`HTTP/1.1 ${status} X\r\n\r\n`);
    const chunk = Buffer.alloc(65_536);
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", send);
    send();
  };
}

/** The seconds until a message's next attempt. */
function expectDelay(message: Message, least: number, most: number) {
  const delay = (message.next_attempt_at ?? 0) - (message.delivered_at ?? 0);
  expect(delay).toBeGreaterThanOrEqual(least);
  expect(delay).toBeLessThanOrEqual(most);
}
