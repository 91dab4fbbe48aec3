import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { anyText } from "../support/arbitraries";
import { eachOf, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { ApiResponse } from "../support/http";
import { rowsOf } from "../support/rows";
import {
  allEvents,
  capture,
  type Endpoint,
  eventIdOf,
  listEvents,
  makeEndpoint,
  readEndpoint,
  readEvent,
  readRaw,
} from "../support/webhooks";

/** What is sent to a capture URL, and how it reads back. */

test("An event records who sent what, where and when", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const before = Math.floor(Date.now() / 1000) - 5;
  const eventId = eventIdOf(
    await api("PUT", `/api/catch/${id}/hooks/push?a=1&a=2&b=x`, {
      raw: '{"n": [1, {"m": null}]}',
      headers: { "Content-Type": "application/json; charset=utf-8", "X-Two": ["1", "2"] },
    }),
  );
  const event = await readEvent(api, id, eventId);
  expect(event).toEqual({
    id: eventId,
    object: "webhook_event",
    endpoint_id: id,
    organization_id: null,
    method: "PUT",
    path: `/api/catch/${id}/hooks/push`,
    headers: expect.objectContaining({
      "content-type": "application/json; charset=utf-8",
      "content-length": "23",
      "x-two": "1, 2",
    }),
    headers_truncated: false,
    body: '{"n": [1, {"m": null}]}',
    body_encoding: "utf8",
    body_truncated: false,
    parsed_body: { n: [1, { m: null }] },
    query_params: { a: "2", b: "x" },
    query_string: "a=1&a=2&b=x",
    source_ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    size_bytes: 23,
    received_at: expect.any(Number),
    verified: null,
    verification_reason: "not_configured",
    forward: null,
  });
  expect(event.received_at).toBeGreaterThan(before);
  expect((await listEvents(api, id)).data).toEqual([event]);
});

test("GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS other than preflights are recorded", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  for (const method of METHODS) {
    const response = await api(method, `/api/catch/${id}`);
    expectStatus(response, 200);
    expect(response.headers.get("content-type")).toBe("application/json");
    // Nothing can be read again that an ETag could name.
    expect(response.headers.get("etag"), method).toBeNull();
    if (method === "HEAD") expect(response.text).toBe("");
    else
      expect(JSON.parse(response.text)).toEqual({
        received: true,
        event_id: expect.stringMatching(/^wev_[0-9A-Za-z]{25}$/),
      });
  }
  const preflight = await api("OPTIONS", `/api/catch/${id}`, {
    headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  });
  expectStatus(preflight, 204);
  expect(preflight.headers.members("access-control-allow-methods")).toContain("post");
  const events = await allEvents(api, id);
  expect(events.map(({ method }) => method)).toEqual(METHODS.reverse());
  expect(events.map(({ body, body_encoding }) => [body, body_encoding])).toEqual(
    METHODS.map(() => [null, null]),
  );
});

test("Paths below the capture URL are recorded as sent, without a redirect", async ({
  api,
  server,
}) => {
  const { id } = await makeEndpoint(api);
  const below = ["", "/", "/a/b", "/a/", "/a%2Fb", "/-._~!$&'()*+,;=:@"];
  // Plain `next start` changes these before our code sees them.
  if (server !== "next")
    below.push("//", "//a", "/a//b/", "/./a", "/../../tasks", "/%2e%2e/%00%ff");
  const paths = below.map((path) => `/api/catch/${id}${path}`);
  for (const path of paths) expectStatus(await api("POST", path), 200);
  const events = await allEvents(api, id);
  expect(events.map(({ path }) => path).reverse()).toEqual(paths);
});

test("A capture whose path cannot be decoded is recorded", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  for (const below of ["100%", "%zz/x", "%ff"]) {
    expectStatus(await api("POST", `/api/catch/${id}/${below}`, { raw: below }), 200);
  }
  const events = await allEvents(api, id);
  expect(events.map(({ body }) => body).reverse()).toEqual(["100%", "%zz/x", "%ff"]);
});

test("X-Forwarded-For is the address only if a trusted proxy sent it", async ({ api, server }) => {
  const { id } = await makeEndpoint(api);
  await api("POST", `/api/catch/${id}`, { headers: { "x-forwarded-for": "203.0.113.9" } });
  const [event] = await allEvents(api, id);
  // Plain `next start` runs with TRUSTED_PROXIES=none, the others trust loopback.
  const isTrusted = server !== "next";
  expect(event?.source_ip).toBe(isTrusted ? "203.0.113.9" : "127.0.0.1");
});

test("Slack's check of a new URL gets its challenge back, and nothing else does", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  const sent = async (raw: string, to = id) => {
    const response = await api("POST", `/api/catch/${to}`, { raw });
    expectStatus(response, 200);
    const { event_id: _, ...rest } = JSON.parse(response.text);
    return rest;
  };
  const check = { token: "t", challenge: '3eZbrw1aB"\u0000é', type: "url_verification" };
  const answer = { received: true, challenge: check.challenge };
  expect(await sent(JSON.stringify(check))).toEqual(answer);
  expect(await sent(JSON.stringify(check), id.replace(/.{6}$/, "000000"))).toEqual(answer);
  for (const raw of [
    JSON.stringify({ ...check, type: "event_callback", note: "url_verification" }),
    JSON.stringify({ ...check, challenge: undefined }),
    JSON.stringify({ ...check, challenge: { a: 1 } }),
    JSON.stringify([check]),
    JSON.stringify({ ...check, pad: "x".repeat(4096) }),
    JSON.stringify(check).slice(0, -1),
    '"url_verification"',
    "url_verification",
  ]) {
    expect(await sent(raw), raw.slice(0, 100)).toEqual({ received: true });
  }
});

test("A capture to an unknown endpoint gets the same response as any other", async ({
  api,
  key,
}) => {
  const known = await makeEndpoint(api);
  const owned = await makeEndpoint(api, { key });
  const unknown = known.id.replace(/.{6}$/, "000000");
  for (const [method, below, options] of [
    ["GET", "", {}],
    ["HEAD", "", {}],
    ["OPTIONS", "/x", {}],
    ["POST", "/a/b?c=d", { raw: "x".repeat(2000) }],
    ["POST", "", { raw: Buffer.from([0, 255]) }],
    ["POST", "", { key: "svc_live_wrong", raw: "{}" }],
    ["POST", "", { key, headers: { "idempotency-key": "same" } }],
    ["DELETE", "", { headers: { "if-match": '"x"', "if-none-match": "*" } }],
  ] as const) {
    const shapes = [];
    for (const id of [known.id, owned.id, unknown, "wh_x", "tsk_x", "%00", "x".repeat(3000)]) {
      shapes.push(shapeOf(await api(method, `/api/catch/${id}${below}`, options)));
    }
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
    expect(shapes[0]?.status).toBe(200);
  }
  expect((await readEndpoint(api, known.id)).event_count).toBe(8);
});

const CREDENTIALS = {
  authorization: "Bearer secret-1",
  "proxy-authorization": "Basic secret-2",
  cookie: "session=secret-3; other=1",
};

test("A public endpoint records credentials as [redacted], and a claim does not restore them", async ({
  api,
  db,
  key,
}) => {
  const { id, claim_token } = await makeEndpoint(api);
  const eventId = await capture(api, id, { headers: { ...CREDENTIALS, "X-Shown": "yes" } });
  const REDACTED = Object.fromEntries(Object.keys(CREDENTIALS).map((name) => [name, "[redacted]"]));
  const expected = { ...REDACTED, "x-shown": "yes" };
  expect((await readEvent(api, id, eventId)).headers).toMatchObject(expected);
  expectStatus(await api("POST", `/api/claim/${id}`, { key, body: { claim_token } }), 200);
  expect((await readEvent(api, id, eventId, key)).headers).toMatchObject(expected);
  const event = await rowsOf(db).webhookEvent.findFirstOrThrow({ where: { id: eventId } });
  expect(event.headers).not.toContain("secret-");

  const later = await capture(api, id, { headers: CREDENTIALS });
  expect((await readEvent(api, id, later, key)).headers).toMatchObject(CREDENTIALS);
});

/** OAuth's access and refresh tokens and codes, and a claim token. */
const OUR_TOKENS = Object.fromEntries(
  ["svc_at_", "svc_oat_", "svc_ort_", "svc_oac_", "svc_odc_", "clm_"].map((prefix) => [
    `x-${prefix.replaceAll("_", "-")}token`,
    prefix + "a1".repeat(19),
  ]),
);

test("An owned endpoint records every header of the sender, except our own keys and sessions", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const eventId = await capture(api, id, { headers: { ...CREDENTIALS, cookie: ["a=1", "b=2"] } });
  expect((await readEvent(api, id, eventId, key)).headers).toMatchObject({
    ...CREDENTIALS,
    cookie: "a=1; b=2",
  });

  // A person who opens the capture URL sends their session, and an agent may send its key.
  const token = "x".repeat(43);
  const ours = await capture(api, id, {
    headers: {
      authorization: `Bearer ${key}`,
      "x-api-key": key,
      ...OUR_TOKENS,
      cookie: `a=1; __Host-session=${token}; session=${token}; session=short`,
    },
  });
  expect((await readEvent(api, id, ours, key)).headers).toMatchObject({
    authorization: "Bearer [redacted]",
    "x-api-key": "[redacted]",
    ...Object.fromEntries(Object.keys(OUR_TOKENS).map((name) => [name, "[redacted]"])),
    cookie: "a=1; __Host-session=[redacted]; session=[redacted]; session=short",
  });
});

test("Credentials are recorded only from the claim on", async ({ api, key }) => {
  for (let round = 0; round < 5; round += 1) {
    const { id, claim_token } = await makeEndpoint(api);
    const claimed = api("POST", `/api/claim/${id}`, { key, body: { claim_token } });
    const burst = Array.from({ length: 20 }, () => capture(api, id, { headers: CREDENTIALS }));
    await Promise.all([claimed, ...burst]);
    const { data } = await listEvents(api, id, { limit: 100 }, key);
    const kept = data.map(({ headers }) => headers.authorization !== "[redacted]");
    // Newest first: after the claim, then before it.
    expect(kept).toEqual([...kept].sort().reverse());
  }
});

test("Headers added by a trusted proxy are not recorded", async ({ api, key }) => {
  const { id } = await makeEndpoint(api, { key });
  const added = {
    Forwarded: "for=secret",
    "X-Real-IP": "1.2.3.4",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Anything": "secret",
    "X-Vercel-Id": "secret",
  };
  const eventId = await capture(api, id, { headers: { ...added, "X-Shown": "yes" } });
  const { headers } = await readEvent(api, id, eventId, key);
  expect(headers["x-shown"]).toBe("yes");
  for (const name of Object.keys(added)) expect(headers).not.toHaveProperty([name.toLowerCase()]);
});

test("Any bytes read back as sent", async ({ api, server }) => {
  const { id } = await makeEndpoint(api, { max_events: 1000 });
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`seed ${seed}`);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 5000, size: "max" }),
    anyText({ maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      const eventId = await capture(api, id, { raw: Buffer.from(sent) });
      const event = await readEvent(api, id, eventId);
      const raw = await readRaw(api, id, eventId);
      expect(raw.equals(Buffer.from(sent))).toBe(true);
      expect(event.size_bytes).toBe(sent.length);
      if (event.body === null) expect(sent.length).toBe(0);
      else {
        const body = Buffer.from(event.body, event.body_encoding ?? "utf8");
        expect(body.equals(Buffer.from(sent))).toBe(true);
      }
    }),
    { numRuns: server === "own" ? 30 : 10, seed },
  );
  await allEvents(api, id);
});

const HOSTILE: Record<string, string | Buffer> = {
  "U+0000": "a\0b",
  "a lone surrogate in JSON": '{"a":"\\ud800"}',
  "invalid UTF-8": Buffer.from([0x7b, 0xff, 0xfe, 0xc0, 0x80]),
  "a truncated sequence": Buffer.from([0xe2, 0x82]),
  "an encoded surrogate": Buffer.from([0xed, 0xa0, 0x80]),
  "a byte order mark": '\uFEFF{"a":1}',
  "a huge number": '{"a":1e200000}',
  "nesting of 100 000": "[".repeat(100_000) + "]".repeat(100_000),
  "nesting that is never closed": "[{".repeat(100_000),
  "many unclosed strings": '"\\'.repeat(200_000),
  "a key __proto__": '{"__proto__":{"polluted":true},"constructor":1}',
  gzip: gzipSync("hello"),
  multipart: '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n\0\xff\r\n--x--',
  "ten thousand keys": JSON.stringify(
    Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])),
  ),
  "JSON that grows when printed": `[${"1e20,".repeat(100_000)}1]`,
};

test("A hostile body is captured, and the event and its list are readable", async ({ api }) => {
  await eachOf(Object.entries(HOSTILE), async ([_name, body]) => {
    const { id } = await makeEndpoint(api);
    for (const type of ["application/json", "text/plain", "not a type;;;", ""]) {
      const eventId = await capture(api, id, {
        raw: body,
        headers: { ...(type && { "content-type": type }), "content-encoding": "gzip" },
      });
      const event = await readEvent(api, id, eventId);
      expect(event.size_bytes).toBe(Buffer.byteLength(body));
      expect((await readRaw(api, id, eventId)).equals(Buffer.from(body))).toBe(true);
    }
    expect(await allEvents(api, id)).toHaveLength(4);
  });
});

test("parsed_body is the JSON value for JSON content types, and of text that looks like JSON", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  const CASES: [type: string | undefined, body: string, parsed: unknown][] = [
    ["application/json", '{"a":1}', { a: 1 }],
    ["application/json", "3", 3],
    ["APPLICATION/JSON;charset=x", "[1]", [1]],
    ["application/vnd.api+json", '"x"', "x"],
    ["text/json", "true", true],
    ["application/json", '\uFEFF{"a":1}', { a: 1 }],
    ["application/json", "{", null],
    ["application/json", "", null],
    // The content type of `fetch` for a string.
    ["text/plain;charset=UTF-8", ' {"a":1}', { a: 1 }],
    ["text/plain", "3", null],
    ["text/plain", '{"a":1', null],
    ["text/plain", "[".repeat(201) + "]".repeat(201), null],
    ["application/xml", "[1]", null],
    [undefined, ' {"a":1}', { a: 1 }],
    [undefined, "3", null],
    // The content type of `curl -d '{…}'`.
    ["application/x-www-form-urlencoded", '{"a":1}', { a: 1 }],
    ["application/x-www-form-urlencoded", "a=1", null],
    ["application/json", "[".repeat(200) + "]".repeat(200), nested(200)],
    ["application/json", "[".repeat(201) + "]".repeat(201), null],
    ["application/json", `["${"[".repeat(500)}\\""]`, [`${"[".repeat(500)}"`]],
  ];
  for (const [type, raw, parsed] of CASES) {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const eventId = await capture(api, id, { raw, headers });
    expect((await readEvent(api, id, eventId)).parsed_body, `${type} ${raw}`).toEqual(parsed);
  }
});

test("The first 500 headers are kept, and headers_truncated says whether there were more", async ({
  api,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  // The helper's own ones: host, content-length and connection.
  const send = async (count: number) => {
    const names = Array.from({ length: count }, (_, n) => `x-${n}`);
    const headers = Object.fromEntries(names.map((name) => [name, "1"]));
    return readEvent(api, id, await capture(api, id, { key, raw: "x", headers }), key);
  };
  const few = await send(300);
  expect(few.headers_truncated).toBe(false);
  const added = Object.keys(few.headers).length - 300;
  const exact = await send(500 - added);
  expect(exact.headers_truncated).toBe(false);
  const many = await send(900);
  expect(many.headers_truncated).toBe(true);
  // What decides whether it may be forwarded to the developer's machine is among them.
  const names = Array.from({ length: 600 }, (_, n) => [`x-${n}`, "1"]);
  const headers = { ...Object.fromEntries(names), origin: "http://evil.example" };
  const late = await readEvent(api, id, await capture(api, id, { key, raw: "x", headers }), key);
  expect(late.headers).toHaveProperty("origin", "http://evil.example");
  for (const { headers } of [exact, many, late]) expect(Object.keys(headers)).toHaveLength(500);
  expect(many.headers).toHaveProperty("x-0");
  expect(many.headers).not.toHaveProperty("x-899");
});

test("A body over the limit is truncated and reported with its full size", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  for (const size of [1_000_000, 1_000_001, 3_000_000]) {
    for (const chunked of [false, true]) {
      const bytes = Buffer.alloc(size, "abcdefghij");
      const eventId = await capture(api, id, { raw: chunked ? pieces(bytes) : bytes });
      const event = await readEvent(api, id, eventId);
      expect(event.size_bytes).toBe(size);
      expect(event.body_truncated).toBe(size > 1_000_000);
      const read = await api("GET", `/api/webhooks/${id}/events/${eventId}/raw`);
      expect(read.headers.get("body-truncated")).toBe(size > 1_000_000 ? "true" : null);
      const raw = await readRaw(api, id, eventId);
      expect(raw.equals(bytes.subarray(0, 1_000_000))).toBe(true);
    }
  }
});

test("A text over the limit ends with a whole character, and bytes that are no text at the limit", async ({
  api,
}) => {
  const { id } = await makeEndpoint(api);
  for (const [start, character] of [
    ["x", "é"],
    ["", "€"],
    ["x", "😀"],
  ] as const) {
    const sent = start + character.repeat(600_000);
    const eventId = await capture(api, id, { raw: sent });
    const { body, ...event } = await readEvent(api, id, eventId);
    const size_bytes = Buffer.byteLength(sent);
    expect(event).toMatchObject({ body_encoding: "utf8", body_truncated: true, size_bytes });
    expect(sent.startsWith(body ?? "")).toBe(true);
    const missing = 1_000_000 - Buffer.byteLength(body ?? "");
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(Buffer.byteLength(character));
  }
  const binary = Buffer.alloc(1_000_001, Buffer.from([0xe2, 0x28]));
  const raw = await readRaw(api, id, await capture(api, id, { raw: binary }));
  expect(raw.equals(binary.subarray(0, 1_000_000))).toBe(true);
});

test("A GitHub signature verifies against the raw body as read back", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const payload = Buffer.from('{"zen":"Ünïcode  \\u00e9 —  spaces   kept","n":1.0}\n');
  const sign = (bytes: Buffer) =>
    `sha256=${createHmac("sha256", "it's a secret").update(bytes).digest("hex")}`;
  const eventId = await capture(api, id, {
    raw: payload,
    headers: { "content-type": "application/json", "x-hub-signature-256": sign(payload) },
  });
  const { headers } = await readEvent(api, id, eventId);
  expect(sign(await readRaw(api, id, eventId))).toBe(headers["x-hub-signature-256"]);
});

test("Raw bytes are an attachment that no browser runs", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const eventId = await capture(api, id, {
    raw: "<script>alert(1)</script>",
    headers: { "content-type": "text/html" },
  });
  const response = await api("GET", `/api/webhooks/${id}/events/${eventId}/raw`);
  expect(response.headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toBe("sandbox");
  expect(response.headers.get("content-type")).toBe("application/octet-stream");
});

test("Parallel captures are all stored, each with its own bytes", async ({ api }) => {
  const { id } = await makeEndpoint(api, { max_events: 1000 });
  const other = await makeEndpoint(api, { max_events: 1000 });
  const sent = Array.from({ length: 200 }, (_, n) => `${n}:${"x".repeat(n * 50)}`);
  const ids = await Promise.all(
    sent.map((raw, n) => capture(api, n % 3 === 0 ? other.id : id, { raw })),
  );
  expect(new Set(ids).size).toBe(200);
  const events = [...(await allEvents(api, id)), ...(await allEvents(api, other.id))];
  const bodies = new Map(events.map((event) => [event.id, event.body]));
  expect(ids.map((eventId) => bodies.get(eventId))).toEqual(sent);
});

test("Captures of other endpoints do not wait for one that is locked, which loses none", async ({
  api,
  db,
}) => {
  const [locked, free] = [await makeEndpoint(api), await makeEndpoint(api)];
  const send = ({ id }: Endpoint) =>
    Promise.all(Array.from({ length: 20 }, () => capture(api, id)));
  const lock = await db.connect();
  let waiting: Promise<string[]>;
  try {
    await lock.query("BEGIN");
    await lock.query("SELECT FROM endpoint_state WHERE endpoint_id = $1 FOR UPDATE", [locked.id]);
    waiting = send(locked);
    await send(free);
    await lock.query("COMMIT");
  } finally {
    lock.release(true);
  }
  const ids = await waiting;
  expect((await allEvents(api, locked.id)).map(({ id }) => id).sort()).toEqual(ids.sort());
});

/** A response without what always differs. */
function shapeOf(response: ApiResponse) {
  const varying = ["date", "request-id"];
  return {
    status: response.status,
    headers: response.headers.pairs.filter(([name]) => !varying.includes(name)),
    body: response.text.replace(/wev_[0-9A-Za-z]{25}/, "wev_…"),
  };
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let i = 1; i < depth; i++) value = [value];
  return value;
}

async function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
}
