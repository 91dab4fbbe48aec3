import { makeOrganization } from "../support/accounts";
import { type Agents, bodyOf, expect, LINKING, REVOKED_EVENT, test } from "../support/agents";
import { startReplay } from "../support/bulk-replays";
import { challenges, eachOf, expectError, expectStatus } from "../support/expectations";
import { formOf } from "../support/forms";
import { randomText, sha256 } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { cookieOf, makePerson } from "../support/people";
import { startHoldingTarget } from "../support/target";
import { fillEndpoint, makeEndpoint } from "../support/webhooks";

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

test("A logout token revokes a key whose use is being written", async ({ agents, db }) => {
  const sub = `user-${randomText(12)}`;
  const { credential: key } = bodyOf(await agents.assert(agents.claims({ sub })));
  const token = await agents.logoutToken(sub);
  const use = `UPDATE api_keys SET last_used_at = unix_now() WHERE digest = '${sha256(key)}'`;
  const response = await whileUncommitted(db, [use], "api_keys", () => agents.revoke(token));
  expect(bodyOf(response)).toEqual({ revoked: 1 });
  const { rows } = await db.query("SELECT revoked_at FROM api_keys WHERE digest = $1", [
    sha256(key),
  ]);
  expect(rows).toEqual([{ revoked_at: expect.anything() }]);
});

/** Two agents of one user. The token of the first has expired. */
async function twoAgents(agents: Agents, user: object) {
  const ended = bodyOf(await agents.assert(agents.claims({ ...user })));
  const live = bodyOf(await agents.assert(agents.claims({ ...user })));
  const expire = "UPDATE api_keys SET expires_at = unix_now() WHERE registration_id = $1";
  await agents.db.query(expire, [ended.registration_id]);
  const id = { in: [ended.registration_id, live.registration_id] };
  return { live, revoked: { where: { id, revoked_at: { not: null } }, select: { id: true } } };
}

test("A logout token revokes every agent of its user, and counts the credentials that worked", async ({
  agents,
  rows,
}) => {
  const sub = `user-${randomText(12)}`;
  const { live, revoked } = await twoAgents(agents, { sub });
  expect(bodyOf(await agents.revoke(await agents.logoutToken(sub)))).toEqual({ revoked: 1 });
  await expectDead(agents, live.credential);
  expect(await rows.agentRegistration.findMany(revoked)).toHaveLength(2);
});

test("A logout token cancels a bulk replay whose token has expired", async ({ agents }) => {
  const { api, db } = agents;
  const sub = `user-${randomText(12)}`;
  const register = async () => bodyOf(await agents.assert(agents.claims({ sub })));
  const { credential: key, registration_id } = await register();
  const target = await startHoldingTarget();
  const { id } = await makeEndpoint(api, { key });
  await fillEndpoint(db, { id, count: 60 });
  const replay = await startReplay(api, id, { url: target.url }, key);
  const expire = "UPDATE api_keys SET expires_at = unix_now() WHERE registration_id = $1";
  await db.query(expire, [registration_id]);
  expect(bodyOf(await agents.revoke(await agents.logoutToken(sub)))).toEqual({ revoked: 0 });
  const { credential } = await register();
  const read = () => api("GET", `/api/webhooks/${id}/replays/${replay.id}`, { key: credential });
  await expect.poll(async () => (await read()).body.status).toBe("canceled");
  await target.stop();
});

test("The end of a membership writes no agent whose keys have ended, and is audited for the others", async ({
  agents,
  rows,
}) => {
  const { id } = await makeOrganization(agents.db);
  const owner = await makePerson(agents.db, id);
  const leaver = await makePerson(agents.db, id);
  const user = { iss: LINKING, sub: `user-${randomText(12)}`, email: leaver.email };
  const { live, revoked } = await twoAgents(agents, user);
  expect(await agents.organizationOf(live.credential)).toBe(id);
  const cookie = await cookieOf(agents.db, owner.id);
  const remove = new RegExp(`"${leaver.id}".*Remove member`);
  const press = await formOf(agents.baseUrl, "/settings", cookie, remove);
  await press({});
  await expectDead(agents, live.credential);
  expect(await rows.agentRegistration.findMany(revoked)).toEqual([{ id: live.registration_id }]);
  const audited = await rows.auditEvent.findMany({
    where: { organization_id: id, actor: owner.id },
    select: { action: true, registration_id: true, data: true },
    orderBy: { id: "asc" },
  });
  expect(audited).toEqual([
    { action: "member.removed", registration_id: null, data: { user: leaver.id } },
    {
      action: "registration.revoked",
      registration_id: live.registration_id,
      data: { id: live.registration_id },
    },
  ]);
});

test("An assertion issued before the revocation is 401 expired", async ({ agents }) => {
  const sub = `user-${randomText(12)}`;
  expectStatus(await agents.assert(agents.claims({ sub })), 201);
  expectStatus(await agents.revoke(await agents.logoutToken(sub)), 200);
  expectError(await agents.assert(agents.claims({ sub, iat: now() - 30 })), 401, "expired");
  // By the clock of a provider that is ahead.
  expectStatus(await agents.revoke(await agents.logoutToken(sub, { iat: now() + 50 })), 200);
  // A later token, by a clock that is behind the one before.
  expectStatus(await agents.revoke(await agents.logoutToken(sub)), 200);
  expectError(await agents.assert(agents.claims({ sub, iat: now() + 20 })), 401, "expired");
  expectStatus(await agents.assert(agents.claims({ sub, iat: now() + 55 })), 201);
});

test("A revocation outlives the delegation, and is kept for a user who has never registered", async ({
  agents,
}) => {
  const { db } = agents;
  const { id } = await makeOrganization(db);
  const { email } = await makePerson(db, id);
  const leaver = { iss: LINKING, sub: `user-${randomText(12)}`, email };
  const stranger = { iss: LINKING, sub: `user-${randomText(12)}` };
  const registered = bodyOf(await agents.assert(agents.claims(leaver)));
  expect(await agents.organizationOf(registered.credential)).toBe(id);
  for (const { iss, sub } of [leaver, stranger]) {
    expectStatus(await agents.revoke(await agents.logoutToken(sub, { iss })), 200);
  }
  await db.query("DELETE FROM members WHERE organization_id = $1", [id]);
  for (const user of [leaver, stranger]) {
    const older = agents.claims({ ...user, iat: now() - 30 });
    expectError(await agents.assert(older), 401, "expired");
    // Not a ban.
    const fresh = bodyOf(await agents.assert(agents.claims(user)));
    expect(await agents.organizationOf(fresh.credential)).not.toBe(id);
  }
});

test("A logout token revokes nothing of unknown users, other providers' users and agents without a provider", async ({
  agents,
}) => {
  const sub = `user-${randomText(12)}`;
  const { credential: key } = bodyOf(await agents.assert(agents.claims({ sub })));
  const { agent } = await agents.claimed();
  for (const token of [
    await agents.logoutToken(`user-${randomText(12)}`),
    await agents.logoutToken(sub, { iss: LINKING }),
    await agents.logoutToken(agent.registration_id),
  ]) {
    const response = await agents.revoke(token);
    expectStatus(response, 200);
    expect(bodyOf(response)).toEqual({ revoked: 0 });
  }
  expectStatus(await agents.api("GET", "/api/tasks", { key }), 200);
  expectStatus(await agents.api("GET", "/api/tasks", { key: agent.credential }), 200);
});

test("A logout token can be used once, even in parallel", async ({ agents }) => {
  const token = await agents.logoutToken(`user-${randomText(12)}`);
  const responses = await Promise.all(Array.from({ length: 10 }, () => agents.revoke(token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expectError(response, 400, "replay_detected");
  }
});

type Change = [title: string, claims: object, header?: Record<string, unknown>];

const accepted = (baseUrl: string): Change[] => [
  [
    "OpenID Connect's event",
    { events: { "http://schemas.openid.net/event/backchannel-logout": {} } },
  ],
  ["an unknown event beside ours", { events: { other: 1, [REVOKED_EVENT]: { reason: "x" } } }],
  ["several audiences, one of them ours", { aud: ["https://other.example", `${baseUrl}/`] }],
  ["an exp, and an old iat", { iat: now() - 5000, exp: now() + 60 }],
  ["an exp beyond all numbers", { exp: 1e300 }],
  ["typ in full", {}, { typ: "application/logout+jwt" }],
  ["a clock that is 50 seconds ahead", { iat: now() + 50 }],
  ["white space around it", {}],
];

test("Every valid form of a logout token is accepted", async ({ agents }) => {
  await eachOf(accepted(agents.baseUrl), async ([_title, changes, header]) => {
    const token = await agents.logoutToken("nobody", { ...changes }, header);
    expectStatus(await agents.revoke(`\n ${token} \n`), 200);
  });
});

const faults = (): Record<string, Change[]> => ({
  invalid_signature: [["the typ of an assertion", {}, { typ: "oauth-id-jag+jwt" }]],
  invalid_issuer: [["an untrusted issuer", { iss: "https://evil.example" }]],
  invalid_audience: [["another audience", { aud: ["https://other.example"] }]],
  expired: [
    ["an iat in the future", { iat: now() + 500 }],
    ["an iat 11 minutes ago and no exp", { iat: now() - 660 }],
  ],
  invalid_request: [
    ["no iat", { iat: undefined }],
    ["an iat before all numbers", { iat: -1e300, exp: now() + 60 }],
    ["an exp that is not a number", { exp: "x" }],
    ["no jti", { jti: undefined }],
    ["a jti that is a number", { jti: 5 }],
    ["a jti with U+0000", { jti: "a\u0000" }],
    ["no sub, only sid", { sub: undefined, sid: "x" }],
    ["an empty sub", { sub: "" }],
    ["no events", { events: undefined }],
    ["events that are a list", { events: [REVOKED_EVENT] }],
    ["an event that is not an object", { events: { [REVOKED_EVENT]: true } }],
    ["other events only", { events: { "urn:other": {} } }],
    ["a nonce", { nonce: "x" }],
  ],
});

test("A faulty logout token is 400 with a code for its fault, and revokes nothing", async ({
  agents,
}) => {
  const rows = Object.entries(faults()).flatMap(([code, changes]) =>
    changes.map((change) => [`${code} for ${change[0]}`, code, change] as const),
  );
  await eachOf(rows, async ([_title, code, [_fault, changes, header]]) => {
    const sub = `user-${randomText(12)}`;
    const registered = await agents.assert(agents.claims({ sub }));
    expectStatus(registered, 201);
    const { credential: key } = bodyOf(registered);
    const jti = randomText(20);
    const response = await agents.revoke(
      await agents.logoutToken(sub, { jti, ...changes }, header),
    );
    expectError(response, 400, code);
    expect(response.headers.get("www-authenticate")).toBeNull();
    expectStatus(await agents.api("GET", "/api/tasks", { key }), 200);
    // A refused token does not consume its jti.
    const corrected = await agents.revoke(await agents.logoutToken(sub, { jti }));
    expect(bodyOf(corrected)).toEqual({ revoked: 1 });
  });
});

test("A body other than a logout token of at most 16 KiB is 400", async ({ agents }) => {
  const token = await agents.logoutToken("nobody");
  const post = (raw: string, type?: string, headers = {}) =>
    agents.api("POST", "/api/agent/auth/revoke", {
      raw,
      headers: type === undefined ? headers : { ...headers, "content-type": type },
    });
  const type = "application/logout+jwt";
  const once = { "idempotency-key": randomText(20) };
  for (const response of [
    await post(token),
    await post(token, "application/jwt"),
    await post(`logout_token=${token}`, "application/x-www-form-urlencoded"),
    await post("", type),
    await post(" \n", type),
    await post("x".repeat(16_385), type),
    await post("x".repeat(1_000_001), type, once),
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

async function expectDead(agents: Agents, key: string) {
  expectError(await agents.api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
}
