import { gzipSync } from "node:zlib";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { exchange } from "../support/http";

/** Reading of JSON request bodies. */

const BODY_BYTES_MAX = 1_000_000;

const CONTENT_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/x-www-form-urlencoded",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "nonsense",
];

test("A JSON body is accepted with any content type, or none, and with white space around it", async ({
  api,
}) => {
  for (const headers of [{}, ...CONTENT_TYPES.map((type) => ({ "content-type": type }))]) {
    const raw = ' \r\n\t{ "name" : "Any type" } \n';
    const created = await api("POST", "/api/tasks", { raw, headers });
    expectStatus(created, 201);
    expect(created.body.name).toBe("Any type");
    const path = `/api/tasks/${created.body.id}`;
    const patched = await api("PATCH", path, { raw: '{"name":"Patched"}', headers });
    expectStatus(patched, 200);
    expect(patched.body.name).toBe("Patched");
  }
});

/** An object whose name is these bytes. */
const named = (...bytes: number[]) =>
  Buffer.from([...Buffer.from('{"name":"'), ...bytes, 0x22, 0x7d]);
const NOT_JSON: Array<[title: string, raw: string | Uint8Array]> = [
  ["an empty body", ""],
  ["white space", " \n\t "],
  ["an unfinished object", '{"name":"x"'],
  ["a single quote", "{'name':'x'}"],
  ["a trailing comma", '{"name":"x",}'],
  ["a form", "name=x&priority=low"],
  ["two objects", '{"name":"x"}{"name":"y"}'],
  ["NaN", '{"due_at":NaN}'],
  ["a control character inside a string", '{"name":"a\u0001b"}'],
  ["an invalid escape", '{"name":"\\x41"}'],
  ["UTF-16", Buffer.from('{"name":"x"}', "utf16le")],
  ["a byte that is not UTF-8", named(0xff)],
  ["an overlong UTF-8 sequence", named(0xc0, 0xaf)],
  ["a surrogate encoded in UTF-8", named(0xed, 0xa0, 0x80)],
  ["a UTF-8 sequence that is cut off", named(0xe2, 0x82)],
  ["an array", '[{"name":"x"}]'],
  ["a string", '"name"'],
  ["a number", "5"],
  ["true", "true"],
  ["null", "null"],
];

test("A body that is not a JSON object is 400 invalid_json, and changes nothing", async ({
  api,
  key,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Kept" } });
  await eachOf(NOT_JSON, async ([_title, raw]) => {
    expectError(await api("POST", "/api/tasks", { key, raw }), 400, "invalid_json");
    expectError(await api("PATCH", `/api/tasks/${task.id}`, { key, raw }), 400, "invalid_json");
    expectError(await api("POST", `/api/claim/${task.id}`, { key, raw }), 400, "invalid_json");
  });
  expectError(await api("POST", "/api/tasks"), 400, "invalid_json");
  const list = await api("GET", "/api/tasks", { key });
  expect(list.body.data.map(({ name }) => name)).toEqual(["Kept"]);
});

test("A compressed body is 400 invalid_json, and the message names its Content-Encoding", async ({
  api,
}) => {
  const raw = gzipSync('{"name":"x"}');
  for (const encoding of ["gzip", "br"]) {
    const headers = { "content-encoding": encoding };
    const response = await api("POST", "/api/tasks", { raw, headers });
    expectError(response, 400, "invalid_json");
    expect(response.body.error.message).toContain(`its Content-Encoding is "${encoding}"`);
  }
  const plain = await api("POST", "/api/tasks", {
    raw: "{",
    headers: { "content-encoding": "identity" },
  });
  expect(plain.body.error.message).not.toContain("Content-Encoding");
});

test("The message of invalid_json says where the JSON is wrong", async ({ api }) => {
  for (const [raw, where] of [
    ['{"name": "x",}', "position 13"],
    ['{name: "x"}', "position 1"],
    ['{"name": "two\nlines"}', "position 13"],
    ["name=x", '"name=x"'],
    ['{"name": "x"', "position 12"],
  ] as const) {
    for (const path of ["/api/tasks", "/api/agent/auth"]) {
      const { body } = await api("POST", path, { raw });
      expect(body.error.message).toMatch(/^The request body is not JSON: [A-Z].*[^.]\.$/s);
      expect(body.error.message).toContain(where);
    }
  }
});

test("A body in chunks of a few bytes is read completely", async ({ api }) => {
  async function* chunks() {
    for (const byte of Buffer.from('{"name":"😀 in pieces"}')) yield Buffer.from([byte]);
  }
  const created = await api("POST", "/api/tasks", { raw: chunks() });
  expectStatus(created, 201);
  expect(created.body.name).toBe("😀 in pieces");
});

test("A body of exactly a million bytes is accepted, and one of a byte more is 413 for every method", async ({
  api,
  key,
}) => {
  const object = '{"name":"x"}';
  const raw = object + " ".repeat(BODY_BYTES_MAX - object.length);
  const created = await api("POST", "/api/webhooks", { raw });
  expectStatus(created, 201);
  const { id } = created.body;
  for (const [method, path] of [
    ["POST", "/api/webhooks"],
    ["PATCH", `/api/webhooks/${id}`],
    ["POST", `/api/claim/${id}`],
  ] as const) {
    expectError(await api(method, path, { key, raw: `${raw} ` }), 413, "payload_too_large");
  }
});

test("A body over the limit is refused before it is sent, by its Content-Length or once its chunks exceed it", async ({
  baseUrl,
}) => {
  const start = "POST /api/webhooks HTTP/1.1\r\nHost: x\r\n";
  const chunk = `2710\r\n${" ".repeat(10_000)}\r\n`;
  for (const bytes of [
    `${start}Content-Length: ${BODY_BYTES_MAX + 1}\r\n\r\n`,
    `${start}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(BODY_BYTES_MAX / 10_000 + 1)}`,
  ]) {
    const response = await exchange(baseUrl, bytes, /"request_id":"req_\w+"/);
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain('"code":"payload_too_large"');
  }
});

test.describe("More than 2000 JSON values in a body", () => {
  const many = (item: string) => Array(3000).fill(item).join();
  const CASES: Array<[title: string, raw: string, code: string, param: string | null]> = [
    ["of one property", `{${many('"name":"x"')}}`, "invalid_param", null],
    ["after which a property is missing", `{${many('"priority":"low"')}}`, "invalid_param", null],
    ["after an unknown property", `{"zzz":1,${many('"name":"x"')}}`, "unknown_param", "zzz"],
    ["of which one is wrong", `{"name":5,${many('"labels":["a"]')}}`, "invalid_param", "name"],
    ["in an array", `{"name":"x","labels":[${many('"a"')}]}`, "invalid_param", "labels"],
    ["that do not end", `{"zzz":1,${many('"name":"x"')}`, "invalid_json", null],
    ["that do not end in a text", `{"zzz":1,${many('"name":"x"')},"a":"}`, "invalid_json", null],
    ["of which the first is no JSON", `{,${many('"name":"x"')}}`, "invalid_json", null],
    ["that are an array", `[${many("1")}]`, "invalid_json", null],
  ];
  test("are refused, unless an earlier error in the body is", async ({ api }) => {
    await eachOf(CASES, async ([_title, raw, code, param]) => {
      const response = await api("POST", "/api/tasks", { raw });
      expectError(response, 400, code, param);
      // Only the first are read, so their number would be wrong.
      expect(response.body.error.message).not.toContain("it has");
    });
  });

  test("are refused by the agent-auth endpoints with their own code", async ({ api }) => {
    for (const path of ["/api/agent/auth", "/api/agent/auth/claim"]) {
      const headers = { "content-type": "application/json" };
      const raw = `{${many('"type":"anonymous"')}}`;
      expectError(await api("POST", path, { headers, raw }), 400, "invalid_request");
    }
  });

  test("are not counted where they are text in a string", async ({ api }) => {
    const description = '{"a":[1,2,3]},\\"'.repeat(4000);
    const created = await api("POST", "/api/tasks", { body: { name: "x", description } });
    expectStatus(created, 201);
    expect(created.body.description).toBe(description);
  });
});

const UNKNOWN = `id object organization_id created_at updated_at claim_token claim_url revision dueAt
  externalId Name organizationId __proto__ constructor prototype toString hasOwnProperty valueOf`;
test("Fields that the server sets, internal names and names of JavaScript's objects are unknown properties", async ({
  api,
  key,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "x" } });
  for (const name of [...UNKNOWN.split(/\s+/), ""]) {
    for (const value of ['{"priority":"high"}', "null", '"x"', "[]"]) {
      const raw = `{"name":"x",${JSON.stringify(name)}:${value}}`;
      expectError(await api("POST", "/api/tasks", { key, raw }), 400, "unknown_param", name);
      const path = `/api/tasks/${task.id}`;
      expectError(await api("PATCH", path, { key, raw }), 400, "unknown_param", name);
    }
  }
});

/** What is wrong, in the order of the document. */
const ERRORS: Array<[raw: string, code: string, param: string]> = [
  ['{"labels":[1],"name":5}', "invalid_param", "labels.0"],
  ['{"name":5,"labels":[1]}', "invalid_param", "name"],
  ['{"zzz":1,"name":5}', "unknown_param", "zzz"],
  ['{"name":5,"zzz":1}', "invalid_param", "name"],
  ['{"name":"x","zzz":1,"aaa":1}', "unknown_param", "zzz"],
  ['{"name":"x","due_at":1.5,"priority":"urgent","labels":[""]}', "invalid_param", "due_at"],
  ['{"name":"x","priority":"urgent","due_at":1.5}', "invalid_param", "priority"],
  ['{"name":"x","external_id":5,"description":5}', "invalid_param", "external_id"],
  ['{"name":"x","labels":["a","b","",5]}', "invalid_param", "labels.2"],
  ['{"name":"x","labels":["a","b",5,""]}', "invalid_param", "labels.2"],
  ['{"priority":"urgent"}', "invalid_param", "priority"],
  ['{"zzz":1}', "unknown_param", "zzz"],
  ['{"priority":"high"}', "missing_required_param", "name"],
];

test("Of several errors in a body the response names the first in document order", async ({
  api,
}) => {
  await eachOf(ERRORS, async ([raw, code, param]) => {
    expectError(await api("POST", "/api/tasks", { raw }), 400, code, param);
  });
});
