import {
  type Agents,
  bodyOf,
  expect,
  LINKING,
  REVOKED_EVENT,
  STATIC,
  test,
} from "../support/agents";
import { challenges, expectError, expectStatus } from "../support/expectations";
import { randomText } from "../support/keys";

/** A provider revokes the credentials of one of its users. */

const now = () => Math.floor(Date.now() / 1000);

test("A logout token revokes every credential of its user at once", async ({ agents }) => {
  const sub = `user-${randomText(12)}`;
  const token = bodyOf(await agents.assert(agents.claims({ sub })));
  const key = bodyOf(await agents.assert(agents.claims({ sub }), { type: "api_key" }));
  const other = bodyOf(await agents.assert(agents.claims()));
  const task = await agents.api("POST", "/api/tasks", {
    key: key.credential,
    body: { name: "Kept" },
  });

  const response = await agents.revoke(await agents.logoutToken(sub));
  expectStatus(response, 200);
  expect(bodyOf(response)).toEqual({ revoked: 2 });
  expect(response.headers.get("cache-control")).toBe("no-store");
  for (const { credential } of [token, key]) {
    const refused = await agents.api("GET", "/api/tasks", { key: credential });
    expectError(refused, 401, "invalid_api_key");
    expect(refused.headers.all("www-authenticate")).toEqual([
      challenges(agents.baseUrl).invalidCredential,
    ]);
  }
  expectStatus(await agents.api("GET", "/api/tasks", { key: other.credential }), 200);

  // Not a ban: a later assertion opens the same organization with its resources.
  const back = bodyOf(await agents.assert(agents.claims({ sub })));
  const again = await agents.api("GET", `/api/tasks/${task.body.id}`, { key: back.credential });
  expectStatus(again, 200);
});

test("An assertion issued before the revocation is 401 expired", async ({ agents }) => {
  const sub = `user-${randomText(12)}`;
  expectStatus(await agents.assert(agents.claims({ sub })), 201);
  expectStatus(await agents.revoke(await agents.logoutToken(sub)), 200);
  expectError(await agents.assert(agents.claims({ sub, iat: now() - 30 })), 401, "expired");
});

test("For an unknown user the response is 200 with none revoked", async ({ agents }) => {
  const response = await agents.revoke(await agents.logoutToken(`user-${randomText(12)}`));
  expectStatus(response, 200);
  expect(bodyOf(response)).toEqual({ revoked: 0 });
});

test("A provider cannot revoke credentials of another provider's user", async ({ agents }) => {
  const sub = `user-${randomText(12)}`;
  const { credential: key } = bodyOf(await agents.assert(agents.claims({ sub })));
  const response = await agents.revoke(await agents.logoutToken(sub, { iss: LINKING }));
  expect(bodyOf(response)).toEqual({ revoked: 0 });
  expectStatus(await agents.api("GET", "/api/tasks", { key }), 200);
});

test("A logout token can be used once, even in parallel", async ({ agents }) => {
  const token = await agents.logoutToken(`user-${randomText(12)}`);
  const responses = await Promise.all(Array.from({ length: 10 }, () => agents.revoke(token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expectError(response, 400, "replay_detected");
  }
});

const GOOD: Array<[title: string, changes: (baseUrl: string) => object, header?: object]> = [
  [
    "the event of OpenID Connect",
    () => ({ events: { "http://schemas.openid.net/event/backchannel-logout": {} } }),
  ],
  [
    "an unknown event beside the known one",
    () => ({ events: { other: 1, [REVOKED_EVENT]: { reason: "x" } } }),
  ],
  [
    "several audiences, one of them ours",
    (baseUrl) => ({ aud: ["https://other.example", `${baseUrl}/`] }),
  ],
  ["an exp, and an iat of long ago", () => ({ iat: now() - 5000, exp: now() + 60 })],
  ["an exp beyond all numbers", () => ({ exp: 1e300 })],
  ["typ in full", () => ({}), { typ: "application/logout+jwt" }],
  ["a clock that is 50 seconds ahead", () => ({ iat: now() + 50 })],
  ["white space around it", () => ({})],
];
for (const [title, changes, header] of GOOD) {
  test(`A logout token with ${title} is accepted`, async ({ agents }) => {
    const token = await agents.logoutToken("nobody", { ...changes(agents.baseUrl) }, { ...header });
    expectStatus(await agents.revoke(`\n ${token} \n`), 200);
  });
}

const FAULTS: Array<[title: string, code: string, changes: object, header?: object]> = [
  ["no typ", "invalid_signature", {}, { typ: null }],
  ["the typ of an assertion", "invalid_signature", {}, { typ: "oauth-id-jag+jwt" }],
  ["an unknown key", "invalid_signature", {}, { kid: "other" }],
  ["an issuer not trusted", "invalid_issuer", { iss: "https://evil.example" }],
  ["another audience", "invalid_audience", { aud: ["https://other.example"] }],
  ["no audience", "invalid_audience", { aud: undefined }],
  ["no iat", "invalid_request", { iat: undefined }],
  ["an iat in the future", "expired", { iat: now() + 500 }],
  ["an iat of 11 minutes ago and no exp", "expired", { iat: now() - 660 }],
  ["an exp that is over", "expired", { exp: now() - 120 }],
  ["an exp that is no number", "invalid_request", { exp: "x" }],
  ["no jti", "invalid_request", { jti: undefined }],
  ["a jti that is a number", "invalid_request", { jti: 5 }],
  ["a jti with U+0000", "invalid_request", { jti: "a\u0000" }],
  ["no sub, only sid", "invalid_request", { sub: undefined, sid: "x" }],
  ["an empty sub", "invalid_request", { sub: "" }],
  ["no events", "invalid_request", { events: undefined }],
  ["events that are a list", "invalid_request", { events: [REVOKED_EVENT] }],
  ["an event that is no object", "invalid_request", { events: { [REVOKED_EVENT]: true } }],
  ["other events only", "invalid_request", { events: { "urn:other": {} } }],
  ["a nonce", "invalid_request", { nonce: "x" }],
];
for (const [title, code, changes, header] of FAULTS) {
  test(`A logout token with ${title} is 400 ${code}, and revokes nothing`, async ({ agents }) => {
    const sub = `user-${randomText(12)}`;
    const { credential: key } = bodyOf(await agents.assert(agents.claims({ sub })));
    const jti = randomText(20);
    const response = await agents.revoke(
      await agents.logoutToken(sub, { jti, ...changes }, { ...header }),
    );
    expectError(response, 400, code);
    expect(response.headers.get("www-authenticate")).toBeNull();
    expectStatus(await agents.api("GET", "/api/tasks", { key }), 200);
    // A refused token does not consume its jti.
    expect(bodyOf(await agents.revoke(await agents.logoutToken(sub, { jti })))).toEqual({
      revoked: 1,
    });
  });
}

test("A body other than a logout token of at most 16 KiB is 400", async ({ agents }) => {
  const token = await agents.logoutToken("nobody");
  const post = (raw: string, type?: string) =>
    agents.api("POST", "/api/agent/auth/revoke", {
      raw,
      headers: type === undefined ? {} : { "content-type": type },
    });
  const type = "application/logout+jwt";
  for (const response of [
    await post(token),
    await post(token, "application/jwt"),
    await post(`logout_token=${token}`, "application/x-www-form-urlencoded"),
    await post("", type),
    await post(" \n", type),
    await post("x".repeat(16_385), type),
  ]) {
    expectError(response, 400, "invalid_request");
  }
  for (const raw of ["x", "a.b.c", "\u0000", "e30.e30.e30"]) {
    expectError(await post(raw, type), 400, "invalid_signature");
  }
  expectStatus(await post(token, "application/logout+jwt; charset=utf-8"), 200);
});

test("A revocation during assertions leaves no earlier credential valid", async ({ agents }) => {
  const sub = `user-${randomText(12)}`;
  expectStatus(await agents.assert(agents.claims({ sub })), 201);
  const older = () => agents.assert(agents.claims({ sub, iat: now() - 5 }));
  const [revoked, ...responses] = await Promise.all([
    agents.logoutToken(sub).then((token) => agents.revoke(token)),
    ...Array.from({ length: 8 }, older),
  ]);
  expectStatus(revoked, 200);
  for (const response of responses) {
    if (response.status !== 201) expectError(response, 401, "expired");
    else await expectDead(agents, bodyOf(response).credential);
  }
});

test("No provider can revoke anonymous and service_auth credentials", async ({ agents }) => {
  const { agent, otp } = await agents.claiming();
  expectStatus(await agents.complete(agent.claim_token, otp), 200);
  await agents.revoke(await agents.logoutToken(agent.registration_id, { iss: STATIC }));
  expectStatus(await agents.api("GET", "/api/tasks", { key: agent.credential }), 200);
});

async function expectDead(agents: Agents, key: string) {
  expectError(await agents.api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
}
