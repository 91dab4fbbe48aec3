import { makeOrganization } from "../support/accounts";
import { bodyOf, expect, freshEmail, ID_JAG, test } from "../support/agents";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { formOf } from "../support/forms";
import { randomText } from "../support/keys";
import { databaseNow } from "../support/leases";
import { cookieOf, makePerson } from "../support/people";

/** Registration requests and responses. */

test("An anonymous agent gets a read-only key and a claim token", async ({ agents }) => {
  const response = await agents.register({ type: "anonymous" });
  expectStatus(response, 201);
  const body = bodyOf(response);
  expect(body).toEqual({
    registration_id: expect.stringMatching(/^reg_[0-9A-Za-z]+$/),
    registration_type: "anonymous",
    credential_type: "api_key",
    credential: expect.stringMatching(/^svc_live_[0-9A-Za-z]{38}$/),
    credential_expires: null,
    scopes: ["api.read"],
    claim_url: `${agents.baseUrl}/api/agent/auth/claim`,
    claim_token: expect.stringMatching(/^clm_[0-9A-Za-z]{25}$/),
    claim_token_expires: expect.any(Number),
    post_claim_scopes: ["api.read", "api.write"],
  });
  const now = await databaseNow(agents.db);
  expect(body.claim_token_expires - now).toBeGreaterThan(7 * 86_400 - 60);
  expect(body.claim_token_expires - now).toBeLessThanOrEqual(7 * 86_400);
});

test("Every anonymous agent gets its own organization", async ({ agents, rows }) => {
  const [one, other] = [await agents.anonymous(), await agents.anonymous()];
  const ids = [one.registration_id, other.registration_id];
  const registered = await rows.agentRegistration.findMany({ where: { id: { in: ids } } });
  expect(new Set(registered.map((row) => row.organization_id)).size).toBe(2);
});

test("No message asks for a credential, since it would count for the address of the server", async ({
  agents,
}) => {
  const below = (path: string, parts: string[]) => parts.map((part) => path + part);
  const paths = [
    ...below("/api/agent/auth", ["", "/claim", "/claim/complete", "/revoke"]),
    ...below("/oauth/", ["token", "device_authorization", "register", "revoke"]),
  ];
  const message = { body: { type: "anonymous" }, headers: { "message-attempt": "1" } };
  for (const path of paths) {
    const { status, text } = await agents.api("POST", path, message);
    expect({ path, status }).toEqual({ path, status: 400 });
    expect(text).toContain("A message cannot make this call.");
  }
});

test("A service_auth agent gets no credential, and its user gets one email with a code", async ({
  agents,
}) => {
  const email = freshEmail();
  const response = await agents.register({
    type: "service_auth",
    login_hint: ` ${email.toUpperCase()} `,
  });
  expectStatus(response, 201);
  const body = bodyOf(response);
  expect(body).toEqual({
    registration_id: expect.stringMatching(/^reg_/),
    registration_type: "service_auth",
    claim_attempt_id: expect.stringMatching(/^cla_/),
    otp_expires: expect.any(Number),
    claim_url: `${agents.baseUrl}/api/agent/auth/claim`,
    claim_token: expect.stringMatching(/^clm_[0-9A-Za-z]{25}$/),
    claim_token_expires: expect.any(Number),
    post_claim_scopes: ["api.read", "api.write"],
  });
  expect(await agents.mailbox.code(email)).toMatch(/^\d{6}$/);
});

test("The email names the request, the requester and the expiry, and contains no text by the agent", async ({
  agents,
}) => {
  const email = freshEmail();
  await agents.hinted(email);
  const code = await agents.mailbox.code(email);
  const source = agents.mailbox.mailsTo(email)[0]?.source ?? "";
  expect(source).toMatch(/^Content-Type: text\/plain/im);
  for (const part of ["api.read and api.write", "10 minutes", "127.0.0.1", agents.baseUrl]) {
    expect(source).toContain(part);
  }
  expect(source).toContain("Only give this code to an agent that you started yourself.");
  expect(source).toContain("ignore this email");
  expect(source.split(/\r?\n\r?\n/)[0]).not.toContain(code);
});

test("The response does not reveal whether the address has an account", async ({ agents }) => {
  const { email } = await agents.claimed();
  const known = await agents.hinted(email);
  const fresh = await agents.hinted(freshEmail());
  expect(Object.keys(known)).toEqual(Object.keys(fresh));
  expect(known.registration_type).toBe(fresh.registration_type);
});

for (const [type, prefix] of [
  ["access_token", "svc_at_"],
  ["api_key", "svc_live_"],
] as const) {
  test(`An assertion yields an ${type} with both scopes at once`, async ({ agents }) => {
    const response = await agents.assert(agents.claims(), { type });
    expectStatus(response, 201);
    const body = bodyOf(response);
    expect(body).toEqual({
      registration_id: expect.stringMatching(/^reg_/),
      registration_type: "agent-provider",
      credential_type: type,
      credential: expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`)),
      credential_expires: type === "api_key" ? null : expect.any(Number),
      scopes: ["api.read", "api.write"],
    });
    if (body.credential_expires !== null) {
      const now = await databaseNow(agents.db);
      expect(Math.abs(body.credential_expires - now - 3600)).toBeLessThan(30);
    }
    expect(await agents.organizationOf(body.credential)).not.toBeNull();
  });
}

const UNSUPPORTED = "unsupported_credential_type";
const CREDENTIAL = "requested_credential_type";
const ANONYMOUS = { type: "anonymous" };
const ASSERTED = { type: "identity_assertion" };
const HINTED = { type: "service_auth", login_hint: "a@example.com" };
const BAD_BODIES: Array<[title: string, body: object, code: string, param: string]> = [
  ["no type", {}, "invalid_request", "type"],
  ["an unknown type", { type: "user_code" }, "invalid_request", "type"],
  ["a type that is not text", { type: 1 }, "invalid_request", "type"],
  ["an unknown property", { ...ANONYMOUS, name: "x" }, "invalid_request", "name"],
  ["anonymous", { ...ANONYMOUS, [CREDENTIAL]: "access_token" }, UNSUPPORTED, CREDENTIAL],
  ["unknown", { ...HINTED, [CREDENTIAL]: "cookie" }, UNSUPPORTED, CREDENTIAL],
  ["not text", { ...ANONYMOUS, [CREDENTIAL]: 1 }, "invalid_request", CREDENTIAL],
  ["no login_hint", { type: "service_auth" }, "invalid_request", "login_hint"],
  ["no assertion_type", { ...ASSERTED, assertion: "x" }, "invalid_request", "assertion_type"],
  ["no assertion", { ...ASSERTED, assertion_type: ID_JAG }, "invalid_request", "assertion"],
  [
    "another assertion_type",
    { ...ASSERTED, assertion_type: "verified_email", assertion: "x" },
    "unsupported_type",
    "assertion_type",
  ],
];
test("A bad registration is 400, with a code and the name of the property", async ({ agents }) => {
  await eachOf(BAD_BODIES, async ([_title, body, code, param]) => {
    expectError(await agents.register(body), 400, code, param);
  });
});

const NO_ADDRESSES = [
  "",
  "user",
  "@example.com",
  "user@",
  "a@b@example.com",
  "a@example.com,b@example.com",
  "User <user@example.com>",
  "a b@example.com",
  "a@example.com\r\nBcc: b@example.com",
  "a@exam\u0000ple.com",
  '"a"@example.com',
  "a@[127.0.0.1]",
  "a@-example.com",
  "a..b@example.com",
  "\u212Aate@example.com",
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(63)}`,
  null,
  7,
  ["a@example.com"],
];
test("A login_hint other than one plain address is 400 invalid_login_hint", async ({ agents }) => {
  for (const login_hint of NO_ADDRESSES) {
    const response = await agents.register({ type: "service_auth", login_hint });
    expectError(response, 400, "invalid_login_hint", "login_hint");
  }
});

test("Registering, claiming and completing take any JSON object of at most 64 KiB, whatever its content type", async ({
  agents,
}) => {
  const longest = `{"unexpected":1${" ".repeat(65_536 - 16)}}`;
  const types = ["application/JSON; charset=utf-8", "text/plain", "nonsense"];
  const refused = ["", "{", "[]", "null", '"x"', `{"type":"x"${" ".repeat(65_536)}}`, "\xff\xfe"];
  for (const path of ["", "/claim", "/claim/complete"].map((part) => `/api/agent/auth${part}`)) {
    const send = (raw: string, headers = {}) => agents.api("POST", path, { raw, headers });
    const param = (name: string) => (path === "/api/agent/auth" ? "type" : name);
    for (const raw of refused) expectError(await send(raw), 400, "invalid_request", null);
    for (const size of [65_537, 1_000_001]) {
      const headers = { "idempotency-key": randomText(20) };
      const response = await send(`{"type":"x"${" ".repeat(size - 12)}}`, headers);
      expectError(response, 400, "invalid_request", null);
    }
    const proto = await send('{"__proto__":1,"a":2}');
    expectError(proto, 400, "invalid_request", param("__proto__"));
    for (const headers of [{}, ...types.map((type) => ({ "content-type": type }))]) {
      expectError(await send(longest, headers), 400, "invalid_request", param("unexpected"));
    }
  }
});

test("A query parameter or Idempotency-Key that is wrong is 400 invalid_request, as a property is", async ({
  agents,
}) => {
  for (const path of ["", "/claim", "/claim/complete", "/revoke"]) {
    const send = (options: object) => agents.api("POST", `/api/agent/auth${path}`, options);
    const asked = await send({ body: {}, query: { page: 1 } });
    expectError(asked, 400, "invalid_request", "page");
    const keyed = await send({ body: {}, headers: { "idempotency-key": "x".repeat(256) } });
    expectError(keyed, 400, "invalid_request", "Idempotency-Key");
  }
});

test("Neither successes nor errors may be cached", async ({ agents }) => {
  const responses = [
    await agents.register({ type: "anonymous" }),
    await agents.register({ type: "nothing" }),
    await agents.claim("clm_unknown", freshEmail()),
    await agents.complete("clm_unknown", "123456"),
    await agents.revoke("x.y.z"),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 400, 404, 404, 400]);
  // These never reach the endpoint's own code.
  const once = { "idempotency-key": randomText(20) };
  for (const path of ["", "/claim", "/claim/complete", "/revoke"]) {
    const send = (method: string, options = {}) =>
      agents.api(method, `/api/agent/auth${path}`, options);
    const refused = [
      await send("GET"),
      await send("POST", { body: {}, query: { page: 1 } }),
      await send("POST", { body: {}, headers: { "idempotency-key": "x".repeat(256) } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([405, 400, 400]);
    responses.push(...refused);
  }
  const repeat = (type: string) =>
    agents.api("POST", "/api/agent/auth", { body: { type }, headers: once });
  expectStatus(await repeat("anonymous"), 201);
  const [replayed, reused] = [await repeat("anonymous"), await repeat("nothing")];
  expect([replayed, reused].map(({ status }) => status)).toEqual([201, 422]);
  responses.push(replayed, reused);
  for (const response of responses) {
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.all("cache-control")).toEqual(["no-store"]);
    expect(response.headers.all("pragma")).toEqual(["no-cache"]);
  }
});

test("An Idempotency-Key replays a lost registration with its secret", async ({ agents }) => {
  const send = (type: string, key = "the-same-key-0123456789") =>
    agents.api("POST", "/api/agent/auth", { body: { type }, headers: { "idempotency-key": key } });
  const first = await send("anonymous");
  const again = await send("anonymous");
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.text).toBe(first.text);
  expect(again.headers.get("cache-control")).toBe("no-store");
  expectError(await send("service_auth"), 422, "idempotency_key_reused");
  const other = bodyOf(await send("anonymous", "another-key-0123456789"));
  expect(other.registration_id).not.toBe(bodyOf(first).registration_id);
});

test("When the mail server refuses, no part of a registration is stored", async ({
  agents,
  rows,
}) => {
  const email = freshEmail();
  agents.mailbox.refuse(true);
  const response = await agents.register({ type: "service_auth", login_hint: email });
  agents.mailbox.refuse(false);
  expectError(response, 503, "mail_unavailable");
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await rows.agentRegistration.count({ where: { login_hint: email } })).toBe(0);
  expect(await rows.oneTimeCode.count({ where: { email } })).toBe(0);
});

test("When the mail server refuses, no invitation is stored, and an earlier one keeps its role", async ({
  agents,
  rows,
}) => {
  const { baseUrl, db, mailbox } = agents;
  const { id } = await makeOrganization(db);
  const person = await makePerson(db, id);
  const [earlier, email] = [freshEmail(), freshEmail()];
  const cookie = await cookieOf(db, person.id);
  // A form sends one invitation.
  const invite = async (address: string, role: string) =>
    (await formOf(baseUrl, "/settings", cookie, "email"))({ email: address, role });
  await invite(earlier, "member");
  mailbox.refuse(true);
  const refused = [await invite(earlier, "owner"), await invite(email, "owner")];
  mailbox.refuse(false);
  for (const { body } of refused) expect(body).toContain("Nothing has changed");
  const ofOrganization = { organization_id: id };
  expect(await rows.invitation.findMany({ where: ofOrganization })).toMatchObject([
    { email: earlier, role: "member" },
  ]);
  const invited = { ...ofOrganization, action: "member.invited" };
  expect(await rows.auditEvent.count({ where: invited })).toBe(1);
  const counter = await rows.usageCounter.findUnique({ where: { id: `invitations:${id}` } });
  expect(Number(counter?.uses)).toBe(1);
});

test("An invitation that is withdrawn while it is mailed again does not come back", async ({
  agents,
  rows,
}) => {
  const { baseUrl, db, mailbox } = agents;
  const { id } = await makeOrganization(db);
  const person = await makePerson(db, id);
  const email = freshEmail();
  const cookie = await cookieOf(db, person.id);
  const invite = async () =>
    (await formOf(baseUrl, "/settings", cookie, "email"))({ email, role: "member" });
  await invite();
  const release = mailbox.hold();
  const again = invite();
  await expect.poll(() => mailbox.mailsTo(email).length).toBe(2);
  await rows.invitation.deleteMany({ where: { email } });
  release();
  expect((await again).body).toContain("withdrawn or answered while");
  expect(await rows.invitation.count({ where: { email } })).toBe(0);
});
