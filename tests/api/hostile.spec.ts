import { connect } from "node:net";
import fc from "fast-check";
import { actionNamed, callAction } from "../support/actions";
import { anyText, urlText } from "../support/arbitraries";
import {
  eachOf,
  expectEnvelope,
  expectError,
  expectMissing,
  expectOrderly,
  expectStatus,
} from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { exchange } from "../support/http";

/** No request causes a 5xx, and every refusal uses the envelope. */

test("Deeply nested JSON is refused like any other invalid value", async ({ api, key }) => {
  const depth = 100_000;
  const nested = "[".repeat(depth) + "]".repeat(depth);
  const objects = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const send = (raw: string) => api("POST", "/api/tasks", { key, raw });
  for (const raw of ["[".repeat(depth), '{"a":'.repeat(depth), nested]) {
    expectError(await send(raw), 400, "invalid_json");
  }
  expectError(await send(objects), 400, "unknown_param", "a");
  expectError(await send(`{"name":${nested}}`), 400, "invalid_param", "name");
  const label = await send(`{"name":"x","labels":[${nested}]}`);
  expectError(label, 400, "invalid_param", "labels.0");
});

test("Thousands of unknown properties are one error", async ({ api }) => {
  const names = Array.from({ length: 80_000 }, (_, i) => `"p${i}":1`);
  const response = await api("POST", "/api/tasks", { raw: `{${names.join()}}` });
  expectError(response, 400, "unknown_param", "p0");
  expect(response.text.length).toBeLessThan(2000);
});

test("A hundred thousand labels are one error", async ({ api }) => {
  const raw = `{"name":"x","labels":[${Array(200_000).fill('""').join()}]}`;
  const response = await api("POST", "/api/tasks", { raw });
  expectStatus(response, 400);
  expectEnvelope(response);
  expect(response.text.length).toBeLessThan(2000);
});

test("More JSON values than any action takes are refused before they are parsed", async ({
  baseUrl,
}) => {
  const action = actionNamed("sendCode");
  const body = `[${"0,".repeat(10_000)}0]`;
  // Next renders a page for a missing image, too.
  for (const page of [action.page, "/_next/image"]) {
    expect((await callAction(baseUrl, { ...action, page }, body, {})).status, page).toBe(413);
  }
});

const ODD_IDS = [
  "%00",
  "tsk_%00",
  "%2f",
  "tsk_%2f..%2f..",
  "%F0%9F%98%80",
  "tsk_'%20OR%201=1--",
  "x".repeat(4000),
  "__proto__",
  "constructor",
];
test("A task with an odd ID is missing for every method", async ({ api, key }) => {
  for (const id of ODD_IDS) await expectMissing(api, `/api/tasks/${id}`, key);
});

test("Odd and undecodable paths are 404 in the envelope", async ({ api, baseUrl }) => {
  for (const path of ["/api/%00", "/api/%2e%2f", "/api/__proto__", "/api/constructor/prototype"]) {
    expectError(await api("GET", path), 404, "route_not_found");
    expectError(await api("POST", path, { body: {} }), 404, "route_not_found");
  }
  const undecodable = ["tasks/%ff", "docs/%ff", "openapi/%ff", ".well-known/%ff", "mcp/%ff"];
  for (const path of ["api/tasks/%", "api/tasks/%zz", "api/%", "%", ...undecodable]) {
    const response = await fetch(`${baseUrl}/${path}`);
    expect(response.status, path).toBe(404);
    expect((await response.json()).error.type, path).toBe("not_found_error");
  }
});

const GARBLED_QUERIES = [
  "label=%00",
  "label=%ff",
  "label=%ed%a0%80",
  "label=",
  "external_id=%00",
  "external_id=a%00b",
  "external_id=%ff",
  "external_id=",
  "after=tsk_%00",
  "after=tsk_%ff",
  "after=tsk_",
  `after=tsk_${"z".repeat(5000)}`,
  "limit=%00",
  "limit=%ff",
  "limit=1&limit=2",
  "after=tsk_a&after=tsk_b",
  "external_id=a&external_id=b",
  "include=total_count&include=total_count",
  "include=%00",
  "label[]=a&label[x]=b",
  "%",
  "%ff=%ff",
  "=",
  "&&&&",
  "?",
  "__proto__=1&constructor=2",
  Array(1500).fill("label=a").join("&"),
];
test("A garbled query or an empty part of a path never causes a 5xx, and is refused in the envelope", async ({
  api,
  key: own,
}) => {
  await api("POST", "/api/tasks", { key: own, body: { name: "x" } });
  const paths = GARBLED_QUERIES.map((query) => `/api/tasks?${query}`);
  for (const [index, path] of [...paths, "/api//tasks", "//api/tasks"].entries()) {
    expectOrderly(await api("GET", path, { key: index % 4 === 0 ? undefined : own }));
  }
});

const ODD_HEADERS: Array<[title: string, headers: Record<string, string | string[]>]> = [
  ["a repeated If-None-Match", { "if-none-match": ['"a"', '"b"'] }],
  ["an If-None-Match of thousands", { "if-none-match": Array(3000).fill('"a"').join() }],
  ["an unfinished If-Match", { "if-match": '"abc' }],
  ["an If-Match of commas", { "if-match": ",,,," }],
  ["many X-Forwarded-For", { "x-forwarded-for": Array(500).fill("1.2.3.4").join(", ") }],
  ["a garbled X-Forwarded-For", { "x-forwarded-for": "not an address, ::::, 999.1.1.1, %00" }],
  ["a garbled Accept", { accept: ";;;q=,,,/" }],
  ["a garbled Content-Type", { "content-type": ";;;" }],
  ["a Content-Encoding that is not true", { "content-encoding": "gzip" }],
  ["a Cookie of thousands of bytes", { cookie: "a".repeat(8000) }],
];
test("Odd headers never cause a 5xx", async ({ api }) => {
  await eachOf(ODD_HEADERS, async ([_title, headers]) => {
    expectOrderly(await api("POST", "/api/tasks", { headers, body: { name: "x" } }));
    const { body: task } = await api("POST", "/api/tasks", { body: { name: "x" } });
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { name: "y" } : undefined;
      expectOrderly(await api(method, `/api/tasks/${task.id}`, { headers, body }));
    }
  });
});

test("What a page refuses is in the envelope, and in words for a browser", async ({ api }) => {
  const foreign = { origin: "https://evil.example" };
  const refusals = [
    ["/a/x", {}, 405, "method_not_allowed"],
    ["/nothing", foreign, 403, "forbidden"],
    ["/tasks", foreign, 403, "forbidden"],
  ] as const;
  for (const [path, headers, status, code] of refusals) {
    expectError(await api("POST", path, { headers, raw: "x" }), status, code);
    const browsers = { ...headers, accept: "text/html" };
    const told = await api("POST", path, { headers: browsers, raw: "x" });
    expectStatus(told, status);
    expect(told.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  }
});

test("A form that cannot be read is refused", async ({ api }) => {
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const field = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n';
  const unnamed = "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--\r\n";
  for (const raw of ["", "garbage", field, unnamed]) {
    expectError(await api("POST", "/sign-in", { headers, raw }), 400, "invalid_request");
  }
  const noAction = `${field.replace('"a"', `"$ACTION_ID_${"a".repeat(42)}"`)}--x--\r\n`;
  expect((await api("POST", "/sign-in", { headers, raw: noAction })).status).toBe(409);
});

test("A megabyte of headers is 431, and the server keeps running", async ({ api, baseUrl }) => {
  const head = `GET /api/tasks HTTP/1.1\r\nHost: x\r\nX-Huge: ${"a".repeat(1_000_000)}\r\n\r\n`;
  expect(await exchange(baseUrl, head, /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 431 /);
  expectStatus(await api("GET", "/livez"), 200);
});

test("Malformed HTTP is answered with 400 or nothing, and the server keeps running", async ({
  api,
  baseUrl,
}) => {
  for (const bytes of [
    "\u0000\u0001\u0002\r\n\r\n",
    "GET\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "\u0016\u0003\u0001\u0002\r\n\r\n",
  ]) {
    expect(await exchange(baseUrl, bytes, /\r\n\r\n/)).toMatch(/^(HTTP\/1\.1 400 |$)/);
  }
  expectStatus(await api("GET", "/livez"), 200);
});

test("A body with GET and DELETE is ignored", async ({ api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  expectStatus(await api("GET", `/api/tasks/${task.id}`, { key, raw: "not json" }), 200);
  expectStatus(await api("GET", "/api/tasks", { key, raw: "not json" }), 200);
  expectStatus(await api("DELETE", `/api/tasks/${task.id}`, { key, raw: "not json" }), 204);
});

test("A client that disconnects during its body leaves nothing behind", async ({
  api,
  baseUrl,
  organization,
  rows,
}) => {
  const name = `Half ${organization.id}`;
  const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"name":"${name}"}`;
  await Promise.all(Array.from({ length: 10 }, () => abandon(baseUrl, head)));
  expectStatus(await api("GET", "/livez"), 200);
  expect(await rows.task.count({ where: { name } })).toBe(0);
});

test.describe("Random requests", () => {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const options = { seed, numRuns: 25, endOnFailure: true };

  test("Random bytes as a body never cause a 5xx", async ({ api, key }) => {
    console.log(`FUZZ_SEED=${seed}`);
    const claim = "/api/claim/tsk_0";
    await fc.assert(
      fc.asyncProperty(rawBody(), async (raw) => {
        for (const path of ["/api/tasks", claim]) {
          const response = await api("POST", path, { key, raw });
          expectOrderly(response);
        }
      }),
      options,
    );
  });

  test("Random paths under /api never cause a 5xx", async ({ api, key, server }) => {
    console.log(`FUZZ_SEED=${seed}`);
    const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE");
    const start = fc.constantFrom("/api/", "/api/tasks/", "/api/claim/");
    // Plain `next start` answers what cannot be decoded before our code sees it.
    const rest = server === "next" ? segment() : urlText();
    await fc.assert(
      fc.asyncProperty(method, start, rest, async (verb, folder, rest) => {
        const request = { key, body: { name: "x" } };
        expectOrderly(await api(verb, folder + rest, request));
      }),
      options,
    );
  });
});

function rawBody() {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
  const json = fc.json().map((text) => Buffer.from(text));
  const broken = fc
    .tuple(fc.json(), fc.nat(400))
    .map(([text, at]) => Buffer.from(text.slice(0, at)));
  return fc.oneof(bytes, json, broken);
}

/** One correctly encoded path segment. */
function segment() {
  return anyText({ minLength: 1, maxLength: 30 })
    .map(encodeURIComponent)
    .filter((text) => !/^\.+$/.test(text));
}

/** Sends bytes and closes the connection at once. */
async function abandon(baseUrl: string, bytes: string) {
  await new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1", () =>
      socket.write(bytes, () => socket.destroy()),
    );
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}
