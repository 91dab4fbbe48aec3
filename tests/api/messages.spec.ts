import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";

/** Scheduled messages as a resource: fields, bounds and access. For delivery see messages-delivery.spec.ts. */

const LONGEST = 9_007_199_254_740_991;
const LATER = { delay_seconds: 3600 };
const URL = "http://localhost:9/hook";

const ALL = {
  channel: "http",
  url: "https://example.com/a?b=c#d",
  method: "PUT",
  headers: { "X-One": "1", __proto__Like: "x" },
  body: "caf\u00e9 \ud83d\ude00",
  scheduled_at: 4_000_000_000,
  external_id: "mine",
};

test("A message reads back as created, with every field", async ({ api, organization, key }) => {
  const created = await api("POST", "/api/messages", { key, body: ALL });
  expectStatus(created, 201);
  expect(created.headers.get("location")).toBe(`/api/messages/${created.body.id}`);
  const expected = {
    ...ALL,
    id: expect.stringMatching(/^msg_[0-9A-Za-z]+$/),
    object: "scheduled_message",
    organization_id: organization.id,
    body_encoding: "utf8",
    status: "scheduled",
    attempts: 0,
    response_status: null,
    last_error: null,
    delivered_at: null,
    next_attempt_at: null,
    overdue: false,
    held: false,
    created_at: expect.any(Number),
    updated_at: created.body.created_at,
  };
  expect(created.body).toEqual({ ...expected, warnings: [expect.stringContaining("seconds")] });
  const read = await api("GET", `/api/messages/${created.body.id}`, { key });
  expect(read.body).toEqual(expected);
});

test("Absent fields have defaults, and a delay counts from now", async ({ api }) => {
  const { body } = await api("POST", "/api/messages", { body: { url: URL, ...LATER } });
  expect(body).toMatchObject({ channel: "http", method: "POST", headers: {}, body: null });
  expect(body).toMatchObject({ body_encoding: null, external_id: null, organization_id: null });
  expect(body).toHaveProperty("scheduled_at", body.created_at + 3600);
  expect(body.claim_token).toMatch(/^clm_/);
  expect(body.claim_url).toBe(`/api/claim/${body.id}`);
});

test("scheduled_at wins over delay_seconds on create and update, for its whole range", async ({
  api,
}) => {
  for (const scheduled_at of [LONGEST, 5_000_000_000]) {
    const created = await api("POST", "/api/messages", {
      body: { url: URL, delay_seconds: 9999, scheduled_at },
    });
    expect(created.body).toHaveProperty("scheduled_at", scheduled_at);
    const path = `/api/messages/${created.body.id}`;
    const updated = await api("PATCH", path, {
      body: { scheduled_at: LONGEST - 1, delay_seconds: 9999 },
    });
    expect(updated.body).toHaveProperty("scheduled_at", LONGEST - 1);
  }
});

test("Only a message more than a year ahead has a warning about milliseconds", async ({ api }) => {
  const now = (await api("POST", "/api/messages", { body: { url: URL, ...LATER } })).body;
  expect(now).not.toHaveProperty("warnings");
  for (const time of [
    { delay_seconds: 31_622_400 },
    { scheduled_at: now.created_at + 31_622_000 },
    { scheduled_at: -LONGEST },
  ]) {
    const near = await api("POST", "/api/messages", { body: { url: URL, ...time } });
    expectStatus(near, 201);
    expect(near.body).not.toHaveProperty("warnings");
  }
  const milliseconds = now.created_at * 1000;
  const far = await api("POST", "/api/messages", {
    body: { url: URL, scheduled_at: milliseconds },
  });
  expectStatus(far, 201);
  expect(far.body).toMatchObject({
    scheduled_at: milliseconds,
    warnings: [expect.stringMatching(/Unix seconds, not milliseconds/)],
  });
  const read = await api("GET", `/api/messages/${far.body.id}`);
  expect(read.body).not.toHaveProperty("warnings");
});

test("A private address that DELIVERY_ALLOW_CIDRS could open is refused with its name", async ({
  api,
}) => {
  for (const [url, isNamed] of [
    ["http://10.1.2.3/", true],
    ["http://[fd12::1]:8080/", true],
    ["http://169.254.169.254/", false],
    ["http://[::ffff:10.0.0.1]/", false],
  ] as const) {
    const refused = await api("POST", "/api/messages", { body: { url, ...LATER } });
    expectError(refused, 400, "url_not_allowed", "url");
    expect(refused.text.includes("DELIVERY_ALLOW_CIDRS"), url).toBe(isNamed);
  }
});

const RESERVED =
  `Host content-length Transfer-Encoding Connection Keep-Alive TE Trailer Upgrade Expect
  Proxy-Authorization proxy-x webhook-id Webhook-Signature`.split(/\s+/);

/** Fields that are refused beside valid ones, by code and property. */
const BAD: Record<string, Record<string, object[]>> = {
  missing_required_param: {
    url: [{ url: undefined }],
    scheduled_at: [{ delay_seconds: undefined }],
  },
  unknown_param: { status: [{ status: "delivered" }] },
  invalid_param: {
    url: [
      null,
      "/hook",
      "",
      "ftp://example.com",
      "javascript:alert(1)",
      "http://user@example.com",
      "http://:p@example.com",
      `http://a/${"x".repeat(1992)}`,
      `http://${"x".repeat(254)}`,
      // Of more characters in ASCII.
      `http://${"\u5b57".repeat(252)}`,
    ].map((url) => ({ url })),
    channel: [{ channel: "mail" }],
    method: [{ method: "HEAD" }, { method: "post" }],
    headers: [[], null, many(51), { a: "x".repeat(16_384) }].map((headers) => ({ headers })),
    "headers.A": [{ headers: { A: 1 } }],
    body: [{ body: "\ud83d\ude00".repeat(1_000_001) }, { body: {} }],
    scheduled_at: [1.5, null, LONGEST + 1].map((scheduled_at) => ({ scheduled_at })),
    delay_seconds: [{ delay_seconds: -1 }, { delay_seconds: 31_622_401 }],
  },
  url_not_allowed: {
    url: ["10.0.0.1", "[::ffff:7f00:1]", "169.254.169.254", "2852039166", "0"].map((host) => ({
      url: `http://${host}/`,
    })),
  },
  header_not_allowed: {
    "headers.": [{ headers: { "": "1" } }],
    "headers.a b": [{ headers: { "a b": "1" } }],
    "headers.a\r\nb": [{ headers: { "a\r\nb": "1" } }],
    "headers.a": ["1\r\nHost: b", "\0", "\u20ac"].map((a) => ({ headers: { a } })),
    ...Object.fromEntries(
      RESERVED.map((name) => [`headers.${name}`, [{ headers: { Fine: "1", [name]: "x" } }]]),
    ),
  },
};

test("A create refuses a value that a field cannot have, and names the field", async ({ api }) => {
  const rows = Object.entries(BAD).flatMap(([code, params]) =>
    Object.entries(params).flatMap(([param, fields]) =>
      fields.map((field) => [JSON.stringify(field).slice(0, 60), code, param, field] as const),
    ),
  );
  await eachOf(rows, async ([_title, code, param, field]) => {
    const body = { url: URL, ...LATER, ...field };
    expectError(await api("POST", "/api/messages", { body }), 400, code, param);
  });
});

test("A header may be named __proto__, and a body may have a million characters", async ({
  api,
}) => {
  const body = "\\u00e9".repeat(1_000_000);
  const raw = `{"url":"${URL}","delay_seconds":60,"headers":{"__proto__":"p","constructor":"c"},"body":"${body}"}`;
  const created = await api("POST", "/api/messages", { raw });
  expectStatus(created, 201);
  const read = await api("GET", `/api/messages/${created.body.id}`);
  expect(read.text).toContain('"headers":{"__proto__":"p","constructor":"c"}');
  expect(read.body).toHaveProperty("body", "\u00e9".repeat(1_000_000));
});

test("A host may have 253 characters, and a dot and a port after them", async ({ api }) => {
  const url = `http://${"x".repeat(253)}.:65535/`;
  expectStatus(await api("POST", "/api/messages", { body: { url, ...LATER } }), 201);
});

test("PATCH changes the given fields, clears headers and body with null, and refuses create-only fields", async ({
  api,
}) => {
  const created = await api("POST", "/api/messages", { body: ALL });
  const path = `/api/messages/${created.body.id}`;
  const nothing = await api("PATCH", path, { body: {} });
  expect(nothing.body).toMatchObject({ ...ALL, updated_at: created.body.updated_at });
  const changed = await api("PATCH", path, {
    body: { url: URL, method: "GET", headers: null, body: null, delay_seconds: 0 },
  });
  expect(changed.body).toMatchObject({ url: URL, method: "GET", headers: {}, body: null });
  const again = await api("POST", "/api/messages", { body: { ...ALL } });
  for (const [body, code, param] of [
    [{ external_id: "x" }, "unknown_param", "external_id"],
    [{ channel: "http" }, "unknown_param", "channel"],
    [{ url: null }, "invalid_param", "url"],
    [{ method: null }, "invalid_param", "method"],
    [{ scheduled_at: null }, "invalid_param", "scheduled_at"],
    [{ url: `http://${"x".repeat(254)}` }, "invalid_param", "url"],
    [{ url: "http://10.1/" }, "url_not_allowed", "url"],
    [{ headers: { te: "x" } }, "header_not_allowed", "headers.te"],
  ] as const) {
    const response = await api("PATCH", `/api/messages/${again.body.id}`, { body });
    expectError(response, 400, code, param);
  }
});

function many(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "1"]));
}
