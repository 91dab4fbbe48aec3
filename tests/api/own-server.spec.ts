import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  eachOf,
  expectError,
  expectMissing,
  expectOrderly,
  expectStatus,
} from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { type ApiResponse, exchange } from "../support/http";
import { makeInbox } from "../support/inboxes";
import { everyOperation, examplePath } from "../support/operations";
import { head, openRaw } from "../support/raw-sockets";
import { LOG, pause } from "../support/servers";
import { allEvents, capture, eventIdOf, makeEndpoint, readEvent } from "../support/webhooks";

/**
 * Guarantees of `npm start` for requests that plain `next start` answers before our code sees them
 * (with a 500, a page or a redirect) or changes: invalid percent-encoding, dot segments, unusual
 * methods, special names, many headers.
 */

test("A task whose ID cannot be decoded is missing for every method", async ({ api, key }) => {
  for (const id of ["%ff", "%c0%af", "%ed%a0%80", "%", "%zz", "%u0041", "tsk_%", "%ff%00"]) {
    await expectMissing(api, `/api/tasks/${id}`, key);
  }
});

test("An unknown path that cannot be decoded, or begins with two slashes, is 404 in the envelope", async ({
  api,
}) => {
  const garbled = ["/api/%ff", "/api/%", "/api/tasks/x/%ff", "/api/nothing/%2e%2e/%2e%2e"];
  for (const path of [...garbled, "//api/tasks", "//api"]) {
    expectError(await api("GET", path), 404, "route_not_found");
    expectError(await api("POST", path, { body: {} }), 404, "route_not_found");
  }
});

test("A path with empty or dot segments never causes a 5xx", async ({ api, key: own }) => {
  const dots = ["/api/tasks/%2e%2e", "/api/tasks/..", "/api/tasks/../tasks", "/api/./tasks"];
  for (const path of ["/api/tasks//", ...dots]) {
    for (const key of [undefined, own]) expectOrderly(await api("GET", path, { key }));
  }
});

const MALFORMED_ESCAPES = ["%", "%zz", "%f", "%ff", "%c0%af", "%e0%a4%a", "%ed%a0%80", "%00"];
test("Malformed percent-encoding never causes a 5xx in any operation", async ({ api, key }) => {
  const rows = everyOperation.map((operation, turn) => [operation.id, operation, turn] as const);
  await eachOf(rows, async ([_id, { method, path, audience, failureSchema }, turn]) => {
    // MCP and OAuth have errors of their own.
    const check = audience === "mcp" || failureSchema ? expectNo5xx : expectOrderly;
    // In turns, since what decodes a path does not know its operation.
    for (const garbage of MALFORMED_ESCAPES.filter((_, index) => (index + turn) % 4 === 0)) {
      const garbled = path.replaceAll(/\{[^}]+\}/g, `x${garbage}`);
      if (garbled !== path) check(await api(method, garbled, { key, body: {} }));
      const query = `${garbage}=1&limit=${garbage}&after=${garbage}&since=${garbage}`;
      check(await api(method, `${examplePath(path)}?${query}`, { key, body: {} }));
    }
  });
});

function expectNo5xx({ status, text }: ApiResponse) {
  expect(status, text.slice(0, 500)).toBeLessThan(500);
}

test("An unknown query parameter named __proto__ is refused like any other", async ({ api }) => {
  expectError(await api("GET", "/api/tasks?__proto__=1"), 400, "unknown_param", "__proto__");
});

test("An external ID whose percent-encoding is not UTF-8 is refused", async ({ api, key }) => {
  for (const wrong of ["%ff", "%", "%ed%a0%80"]) {
    const response = await api("PUT", `/api/tasks/external/${wrong}`, { key, body: { name: "x" } });
    expectError(response, 400, "invalid_param", "external_id");
  }
});

test("A page whose path cannot be decoded does not exist", async ({ api }) => {
  for (const path of ["/tasks/%ff", "/claim/%ff", "/%", "/a/%c0%af", "/webhooks/%zz/events/%ff"]) {
    expect((await api("GET", path)).status).toBe(404);
    expect((await api("POST", path, { raw: "x" })).status).toBeLessThan(500);
  }
});

test("A body that Next cannot read as a form is 400, and no failure of the server's", async ({
  api,
}) => {
  const { text: page } = await api("GET", "/sign-in");
  const [, action = ""] =
    /name="\$ACTION_\d+:0" value="{&quot;id&quot;:&quot;(\w+)/.exec(page) ?? [];
  expect(action).toMatch(/^\w{40,}$/);
  const field = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const bound = `{"id":"${action}","bound":"$@1"}`;
  const form = { "content-type": "multipart/form-data; boundary=x" };
  const script = { "content-type": "text/plain;charset=UTF-8", "next-action": action };
  const unreadable: Array<[headers: Record<string, string>, body: string]> = [
    [form, ""],
    [form, "garbage"],
    [form, field("a", "b")], // not ended
    [form, "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--\r\n"],
    [form, `${field("$ACTION_REF_1", "") + field("$ACTION_1:0", bound)}--x--\r\n`],
    [{ ...form, "next-action": action }, `${field("0", "garbage")}--x--\r\n`],
    [script, "garbage"],
    [script, "null"],
    [script, '["$n12x"]'],
  ];
  const requestIds: string[] = [];
  for (const [headers, raw] of unreadable) {
    const response = await api("POST", "/sign-in", { headers, raw });
    expectError(response, 400, "invalid_request");
    requestIds.push(String(response.headers.get("request-id")));
  }
  expectStatus(await api("GET", "/api/health"), 200);
  // It has warnings and errors.
  const log = readFileSync(LOG, "utf8");
  expect(requestIds.filter((id) => log.includes(id))).toEqual([]);
});

test("A path that Next would take for another one does not exist", async ({ baseUrl }) => {
  const build = readFileSync(".next/BUILD_ID", "utf8");
  for (const path of [
    ...["/./sign-in", "/%2e/sign-in", "/x/../sign-in", "/sign-in/.", "/sign-in#x", "/sign%2din"],
    ...[
      "/x/../api/health",
      "/x/%2E%2e/api/health",
      "/api#/health",
      "/%61pi/health",
      "/api%2fhealth",
    ],
    `/_next/data/${build}/sign-in.json`,
    "/_next/image",
  ]) {
    for (const method of ["GET", "POST"]) {
      const request = head(method, path, "Connection: close", "Content-Length: 0");
      const response = await exchange(baseUrl, request, /$^/);
      expect(response, path).toMatch(/^HTTP\/1\.1 404 .*"code":"route_not_found"/s);
    }
  }
});

test("A page ignores an invalid router state", async ({ api }) => {
  for (const state of ["x", "%ff", "{}", "[1]", '["",{"children":7}]', "[".repeat(50_000)]) {
    const headers = { rsc: "1", "next-router-state-tree": state };
    expect((await api("GET", "/sign-in", { headers })).status).toBeLessThan(400);
  }
});

test("An absolute request target is served as its path", async ({ baseUrl }) => {
  const head =
    "GET http://evil.example/api/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
  const response = await exchange(baseUrl, head, /$^/);
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(response).not.toContain("evil.example");
});

test("An unusual method is 405 on a known path and 404 on an unknown one", async ({ api }) => {
  for (const method of ["TRACE", "PROPFIND", "PURGE", "MKCOL", "LINK"]) {
    for (const path of ["/api/tasks", "/api/tasks/tsk_0", "/openapi.json"]) {
      expectError(await api(method, path), 405, "method_not_allowed");
    }
    expectError(await api(method, "/api/nothing"), 404, "route_not_found");
  }
  const { id } = await makeEndpoint(api);
  expectError(await api("PROPFIND", `/api/catch/${id}`), 405, "method_not_allowed");
  expect(await allEvents(api, id)).toEqual([]);
});

test("A page answers OPTIONS with its methods, and 405 to the others", async ({ api }) => {
  for (const path of ["/", "/sign-in", "/tasks", "/claim/tsk_0", "/a/none"]) {
    const allowed = ["get", "head", "options", ...(path === "/a/none" ? [] : ["post"])];
    const options = await api("OPTIONS", path);
    expect([options.status, options.text]).toEqual([204, ""]);
    expect(options.headers.members("allow")).toEqual(allowed);
    // A page lets no other origin send it what needs a preflight.
    expect(options.headers.get("access-control-allow-methods")).toBeNull();
    for (const method of ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]) {
      const refused = await api(method, path, { headers: { accept: "text/html" } });
      expectError(refused, 405, "method_not_allowed");
      expect(refused.headers.members("allow")).toEqual(allowed);
    }
  }
});

test("Expect: 100-continue with a large body is refused before the body is sent", async ({
  baseUrl,
}) => {
  const head = (length: number) =>
    `POST /api/webhooks HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
  expect(await exchange(baseUrl, head(5_000_000), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await exchange(baseUrl, head(12), /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 100 /);
});

test("Clients with unfinished headers delay nobody, and get 408 after 10 seconds", async ({
  api,
  baseUrl,
}) => {
  const started = performance.now();
  const halves = Array.from({ length: 200 }, () =>
    exchange(baseUrl, "POST /api/tasks HTTP/1.1\r\nHost: x\r\n", /\r\n\r\n/),
  );
  for (let turn = 0; turn < 10; turn += 1) expectStatus(await api("GET", "/api/health"), 200);
  for (const response of await Promise.all(halves)) expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(performance.now() - started).toBeLessThan(30_000);
});

test("A query parameter named __proto__ is recorded like any other", async ({ api }) => {
  const inbox = await makeInbox(api);
  const response = await api("POST", `${inbox.path}/events?__proto__=x`, { raw: "x" });
  expectStatus(response, 201);
  expect((await inbox.tryEvent(response.body.id)).text).toContain(
    '"query_params":{"__proto__":"x"}',
  );
});

test("The source address is the last untrusted hop", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const eventId = await capture(api, id, {
    headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.9, 127.0.0.1" },
  });
  expect((await readEvent(api, id, eventId)).source_ip).toBe("203.0.113.9");
});

test("A query string is stored as sent", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const CASES: [string, Record<string, string>][] = [
    ["a=%20x&c", { a: " x", c: "" }],
    ["a+b=%zz&&=e&a+b=2", { "a b": "2", "": "e" }],
    ["%ff=%00", { "\uFFFD": "\0" }],
    ["?a=b?c", { "?a": "b?c" }],
    ["", {}],
  ];
  for (const [query, params] of CASES) {
    const event = await readEvent(
      api,
      id,
      eventIdOf(await api("POST", `/api/catch/${id}?${query}`)),
    );
    expect(event).toMatchObject({ query_string: query, query_params: params });
  }
});

test("Names that are special in JavaScript are ordinary data", async ({ api }) => {
  const { id } = await makeEndpoint(api);
  const response = await api("POST", `/api/catch/${id}?__proto__=q&constructor=c&%00=n&%ff=x&=e`, {
    raw: '{"__proto__":1}',
    headers: Object.fromEntries([
      ["__proto__", "h"],
      ["constructor", "c"],
      ["content-type", "text/json"],
    ]),
  });
  const { text } = await api("GET", `/api/webhooks/${id}/events/${eventIdOf(response)}`);
  const event = JSON.parse(text);
  expect(Object.entries(event.query_params)).toEqual(
    expect.arrayContaining([
      ["__proto__", "q"],
      ["constructor", "c"],
      ["\0", "n"],
      ["", "e"],
    ]),
  );
  expect(Object.entries(event.parsed_body)).toEqual([["__proto__", 1]]);
  expect(event.headers.constructor).toBe("c");
  expect(Object.entries(event.headers)).toContainEqual(["__proto__", "h"]);
});

test("A request without a Host or with two is 400 in the envelope, for any origin", async ({
  baseUrl,
}) => {
  for (const lines of ["", "Host: a\r\nhost: b\r\n"]) {
    const response = await exchange(baseUrl, `GET /api/tasks HTTP/1.1\r\n${lines}\r\n`, /$^/);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(
      /\r\nRequest-Id: (req_\w+)\r\n(.*\r\n)?\r\n\{"error":.*"request_id":"\1"/s,
    );
    expect(response).toContain("\r\nAccess-Control-Allow-Origin: *\r\n");
    expect(Date.parse(/\r\nDate: (.*)\r\n/.exec(response)?.[1] ?? "")).not.toBeNaN();
  }
});

test("A rejected connection is closed soon, although the client keeps its side open", async ({
  baseUrl,
}) => {
  const close = async (bytes: string) => {
    const rejected = openRaw(baseUrl, bytes, { leaves: false });
    await expect.poll(rejected.received).toMatch(/^HTTP\/1\.1 400 .*"request_id"/s);
    // Only what the client writes shows it that the server has closed the connection.
    const isClosed = () => {
      if (rejected.socket.writable) rejected.socket.write("x");
      return rejected.isClosed();
    };
    await expect.poll(isClosed).toBe(true);
  };
  await Promise.all(["garbage\r\n\r\n", "GET /api/tasks HTTP/1.1\r\n\r\n"].map(close));
});

test("An unknown Expect header does not prevent a capture", async ({ api }) => {
  const expecting = { raw: "x", headers: { expect: "a-miracle" } };
  expectStatus(await api("POST", "/api/catch/wh_0", expecting), 200);
  expectStatus(await api("POST", "/api/tasks", { body: { name: "x" }, ...expecting }), 201);
});

for (const target of [
  "*",
  "http://evil.example",
  "http://evil.example?a/b",
  "http://evil.example/x",
]) {
  test(`The request target ${target} causes no 5xx and no redirect elsewhere`, async ({
    baseUrl,
  }) => {
    for (const method of ["GET", "OPTIONS"]) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const response = await exchange(baseUrl, head, /$^/);
      expect(response).toMatch(/^HTTP\/1\.1 [24]/);
      expect(response).not.toContain("evil.example");
    }
  });
}

test("Two Authorization headers do not count as a credential", async ({ baseUrl, key }) => {
  const own = `Authorization: Bearer ${key}`;
  for (const other of [own, "authorization: Bearer svc_live_other", "AUTHORIZATION:"]) {
    for (const both of [
      [own, other],
      [other, own],
    ]) {
      const request = head("GET", "/api/me", "Connection: close", ...both);
      const response = await exchange(baseUrl, request, /$^/);
      expect(response).toMatch(/^HTTP\/1\.1 401 .*"code":"invalid_api_key"/s);
    }
  }
});

test("An Upgrade request is answered in HTTP/1.1", async ({ api, baseUrl }) => {
  expectStatus(await api("GET", "/sign-in"), 200); // loads the page framework
  const head = [
    "POST /api/catch/wh_0 HTTP/1.1",
    "Host: x",
    "Connection: Upgrade, HTTP2-Settings, close",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    "Content-Length: 2",
    "\r\nhi",
  ].join("\r\n");
  expect(await exchange(baseUrl, head, /$^/)).toMatch(/^HTTP\/1\.1 200 .*"received":true/s);
});

test("A client with one connection per request can read the 413", async ({ api }) => {
  for (let turn = 0; turn < 3; turn += 1) {
    const response = await api("POST", "/api/artifacts", { raw: " ".repeat(13_000_001) });
    expectError(response, 413, "payload_too_large");
  }
});

test("A slow upload is recorded by a capture URL, and is 408 in the envelope elsewhere, as is one that stops", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const length = "Content-Length: 4200";
  const slow = openRaw(baseUrl, head("POST", `/api/catch/${id}`, length));
  const tooSlow = openRaw(baseUrl, head("POST", "/api/tasks", length));
  const stopped = openRaw(baseUrl, `${head("POST", "/api/tasks", "Content-Length: 12")}{`);
  for (let second = 0; second < 14; second += 1) {
    await pause(1000);
    for (const { socket } of [slow, tooSlow]) if (socket.writable) socket.write("x".repeat(300));
  }
  await expect.poll(slow.received).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(tooSlow.received).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(stopped.received).toMatch(/^HTTP\/1\.1 408 /);
  expect(stopped.received()).toMatch(
    /\r\nRequest-Id: (req_\w+)\r\n(.*\r\n)?\r\n\{"error":.*"request_id":"\1"/s,
  );
  await expect.poll(stopped.isClosed).toBe(true);
  for (const { socket } of [slow, tooSlow]) socket.destroy();
});

test("Every response of the home page has a new nonce and the visitor's own display settings", async ({
  api,
}) => {
  const nonces = new Set<string>();
  const cookies = {
    "theme=dark": "dark",
    "session=x; theme=light": "light",
    "theme=odd": undefined,
  };
  for (const [cookie, theme] of [...Object.entries(cookies), ...Object.entries(cookies)]) {
    const page = await api("GET", "/", { headers: { accept: "text/html", cookie } });
    expectStatus(page, 200);
    expect(/data-theme="(\w+)"/.exec(page.text)?.[1]).toBe(theme);
    expect(page.headers.get("cache-control")).toContain("no-store");
    const policy = page.headers.need("content-security-policy");
    const nonce = /script-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? "";
    for (const [script] of page.text.matchAll(/<script[^>]*>/g)) {
      expect(script).toContain(`nonce="${nonce}"`);
    }
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(6);
});

test("What agents read is compressed when asked, with a weak ETag, and is the same", async ({
  api,
}) => {
  const paths = ["/", "/openapi.json", "/openapi/tasks.json", "/llms.txt", "/llms-full.txt"];
  for (const path of [...paths, "/docs/api.md", "/auth.md", "/api/limits"]) {
    const plain = await api("GET", path);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("vary")).toContain("Accept-Encoding");
    for (const [accepted, coding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip;q=0.5", "gzip"],
    ] as const) {
      const headers = { "accept-encoding": accepted };
      const response = await api("GET", path, { headers });
      expect(response.headers.get("content-encoding"), path).toBe(coding);
      expect(response.headers.get("vary")).toContain("Accept-Encoding");
      const unpack = coding === "br" ? brotliDecompressSync : gunzipSync;
      expect(unpack(response.bytes).equals(plain.bytes), path).toBe(true);
      expect(response.bytes.length).toBeLessThan(plain.bytes.length / 2);
      const etag = plain.headers.get("etag");
      if (etag === null) continue;
      expect(response.headers.get("etag")).toBe(`W/${etag}`);
      const known = { ...headers, "if-none-match": `W/${etag}` };
      const again = await api("GET", path, { headers: known });
      expectStatus(again, 304);
      expect(again.headers.get("etag")).toBe(`W/${etag}`);
    }
    const same = { headers: { "accept-encoding": "gzip" } };
    const head = await api("HEAD", path, same);
    const { headers } = await api("GET", path, same);
    for (const name of ["content-encoding", "etag", "vary"]) {
      expect(head.headers.get(name), `${path} ${name}`).toBe(headers.get(name));
    }
  }
});

test("The 304 of content that is never compressed keeps its strong ETag", async ({ api }) => {
  const headers = { "accept-encoding": "gzip" };
  const whole = await api("GET", "/client.tgz", { headers });
  expectStatus(whole, 200);
  const etag = whole.headers.need("etag");
  expect(etag).toMatch(/^"/);
  const known = { ...headers, "if-none-match": etag };
  const again = await api("GET", "/client.tgz", { headers: known });
  expectStatus(again, 304);
  expect(again.headers.get("etag")).toBe(etag);
});

test("A sender whose Content-Length is too short reads the response to what was stored", async ({
  api,
  baseUrl,
}) => {
  const { id } = await makeEndpoint(api);
  const sent = openRaw(baseUrl, `${head("POST", `/api/catch/${id}`, "Content-Length: 1")}{}`);
  await sent.closed;
  expect(sent.received()).toMatch(/^HTTP\/1\.1 200 .*"received":true/s);
  expect(sent.received().match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(await allEvents(api, id)).toHaveLength(1);
});

test("A client of HTTP/1.0 gets no 100, and its connection ends with a refusal of its body", async ({
  baseUrl,
}) => {
  const old = (length: number) =>
    [
      "POST /api/webhooks HTTP/1.0",
      "Expect: 100-continue",
      `Content-Length: ${length}`,
      "",
      "",
    ].join("\r\n");
  const body = JSON.stringify({ name: "x" });
  expect(await exchange(baseUrl, old(body.length) + body, /$^/)).toMatch(/^HTTP\/1\.1 201 /);
  const length = 5_000_000;
  const refused = await exchange(baseUrl, old(length) + "x".repeat(length), /$^/);
  expect(refused).toMatch(/^HTTP\/1\.1 413 /);
});
