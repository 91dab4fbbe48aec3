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
import { challenges, expectError, expectStatus } from "../support/expectations";
import type { ApiResponse } from "../support/http";
import { makeProviderKey, signToken } from "../support/identity-provider";

/** The checks of an assertion: each case breaks one property of a valid one. */

type Claims = Record<string, unknown>;

interface Fault {
  title: string;
  code: string;
  status: number;
  claims?: (claims: Claims, baseUrl: string) => Claims;
  header?: Record<string, unknown>;
}

const now = () => Math.floor(Date.now() / 1000);
const without = (name: string) => (claims: Claims) => ({ ...claims, [name]: undefined });
const withClaim = (name: string, value: unknown) => (claims: Claims) => ({
  ...claims,
  [name]: value,
});

const FAULTS: Fault[] = [
  { title: "a missing typ", code: "invalid_signature", status: 401, header: { typ: null } },
  { title: "typ JWT", code: "invalid_signature", status: 401, header: { typ: "JWT" } },
  {
    title: "typ logout+jwt",
    code: "invalid_signature",
    status: 401,
    header: { typ: "logout+jwt" },
  },
  { title: "an unknown kid", code: "invalid_signature", status: 401, header: { kid: "other" } },
  {
    title: "an unknown critical header",
    code: "invalid_signature",
    status: 401,
    header: { crit: ["urgent"], urgent: true },
  },
  {
    title: "an issuer not trusted",
    code: "invalid_issuer",
    status: 401,
    claims: withClaim("iss", "https://evil.example"),
  },
  {
    title: "an issuer with one slash more",
    code: "invalid_issuer",
    status: 401,
    claims: withClaim("iss", `${STATIC}/`),
  },
  { title: "no issuer", code: "invalid_issuer", status: 401, claims: without("iss") },
  {
    title: "an issuer that is a list",
    code: "invalid_issuer",
    status: 401,
    claims: withClaim("iss", [STATIC]),
  },
  {
    title: "an exp that is over",
    code: "expired",
    status: 401,
    claims: withClaim("exp", now() - 120),
  },
  { title: "an iat too old", code: "expired", status: 401, claims: withClaim("iat", now() - 3700) },
  {
    title: "an iat in the future",
    code: "expired",
    status: 401,
    claims: withClaim("iat", now() + 120),
  },
  {
    title: "an nbf in the future",
    code: "expired",
    status: 401,
    claims: withClaim("nbf", now() + 120),
  },
  {
    title: "another audience",
    code: "invalid_audience",
    status: 401,
    claims: withClaim("aud", "https://other.example"),
  },
  { title: "no audience", code: "invalid_audience", status: 401, claims: without("aud") },
  {
    title: "an audience below ours",
    code: "invalid_audience",
    status: 401,
    claims: (claims, baseUrl) => ({ ...claims, aud: `${baseUrl}/api` }),
  },
  {
    title: "two audiences, one of them ours",
    code: "invalid_audience",
    status: 401,
    claims: (claims, baseUrl) => ({ ...claims, aud: [baseUrl, "https://other.example"] }),
  },
  {
    title: "our audience twice",
    code: "invalid_audience",
    status: 401,
    claims: (claims, baseUrl) => ({ ...claims, aud: [baseUrl, `${baseUrl}/`] }),
  },
  {
    title: "another resource",
    code: "invalid_audience",
    status: 401,
    claims: withClaim("resource", "https://other.example/"),
  },
  {
    title: "a resource that only begins like ours",
    code: "invalid_audience",
    status: 401,
    claims: (claims, baseUrl) => ({ ...claims, resource: `${baseUrl}.evil.example/` }),
  },
  {
    title: "a resource that is no text",
    code: "invalid_audience",
    status: 401,
    claims: withClaim("resource", 7),
  },
  ...["sub", "exp", "iat", "jti"].map((name) => ({
    title: `no ${name}`,
    code: "invalid_request",
    status: 400,
    claims: without(name),
  })),
  {
    title: "an exp that is no number",
    code: "invalid_request",
    status: 400,
    claims: withClaim("exp", "soon"),
  },
  {
    title: "an iat that is no number",
    code: "invalid_request",
    status: 400,
    claims: withClaim("iat", "now"),
  },
  ...["sub", "jti"].flatMap((name) =>
    [7, "", "x".repeat(256), "a\u0000b", "\ud800", ["x"], null].map((value) => ({
      title: `a ${name} that is ${JSON.stringify(value)?.slice(0, 20)}`,
      code: "invalid_request",
      status: 400,
      claims: withClaim(name, value),
    })),
  ),
  {
    title: "a lifetime of more than an hour",
    code: "invalid_request",
    status: 400,
    claims: (claims) => ({ ...claims, exp: now() + 3601 }),
  },
  {
    title: "a proof-of-possession key",
    code: "invalid_grant",
    status: 400,
    claims: withClaim("cnf", { jkt: "x" }),
  },
  { title: "no client_id", code: "invalid_client_id", status: 401, claims: without("client_id") },
  {
    title: "an empty client_id",
    code: "invalid_client_id",
    status: 401,
    claims: withClaim("client_id", ""),
  },
  {
    title: "a client_id that is no text",
    code: "invalid_client_id",
    status: 401,
    claims: withClaim("client_id", 1),
  },
  { title: "no email", code: "missing_verified_email", status: 400, claims: without("email") },
  {
    title: "an email not verified",
    code: "missing_verified_email",
    status: 400,
    claims: withClaim("email_verified", false),
  },
  {
    title: 'email_verified "true"',
    code: "missing_verified_email",
    status: 400,
    claims: withClaim("email_verified", "true"),
  },
  {
    title: "email_verified 1",
    code: "missing_verified_email",
    status: 400,
    claims: withClaim("email_verified", 1),
  },
  {
    title: "an email that is no text",
    code: "missing_verified_email",
    status: 400,
    claims: withClaim("email", 5),
  },
];
for (const { title, code, status, claims, header } of FAULTS) {
  test(`An assertion with ${title} is ${status} ${code}`, async ({ agents }) => {
    const good = agents.claims();
    const bad = claims ? claims(good, agents.baseUrl) : good;
    expectRefusal(agents, await agents.assert(bad, { header }), status, code);
    // A refused assertion does not consume its jti: the corrected one is accepted.
    expectStatus(await agents.assert(good), 201);
  });
}

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

test("Key URLs and keys inside a token are ignored", async ({ agents, provider }) => {
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

const GOOD: Array<
  [title: string, claims: (baseUrl: string) => Claims, header?: Record<string, unknown>]
> = [
  ["the audience with a slash", (baseUrl) => ({ aud: `${baseUrl}/` })],
  ["the audience alone in a list", (baseUrl) => ({ aud: [baseUrl] })],
  ["our resource", (baseUrl) => ({ resource: `${baseUrl}/api/tasks` })],
  ["resources, one of them ours", (baseUrl) => ({ resource: ["https://other.example/", baseUrl] })],
  ["typ in full and in capitals", () => ({}), { typ: "application/OAuth-ID-JAG+jwt" }],
  ["clocks that differ by 50 seconds", () => ({ iat: now() + 50, exp: now() + 350 })],
  ["an exp that is over by 50 seconds", () => ({ iat: now() - 100, exp: now() - 50 })],
  [
    "a verified phone number",
    () => ({ email: undefined, email_verified: undefined, phone_number_verified: true }),
  ],
  ["an email that no account could have", () => ({ email: "not an address" })],
  [
    "claims that could not be stored",
    () => ({ agent_platform: "a\u0000b", agent_context_id: { deep: 1 } }),
  ],
  ["a scope that names none of ours", () => ({ scope: "openid profile" })],
];
for (const [title, changes, header] of GOOD) {
  test(`An assertion with ${title} is accepted`, async ({ agents }) => {
    const response = await agents.assert(agents.claims(changes(agents.baseUrl)), { header });
    expectStatus(response, 201);
    expect(bodyOf(response).scopes).toEqual(["api.read", "api.write"]);
  });
}

test("A scope claim narrows the granted scopes", async ({ agents }) => {
  const response = await agents.assert(agents.claims({ scope: "openid api.read" }));
  expectStatus(response, 201);
  const { credential: key, scopes } = bodyOf(response);
  expect(scopes).toEqual(["api.read"]);
  expectError(
    await agents.api("POST", "/api/tasks", { key, body: { name: "x" } }),
    403,
    "insufficient_scope",
  );
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

  test("An asserted address does not give access to the account with that address", async ({
    agents,
  }) => {
    const { email, agent, otp } = await agents.claiming();
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
    const owned = await organizationOfKey(agents, agent.credential);
    const asserted = await agents.assert(agents.claims({ email }));
    expect(await organizationOf(agents, asserted)).not.toBe(owned);
    const { rows } = await agents.db.query(
      "SELECT count(*)::int AS users FROM users WHERE email = $1",
      [email],
    );
    expect(rows).toEqual([{ users: 1 }]);
  });

  test("A provider with link_verified_email gives access to the account with that address", async ({
    agents,
  }) => {
    const { email, agent, otp } = await agents.claiming();
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
    const owned = await organizationOfKey(agents, agent.credential);
    const linked = await agents.assert(agents.claims({ iss: LINKING, email: email.toUpperCase() }));
    expect(await organizationOf(agents, linked)).toBe(owned);
    const unverified = { iss: LINKING, email, email_verified: false, phone_number_verified: true };
    const apart = await agents.assert(agents.claims(unverified));
    expect(await organizationOf(agents, apart)).not.toBe(owned);
  });

  test("The owner of an address shares nothing with a user whose address was only asserted", async ({
    agents,
  }) => {
    const email = freshEmail();
    const asserted = await organizationOf(agents, await agents.assert(agents.claims({ email })));
    const { rows } = await agents.db.query("SELECT 1 FROM users WHERE email = $1", [email]);
    expect(rows).toEqual([]);
    expect(await organizationOfOwner(agents, email)).not.toBe(asserted);
  });

  test("The owner of an address joins the user of a provider with link_verified_email", async ({
    agents,
  }) => {
    const email = freshEmail();
    const claims = agents.claims({ iss: LINKING, email });
    const brought = await organizationOf(agents, await agents.assert(claims));
    expect(await organizationOfOwner(agents, email)).toBe(brought);
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
  return organizationOfKey(agents, bodyOf(response).credential);
}

/** The organization of an agent whose user confirms the address by code. */
async function organizationOfOwner(agents: Agents, email: string) {
  const registered = bodyOf(await agents.register({ type: "service_auth", login_hint: email }));
  const otp = await agents.mailbox.code(email);
  const completed = bodyOf(await agents.complete(registered.claim_token, otp));
  return organizationOfKey(agents, completed.credential);
}

async function organizationOfKey(agents: Agents, key: string) {
  const { body } = await agents.api("POST", "/api/tasks", { key, body: { name: "Whose?" } });
  return body.organization_id;
}
