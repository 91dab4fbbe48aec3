import { createHmac, randomUUID } from "node:crypto";
import {
  type Agents,
  bodyOf,
  expect,
  freshEmail,
  LINKING,
  PINNED,
  STATIC,
  STRICT,
  test,
} from "../support/agents";
import { challenges, eachOf, expectError, expectStatus } from "../support/expectations";
import type { ApiResponse } from "../support/http";
import { makeProviderKey, signToken } from "../support/identity-provider";
import { randomText } from "../support/keys";
import { whileUncommitted } from "../support/locks";
import { makePerson } from "../support/people";

/** The checks of an assertion: each case breaks one property of a valid one. */

type Claims = Record<string, unknown>;

/** What is changed in a valid assertion; `undefined` leaves a claim out. */
type Change = [title: string, claims: Claims, header?: Claims];

const now = () => Math.floor(Date.now() / 1000);
const refusals = {
  invalid_signature: 401,
  invalid_issuer: 401,
  invalid_audience: 401,
  invalid_client_id: 401,
  expired: 401,
  invalid_request: 400,
  invalid_grant: 400,
  missing_verified_email: 400,
} as const;

const faults = (baseUrl: string): Record<keyof typeof refusals, Change[]> => ({
  invalid_signature: [
    ["a missing typ", {}, { typ: null }],
    ["typ JWT", {}, { typ: "JWT" }],
    ["typ logout+jwt", {}, { typ: "logout+jwt" }],
    ["an unknown kid", {}, { kid: "other" }],
    ["an unknown critical header", {}, { crit: ["urgent"], urgent: true }],
  ],
  invalid_issuer: [
    ["an untrusted issuer", { iss: "https://evil.example" }],
    ["an issuer with an extra slash", { iss: `${STATIC}/` }],
    ["no issuer", { iss: undefined }],
    ["an issuer that is a list", { iss: [STATIC] }],
  ],
  expired: [
    ["a past exp", { exp: now() - 120 }],
    ["an iat too old", { iat: now() - 3700 }],
    ["an iat in the future", { iat: now() + 120 }],
    ["an nbf in the future", { nbf: now() + 120 }],
  ],
  invalid_audience: [
    ["another audience", { aud: "https://other.example" }],
    ["no audience", { aud: undefined }],
    ["an audience below ours", { aud: `${baseUrl}/api` }],
    ["two audiences, one of them ours", { aud: [baseUrl, "https://other.example"] }],
    ["our audience twice", { aud: [baseUrl, `${baseUrl}/`] }],
    ["another resource", { resource: "https://other.example/" }],
    ["a resource that only begins like ours", { resource: `${baseUrl}.evil.example/` }],
    ["a resource that is not text", { resource: 7 }],
  ],
  invalid_request: [
    ...["sub", "exp", "iat", "jti"].map((name): Change => [`no ${name}`, { [name]: undefined }]),
    ["an exp that is not a number", { exp: "soon" }],
    ["an iat that is not a number", { iat: "now" }],
    ...["sub", "jti"].flatMap((name) =>
      [7, "", "x".repeat(256), "a\u0000b", "\ud800", ["x"], null].map(
        (value): Change => [`the ${name} ${JSON.stringify(value)}`, { [name]: value }],
      ),
    ),
    ["a lifetime of more than an hour", { exp: now() + 3660 }],
  ],
  invalid_grant: [["a proof-of-possession key", { cnf: { jkt: "x" } }]],
  invalid_client_id: [
    ["no client_id", { client_id: undefined }],
    ["an empty client_id", { client_id: "" }],
    ["a client_id that is not text", { client_id: 1 }],
  ],
  missing_verified_email: [
    ["no email", { email: undefined }],
    ["an unverified email", { email_verified: false }],
    ['email_verified "true"', { email_verified: "true" }],
    ["email_verified 1", { email_verified: 1 }],
    ["an email that is not text", { email: 5 }],
  ],
});

test("A faulty assertion is refused with a code for its fault, and its corrected form is accepted", async ({
  agents,
}) => {
  const rows = Object.entries(faults(agents.baseUrl)).flatMap(([code, changes]) =>
    changes.map((change) => [`${code} for ${change[0]}`, code, change] as const),
  );
  await eachOf(rows, async ([_title, code, [_fault, changes, header]]) => {
    const good = agents.claims();
    const refused = await agents.assert({ ...good, ...changes }, { header });
    expectRefusal(agents, refused, refusals[code as keyof typeof refusals], code);
    // A refused assertion does not consume its jti.
    expectStatus(await agents.assert(good), 201);
  });
});

const NO_JWS = [
  "",
  "a",
  "a.b",
  "a.b.c",
  "a.b.c.d",
  "..",
  "e30.e30.",
  "W10.W10.x",
  "\u0000.\u0000.\u0000",
];
test("A malformed JWS is 401 invalid_signature", async ({ agents }) => {
  const good = await signToken(agents.key, agents.claims());
  const payloads = ["[]", '"x"', "null", "{", ""];
  const tokens = [
    ...NO_JWS,
    `${good}.x`,
    good.slice(0, -4),
    `${good}${"A".repeat(16_385 - good.length)}`,
    ...(await Promise.all(payloads.map((payload) => signToken(agents.key, payload)))),
  ];
  for (const token of tokens) {
    expectRefusal(agents, await agents.present(token), 401, "invalid_signature");
  }
});

test("A signature with a wrong key, a wrong algorithm or none is refused", async ({ agents }) => {
  const claims = agents.claims();
  const other = { ...(await makeProviderKey()), kid: agents.key.kid };
  const rsa = { ...(await makeProviderKey("RS256")), kid: agents.key.kid };
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const typ = "oauth-id-jag+jwt";
  const none = `${encoded({ alg: "none", typ })}.${encoded(claims)}.`;
  const start = `${encoded({ alg: "HS256", typ, kid: agents.key.kid })}.${encoded(claims)}`;
  const secret = JSON.stringify(agents.key.publicJwk);
  const confused = `${start}.${createHmac("sha256", secret).update(start).digest("base64url")}`;
  const [head, , signature] = (await signToken(agents.key, claims)).split(".");
  const swapped = `${head}.${encoded({ ...claims, sub: "somebody-else" })}.${signature}`;
  const tokens = [
    await signToken(other, claims),
    await signToken(rsa, claims),
    none,
    confused,
    swapped,
  ];
  for (const token of tokens) {
    expectRefusal(agents, await agents.present(token), 401, "invalid_signature");
  }
});

test("Key URLs and keys inside a token are ignored", async ({ agents }) => {
  const { provider } = agents;
  const own = await makeProviderKey();
  const before = provider.fetches;
  for (const header of [
    { jwk: own.publicJwk },
    { jku: `${provider.iss}/attacker.json` },
    { x5u: `${provider.iss}/attacker.pem` },
  ]) {
    const response = await agents.assert(agents.claims(), {
      key: { ...own, kid: agents.key.kid },
      header,
    });
    expectRefusal(agents, response, 401, "invalid_signature");
  }
  expect(provider.fetches).toBe(before);
});

const accepted = (baseUrl: string): Change[] => [
  ["the audience with a slash", { aud: `${baseUrl}/` }],
  ["the audience alone in a list", { aud: [baseUrl] }],
  ["our resource", { resource: `${baseUrl}/api/tasks` }],
  ["resources, one of them ours", { resource: ["https://other.example/", baseUrl] }],
  ["typ in full and in capitals", {}, { typ: "application/OAuth-ID-JAG+jwt" }],
  ["clocks that differ by 50 seconds", { iat: now() + 50, exp: now() + 350 }],
  ["an exp 50 seconds ago", { iat: now() - 100, exp: now() - 50 }],
  [
    "a verified phone number",
    { email: undefined, email_verified: undefined, phone_number_verified: true },
  ],
  ["an email that no account could have", { email: "not an address" }],
  ["claims that cannot be stored", { agent_platform: "a\u0000b", agent_context_id: { deep: 1 } }],
  ["a scope that names none of ours", { scope: "openid profile" }],
  ["a long client_id", { client_id: `https://agent.example/${"x".repeat(300)}` }],
];

test("Every valid form of an assertion is accepted, with both scopes", async ({ agents }) => {
  await eachOf(accepted(agents.baseUrl), async ([_title, changes, header]) => {
    const response = await agents.assert(agents.claims(changes), { header });
    expectStatus(response, 201);
    expect(bodyOf(response).scopes).toEqual(["api.read", "api.write"]);
  });
});

test("A scope claim narrows the granted scopes", async ({ agents }) => {
  const asList = await agents.assert(agents.claims({ scope: ["openid", "api.read"] }));
  expect(bodyOf(asList).scopes).toEqual(["api.read"]);
  const response = await agents.assert(agents.claims({ scope: "openid api.read" }));
  expectStatus(response, 201);
  const { credential: key, scopes } = bodyOf(response);
  expect(scopes).toEqual(["api.read"]);
  const refused = await agents.api("POST", "/api/tasks", { key, body: { name: "x" } });
  expectError(refused, 403, "insufficient_scope");
});

test("An assertion can be used once, and each issuer has its own jti namespace", async ({
  agents,
}) => {
  const claims = agents.claims();
  expectStatus(await agents.assert(claims), 201);
  expectRefusal(agents, await agents.assert(claims), 401, "replay_detected");
  expectRefusal(agents, await agents.assert({ ...claims, sub: "other" }), 401, "replay_detected");
  // One provider must not be able to consume another's IDs.
  expectStatus(await agents.assert({ ...claims, iss: LINKING }), 201);
});

test("Of parallel uses of one assertion one succeeds", async ({ agents }) => {
  const token = await signToken(agents.key, agents.claims());
  const responses = await Promise.all(Array.from({ length: 12 }, () => agents.present(token)));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expectRefusal(agents, response, 401, "replay_detected");
  }
});

test("A provider's pinned client_id and algorithms are enforced", async ({ agents }) => {
  expectStatus(await agents.assert(agents.claims({ iss: PINNED })), 201);
  const other = await agents.assert(agents.claims({ iss: PINNED, client_id: "another" }));
  expectRefusal(agents, other, 401, "invalid_client_id");
});

test("A provider's policy on sign-in age and strength is enforced", async ({ agents }) => {
  const metadata = challenges(agents.baseUrl).credentialNeeded;
  const good = { iss: STRICT, auth_time: now(), amr: ["pwd", "mfa"] };
  expectStatus(await agents.assert(agents.claims(good)), 201);
  for (const auth_time of [undefined, now() - 1000, now() + 1000, "now", null]) {
    const response = await agents.assert(agents.claims({ ...good, auth_time }));
    expectError(response, 401, "insufficient_user_authentication");
    expect(response.headers.all("www-authenticate")).toEqual([
      `${metadata}, error="insufficient_user_authentication", max_age="300"`,
    ]);
  }
  for (const amr of [undefined, [], ["pwd"], "mfa"]) {
    const response = await agents.assert(agents.claims({ ...good, amr }));
    expectError(response, 401, "insufficient_user_authentication");
  }
});

test.describe("The organization of an assertion", () => {
  test("The same user of a provider gets the same organization", async ({ agents }) => {
    const sub = randomUUID();
    const first = await organizationOf(agents, await agents.assert(agents.claims({ sub })));
    const second = await organizationOf(agents, await agents.assert(agents.claims({ sub })));
    expect(second).toBe(first);
    const other = await organizationOf(
      agents,
      await agents.assert(agents.claims({ sub, iss: LINKING })),
    );
    expect(other).not.toBe(first);
  });

  test("Parallel first assertions of one user create one organization", async ({ agents }) => {
    const sub = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        agents.assert(agents.claims({ sub, email: "same@example.com" })),
      ),
    );
    const organizations = await Promise.all(
      responses.map((response) => organizationOf(agents, response)),
    );
    expect(new Set(organizations).size).toBe(1);
  });

  test("A user whose account is being deleted is a new one to a provider with link_verified_email", async ({
    agents,
    db,
    organization,
  }) => {
    const { id, email } = await makePerson(db, organization.id);
    const deletion = ["members WHERE user_id", "users WHERE id"].map(
      (rows) => `DELETE FROM ${rows} = '${id}'`,
    );
    const response = await whileUncommitted(db, deletion, "FOR UPDATE", () =>
      agents.assert(agents.claims({ iss: LINKING, email })),
    );
    expect(await organizationOf(agents, response)).not.toBe(organization.id);
  });

  test("A user of a provider with link_verified_email joins the owner of the address who signs in at the same time", async ({
    agents,
    db,
    organization,
  }) => {
    const [id, email] = [`usr_${randomText(25)}`, freshEmail()];
    const signIn = [
      `INSERT INTO users (id, email, email_verified_at) VALUES ('${id}', '${email}', unix_now())`,
      `INSERT INTO members (organization_id, user_id, role) VALUES ('${organization.id}', '${id}', 'owner')`,
    ];
    const asserted = () => agents.assert(agents.claims({ iss: LINKING, email }));
    const response = await whileUncommitted(db, signIn, "users", asserted);
    expect(await organizationOf(agents, response)).toBe(organization.id);
    await db.query("UPDATE users SET email_verified_at = NULL WHERE id = $1", [id]);
    expect(await organizationOf(agents, await asserted())).not.toBe(organization.id);
  });

  test("Only a provider with link_verified_email joins its user to the owner of the address, whoever came first", async ({
    agents,
    rows,
  }) => {
    for (const iss of [STATIC, LINKING]) {
      const joins = iss === LINKING;
      const asserted = async (claims: Claims) =>
        organizationOf(agents, await agents.assert(agents.claims({ iss, ...claims })));
      const { email, agent } = await agents.claimed();
      const owned = await agents.organizationOf(agent.credential);
      expect((await asserted({ email: email.toUpperCase() })) === owned, iss).toBe(joins);
      const unverified = { email, email_verified: false, phone_number_verified: true };
      expect(await asserted(unverified)).not.toBe(owned);
      expect(await rows.user.count({ where: { email } })).toBe(1);

      const later = freshEmail();
      const before = await asserted({ email: later });
      if (!joins) expect(await rows.user.count({ where: { email: later } })).toBe(0);
      expect((await organizationOfOwner(agents, later)) === before, iss).toBe(joins);
    }
  });
});

function expectRefusal(agents: Agents, response: ApiResponse, status: number, code: string) {
  expectError(response, status, code);
  expect(response.headers.all("www-authenticate")).toEqual(
    status === 401 ? [challenges(agents.baseUrl).credentialNeeded] : [],
  );
}

async function organizationOf(agents: Agents, response: ApiResponse) {
  expectStatus(response, 201);
  return agents.organizationOf(bodyOf(response).credential);
}

/** The organization of an agent whose user confirms the address by code. */
async function organizationOfOwner(agents: Agents, email: string) {
  const { claim_token } = await agents.hinted(email);
  const completed = await agents.complete(claim_token, await agents.mailbox.code(email));
  expectStatus(completed, 200);
  return agents.organizationOf(bodyOf(completed).credential);
}
