import { generateKeyPairSync } from "node:crypto";
import type { Pool } from "pg";
import { makeCrowd } from "../support/accounts";
import {
  type AgentBody,
  Agents,
  bodyOf,
  expect,
  freshEmail,
  ID_JAG,
  STATIC,
  trustedProviders,
} from "../support/agents";
import { runCommand } from "../support/backups";
import { countStatuses, expectError, expectLimited, expectStatus } from "../support/expectations";
import { test as base, PUBLIC } from "../support/fault-fixtures";
import { type ApiResponse, call } from "../support/http";
import {
  type IdentityProvider,
  makeProviderKey,
  type ProviderKey,
  signToken,
  startIdentityProvider,
} from "../support/identity-provider";
import { randomText } from "../support/keys";
import { type Mailbox, startMailbox, wrongCode } from "../support/mailbox";
import { withOneServer } from "../support/one-server";
import { rowsOf } from "../support/rows";
import type { RunningServer } from "../support/servers";
import { startHour } from "../support/windows";

/** Agent auth under crashes, several servers, attacks and failing dependencies. */

const { SERVER_SECRET, AGENT_AUTH_SECRET } = PUBLIC;

interface Fixtures {
  mailbox: Mailbox;
  provider: IdentityProvider;
  providerKey: ProviderKey;
  /** Starts a server with mail and trusted providers; other arguments are those of `start`. */
  startAgents: (
    environment?: Record<string, string>,
    port?: number,
    argv?: string[],
  ) => Promise<Agents & { server: RunningServer }>;
}

const test = base.extend<Fixtures>({
  mailbox: async ({ startMailbox }, use) => use(await startMailbox()),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  provider: async ({}, use) => {
    const provider = await startIdentityProvider();
    await use(provider);
    await provider.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  providerKey: async ({}, use) => use(await makeProviderKey()),
  startAgents: async ({ start, mailbox, provider, providerKey, db }, use) => {
    await use(async (environment = {}, ...given) => {
      const settings = settingsOf(mailbox, provider, providerKey, environment);
      const server = await start(settings, ...given);
      const named = { ...server, baseUrl: environment.BASE_URL ?? server.baseUrl };
      return Object.assign(new Agents(named, mailbox, provider, providerKey, db), { server });
    });
  },
});

/** Tests that share a server with mail and trusted providers, and its database. */
function withAgentServer(environment: Record<string, string>) {
  let mailbox: Mailbox;
  let provider: IdentityProvider;
  let providerKey: ProviderKey;
  const sharing = withOneServer(async () => {
    mailbox = await startMailbox();
    provider = await startIdentityProvider();
    providerKey = await makeProviderKey();
    return settingsOf(mailbox, provider, providerKey, environment);
  });
  sharing.afterAll(async () => {
    await mailbox.close();
    await provider.close();
  });
  return sharing.extend<{ agents: Agents & { server: RunningServer } }>({
    agents: async ({ server, db }, use) => {
      const named = { ...server, baseUrl: environment.BASE_URL ?? server.baseUrl };
      await use(Object.assign(new Agents(named, mailbox, provider, providerKey, db), { server }));
    },
  });
}

function settingsOf(
  mailbox: Mailbox,
  provider: IdentityProvider,
  providerKey: ProviderKey,
  environment: Record<string, string>,
) {
  // In public mode a provider on loopback is refused.
  const loopback = environment.HOST === PUBLIC.HOST ? [] : [provider.iss];
  return {
    SERVER_SECRET,
    AGENT_AUTH_SECRET,
    LOG_LEVEL: "info",
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: mailbox.url,
    AGENT_AUTH_TRUSTED_PROVIDERS: trustedProviders(loopback, providerKey),
    ...environment,
  };
}

const publicly = withAgentServer(PUBLIC);
const locally = withAgentServer({});

test("Two servers share the limits on attempts, assertions and claims, and what one has counted survives its crash", async ({
  startAgents,
}) => {
  // An assertion is valid for one audience, so both servers need the same base URL.
  const BASE_URL = "http://localhost:3999";
  const [one, two] = await Promise.all([startAgents({ BASE_URL }), startAgents({ BASE_URL })]);
  const inTurns = (count: number, send: (agents: Agents, n: number) => Promise<ApiResponse>) =>
    Promise.all(Array.from({ length: count }, (_, i) => send(i % 2 ? one : two, i + 1)));
  const { agent, otp } = await one.claiming();
  const attempts = await inTurns(20, (agents, n) =>
    agents.complete(agent.claim_token, wrongCode(otp, n)),
  );
  expect(countStatuses(attempts)).toEqual({ 401: 5, 410: 15 });

  const claimed = await one.claiming();
  const completes = await inTurns(12, (agents) =>
    agents.complete(claimed.agent.claim_token, claimed.otp),
  );
  expect(countStatuses(completes)).toEqual({ 200: 1, 409: 11 });

  const assertion = await signToken(one.key, one.claims());
  const presented = await inTurns(10, (agents) => agents.present(assertion));
  expect(countStatuses(presented)).toEqual({ 201: 1, 401: 9 });
  for (const response of presented.filter(({ status }) => status === 401)) {
    expectError(response, 401, "replay_detected");
  }

  const attempted = await one.claiming();
  const attempt = (agents: Agents, n: number) =>
    agents.complete(attempted.agent.claim_token, wrongCode(attempted.otp, n));
  for (let n = 1; n <= 3; n += 1) await attempt(one, n);
  const last = await signToken(one.key, one.claims());
  expectStatus(await one.present(last), 201);
  const logout = await one.logoutToken(`user-${randomText(8)}`);
  expectStatus(await one.revoke(logout), 200);
  one.server.kill("SIGKILL");
  await one.server.exited;
  expectError(await two.present(last), 401, "replay_detected");
  expectError(await two.revoke(logout), 400, "replay_detected");
  for (let n = 4; n <= 5; n += 1) expectError(await attempt(two, n), 401, "otp_invalid", "otp");
  const right = await two.complete(attempted.agent.claim_token, attempted.otp);
  expectError(right, 410, "otp_expired");
});

locally("Without its provider's keys an assertion is 503, but stays valid", async ({ agents }) => {
  const { provider } = agents;
  const assertion = await signToken(provider.key, agents.claims({ iss: provider.iss }));
  const changes = { iss: provider.iss };
  const logout = await agents.logoutToken("user-unknown", changes, {}, provider.key);
  for (const failure of ["error", "redirect", "garbage"] as const) {
    provider.fail(failure);
    for (const response of [await agents.present(assertion), await agents.revoke(logout)]) {
      expectError(response, 503, "provider_keys_unavailable");
      expect(response.headers.get("retry-after")).toBe("30");
    }
  }
  provider.fail("none");
  expectStatus(await agents.present(assertion), 201);
  expectStatus(await agents.revoke(logout), 200);
});

test("An assertion for a key that cannot be used is 503, since another may be valid", async ({
  startAgents,
}) => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "short" };
  const trusted = JSON.stringify([{ iss: STATIC, jwks: { keys: [jwk] } }]);
  const agents = await startAgents({ AGENT_AUTH_TRUSTED_PROVIDERS: trusted });
  const header = { alg: "RS256", kid: "short", typ: "oauth-id-jag+jwt" };
  const parts = [header, agents.claims(), {}].map((part) => JSON.stringify(part));
  const token = parts.map((part) => Buffer.from(part).toString("base64url")).join(".");
  expectError(await agents.present(token), 503, "provider_keys_unavailable");
  await expect.poll(() => agents.server.output()).toContain("Cannot load the keys of");
});

test("A provider's keys are cached, and fetched again for an unknown key ID at most every 30 seconds", async ({
  startAgents,
}) => {
  const clock = ["--import", "./tests/support/moved-clock.mjs"];
  const agents = await startAgents({ CLOCK_STEP_MS: "30000" }, undefined, clock);
  const { provider } = agents;
  const register = async () =>
    agents.assert(agents.claims({ iss: provider.iss }), { key: provider.key });
  for (let i = 0; i < 5; i += 1) expectStatus(await register(), 201);
  expect(provider.fetches).toBe(1);

  const old = provider.key;
  await provider.rotate();
  for (let i = 0; i < 5; i += 1) expectError(await register(), 401, "invalid_signature");
  expect(provider.fetches).toBe(1);
  agents.server.kill("SIGUSR2");
  await expect.poll(async () => (await register()).status).toBe(201);
  expect(provider.fetches).toBe(2);
  const withOld = await agents.assert(agents.claims({ iss: provider.iss }), { key: old });
  expectError(withOld, 401, "invalid_signature");
});

publicly("Neither database nor logs have a key, token, code, assertion", async ({ agents, db }) => {
  const secrets: string[] = [AGENT_AUTH_SECRET, SERVER_SECRET];

  const { agent, otp, email } = await agents.claiming();
  const wrong = wrongCode(otp);
  await agents.complete(agent.claim_token, wrong);
  expectStatus(await agents.complete(agent.claim_token, otp), 200);
  secrets.push(agent.credential, agent.claim_token);

  const hint = freshEmail();
  const registered = bodyOf(await agents.register({ type: "service_auth", login_hint: hint }));
  const code = await agents.mailbox.code(hint);
  const completed = bodyOf(await agents.complete(registered.claim_token, code));
  secrets.push(registered.claim_token, completed.credential);

  const sub = `user-${randomText(12)}`;
  const assertion = await signToken(agents.key, agents.claims({ sub }));
  const asserted = bodyOf(await agents.present(assertion));
  expect(asserted.credential).toMatch(/^svc_at_/);
  const logout = await agents.logoutToken(sub);
  const use = () => agents.api("GET", "/api/tasks", { key: asserted.credential });
  expectStatus(await use(), 200);
  expectStatus(await agents.revoke(logout), 200);
  expectError(await use(), 401, "invalid_api_key");
  const unknown = await agents.register({ type: "anonymous", secret: agent.credential });
  expectError(unknown, 400, "invalid_request", "secret");
  for (const token of [assertion, logout]) secrets.push(token, ...token.split("."));
  secrets.push(asserted.credential);

  const log = agents.server.output();
  const dump = await dumpOf(db);
  expect(log).toContain('"path":"/api/agent/auth/claim/complete"');
  expect(dump).toContain(email);
  for (const secret of secrets) {
    expect(dump, secret.slice(0, 9)).not.toContain(secret);
    expect(log, secret.slice(0, 9)).not.toContain(secret);
  }
  // Six digits may occur by chance, as in a time with microseconds, so only a separate value counts.
  for (const digits of [otp, wrong, code]) {
    expect(`${dump}${log}`).not.toMatch(new RegExp(`(?<![0-9a-zA-Z.])${digits}(?![0-9a-zA-Z])`));
  }
});

test("In public mode registrations, also parallel ones, are limited per address and in total, and the total refuses those first that used it", async ({
  startAgents,
  db,
}) => {
  await startHour(db);
  const agents = await startAgents({
    ...PUBLIC,
    RATE_LIMIT_AGENT_ANONYMOUS: "3",
    RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL: "5",
    RATE_LIMIT_AGENT_IDENTIFIED: "2",
    RATE_LIMIT_AGENT_REVOKE: "2",
    RATE_LIMIT_AGENT_CLAIM: "2",
  });
  const post = (path: string, body: unknown, address: string) =>
    agents.api("POST", path, { body, headers: { "x-forwarded-for": address } });
  const register = (address: string, body: unknown = { type: "anonymous" }) =>
    post("/api/agent/auth", body, address);

  expectStatus(await register("192.0.2.1"), 201);
  const unknown = await register("192.0.2.1", { type: "anonymous", x: 1 });
  expectError(unknown, 400, "invalid_request", "x");
  expectError(await register("192.0.2.1", {}), 400, "invalid_request", "type");
  expectLimited(await register("192.0.2.1"));
  // The client's own X-Forwarded-For entries do not change its address.
  expectLimited(await register("203.0.113.9, 192.0.2.1"));
  // A /64 network counts as one client.
  for (const address of ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:f::3"]) {
    expectStatus(await register(address), 201);
  }
  expectLimited(await register("2001:db8::4"));
  expectStatus(await register("192.0.2.2"), 201);
  expectLimited(await register("192.0.2.2"));
  expectLimited(await register("2001:db8:0:1::1")); // of a /48 that has registrations
  expectStatus(await register("192.0.2.3"), 201);
  expectStatus(await register("2001:db8:1::1"), 201);
  expectLimited(await register("192.0.2.3"));
  expectLimited(await register("192.0.2.4"));

  const assertion = { type: "identity_assertion", assertion_type: ID_JAG, assertion: "x" };
  const [claim, revoke] = ["/api/agent/auth/claim", "/api/agent/auth/revoke"];
  const claims: [path: string, body: object][] = [
    [claim, { claim_token: "clm_x", email: "a@b.example" }],
    [`${claim}/complete`, { claim_token: "clm_x", otp: "1" }],
  ];
  for (let i = 0; i < 2; i += 1) {
    expectError(await register("192.0.2.1", assertion), 401, "invalid_signature");
    for (const [path, body] of claims) {
      expectError(await post(path, body, "192.0.2.1"), 404, "invalid_claim_token", "claim_token");
    }
    expectError(await post(revoke, {}, "192.0.2.1"), 400, "invalid_request");
  }
  expectLimited(await register("192.0.2.1", assertion));
  for (const path of [claim, `${claim}/complete`, revoke]) {
    expectLimited(await post(path, {}, "192.0.2.1"));
  }

  await db.query("DELETE FROM usage_windows");
  const parallel = await Promise.all(Array.from({ length: 20 }, () => register("192.0.2.5")));
  expect(countStatuses(parallel)).toEqual({ 201: 3, 429: 17 });
});

test("Invalid and repeated registrations from many networks stop no valid one", async ({
  startAgents,
  db,
}) => {
  const agents = await startAgents({
    ...PUBLIC,
    RATE_LIMIT_AGENT_IDENTIFIED_GLOBAL: "3",
    RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL: "3",
  });
  const from = (network: number) => ({
    "x-forwarded-for": `2001:db8:0:${network.toString(16)}::1`,
  });
  const INVALID = [
    { type: "identity_assertion" },
    { type: "identity_assertion", assertion_type: ID_JAG, assertion: "x" },
    { type: "service_auth", login_hint: "nobody" },
    { type: "anonymous", x: 1 },
    {},
  ];
  for (let network = 0; network < 20; network += 1) {
    const [body, headers] = [INVALID[network % INVALID.length], from(network)];
    const response = await agents.api("POST", "/api/agent/auth", { body, headers });
    expect([400, 401], response.text).toContain(response.status);
  }
  const used = agents.claims();
  expectStatus(await agents.assert(used), 201);
  for (let repeat = 0; repeat < 4; repeat += 1) {
    expectError(await agents.assert(used), 401, "replay_detected");
  }
  expectStatus(await agents.assert(agents.claims()), 201);
  for (const body of [{ type: "anonymous" }, { type: "service_auth", login_hint: freshEmail() }]) {
    expectStatus(await agents.api("POST", "/api/agent/auth", { body, headers: from(99) }), 201);
  }

  await startHour(db);
  await db.query(
    `INSERT INTO usage_windows (id, started_at, uses)
     VALUES ('oauth-register', unix_now() / 3600 * 3600, 998)`,
  );
  const registerClient = (network: number, ...redirect_uris: string[]) =>
    agents.api("POST", "/oauth/register", { body: { redirect_uris }, headers: from(network) });
  for (let network = 0; network < 10; network += 1) {
    expectStatus(await registerClient(network, "http://client.example/callback"), 400);
  }
  const CALLBACK = "https://client.example/callback";
  for (const network of [1, 2]) expectStatus(await registerClient(network, CALLBACK), 201);
  expectStatus(await registerClient(3, CALLBACK), 429);
  const headers = { "x-forwarded-for": "192.0.2.1" };
  const body = { redirect_uris: [CALLBACK] };
  expectStatus(await agents.api("POST", "/oauth/register", { body, headers }), 201);
});

publicly("Agents register and claim while requests cannot be counted", async ({ agents, db }) => {
  await db.query("ALTER TABLE usage_windows RENAME TO missing");
  try {
    const { agent, otp } = await agents.claiming();
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
  } finally {
    await db.query("ALTER TABLE missing RENAME TO usage_windows");
  }
});

publicly(
  "Pending codes count as attempts, so parallel claims allow no more guesses",
  async ({ agents }) => {
    const email = freshEmail();
    const lengths: number[] = [];
    for (let mail = 1; mail <= 5; mail += 1) {
      await agents.hinted(email);
      lengths.push((await agents.mailbox.code(email, mail)).length);
    }
    expect(lengths).toEqual([6, 6, 6, 6, 12]);
  },
);

publicly(
  "In public mode an address is sent at most five emails an hour over all registrations and twenty a day",
  async ({ agents, db }) => {
    const email = freshEmail();
    const registration = { type: "service_auth", login_hint: email };
    for (let hour = 0; hour < 4; hour += 1) {
      const { claim_token } = await agents.anonymous();
      const responses = await Promise.all([
        agents.claim(claim_token, email),
        ...Array.from({ length: 7 }, () => agents.register(registration)),
      ]);
      expect(responses.filter(({ status }) => status < 300)).toHaveLength(5);
      for (const response of responses.filter(({ status }) => status >= 300))
        expectLimited(response);
      await agents.mailbox.code(email, 5 * (hour + 1));
      await db.query("UPDATE one_time_codes SET created_at = created_at - 3601");
    }
    const response = await agents.register(registration);
    expectLimited(response);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3600);
  },
);

publicly(
  "A code that everyone shares works once, also for agents that register after it was used",
  async ({ agents }) => {
    const email = freshEmail();
    let network = 0;
    const register = async () => {
      network += 1;
      const headers = { "x-forwarded-for": `198.51.100.${network}` };
      const body = { type: "service_auth", login_hint: email };
      return bodyOf(await agents.api("POST", "/api/agent/auth", { body, headers }));
    };
    for (let i = 0; i < 5; i += 1) await register();
    const agent = await register();
    const otp = await agents.mailbox.code(email, 6);
    expect(otp).toMatch(/^\d{12}$/);
    expectStatus(await agents.complete(agent.claim_token, otp), 200);
    const [second, third] = [await register(), await register()];
    const next = await agents.mailbox.code(email, 7);
    for (const { claim_token } of [second, third]) {
      expectError(await agents.complete(claim_token, otp), 401, "otp_invalid", "otp");
    }
    expectStatus(await agents.complete(third.claim_token, next), 200);
    expectError(await agents.complete(second.claim_token, next), 410, "otp_expired");
  },
);

locally("An internal failure is 500, without details or leftovers", async ({ agents, db }) => {
  const made = async () => {
    const { rows } = await db.query(
      `SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM organizations)
            + (SELECT count(*) FROM agent_registrations) + (SELECT count(*) FROM api_keys) AS made`,
    );
    return rows;
  };
  const before = await made();
  await db.query("ALTER TABLE api_keys RENAME TO hidden");
  const body = { type: "anonymous" };
  const response = await call(agents.baseUrl, "POST", "/api/agent/auth", { body });
  await db.query("ALTER TABLE hidden RENAME TO api_keys");
  expectError(response, 500, "server_error");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { request_id } = response.body.error;
  expect(response.text.replace(request_id, "")).not.toMatch(/api_keys|relation|sql/i);
  expect(await made()).toEqual(before);
  await expect.poll(() => agents.server.output()).toContain(request_id);
});

test("Disabled registration types are refused, and not advertised", async ({ startAgents }) => {
  const agents = await startAgents({
    AGENT_AUTH_ANONYMOUS: "false",
    AGENT_AUTH_TRUSTED_PROVIDERS: "[]",
    MAIL_TRANSPORT: "none",
  });
  const { text } = await agents.api("GET", "/.well-known/oauth-authorization-server");
  const { agent_auth } = JSON.parse(text);
  expect(agent_auth.identity_types_supported).toEqual([]);
  for (const type of ["anonymous", "service_auth", "identity_assertion"]) {
    expect(agent_auth).not.toHaveProperty(type);
    expectError(await agents.register({ type }), 400, `${type}_not_enabled`, "type");
  }
  const guide = await agents.api("GET", "/auth.md");
  expect(guide.text).not.toMatch(/^## (Anonymous|Service auth|Identity assertion)$/m);
  expect(guide.text).not.toMatch(/^\|.*`(anonymous|service_auth|identity_assertion)`/m);
});

test("Without mail an agent can register, but its claim is 503", async ({ startAgents }) => {
  const agents = await startAgents({ MAIL_TRANSPORT: "none" });
  const { claim_token } = await agents.anonymous();
  expectError(await agents.claim(claim_token, freshEmail()), 503, "mail_unavailable");
  const { text } = await agents.api("GET", "/auth.md");
  expect(text).toContain("this server sends no email, so `mail_unavailable` is final");
  expect(text).toMatch(/`claimed_or_in_flight`.* register again/);
  expect(text).not.toContain(`${agents.baseUrl}/api/agent/auth/claim`);
});

locally(
  "Wrong claim tokens of a network are limited in local mode too, and the right one still works",
  async ({ agents }) => {
    const responses = await Promise.all(
      Array.from({ length: 35 }, (_, n) => {
        const token = `clm_${randomText(25)}`;
        return n % 2 ? agents.claim(token, freshEmail()) : agents.complete(token, "123456");
      }),
    );
    expect(countStatuses(responses)).toEqual({ 404: 30, 429: 5 });
    await agents.claimed();
  },
);

locally("Operators revoke by ID, and delete organizations", async ({ agents, databaseUrl, db }) => {
  const { agent, otp, email } = await agents.claiming();
  const other = await agents.anonymous();
  const { agent: claimed } = await agents.claimed();
  // Its user has no address, and cannot sign in.
  const provided = bodyOf(await agents.assert(agents.claims()));
  const [crowd] = await makeCrowd(db, 1);
  const operated = crowd?.id ?? "";
  const keyOf = ({ registration_id }: AgentBody) =>
    rowsOf(db).apiKey.findFirstOrThrow({ where: { registration_id } });
  const { organization_id: left } = await keyOf(agent);
  const { id, organization_id } = await keyOf(other);
  const { organization_id: ofUser } = await keyOf(provided);
  const revoke = (...ids: string[]) =>
    runCommand("revoke", ids, { DATABASE_URL: databaseUrl, SERVER_SECRET });
  const ids = [agent.registration_id, id, claimed.registration_id, organization_id];
  ids.push(provided.registration_id, operated.replace("org_", "key_"));
  const { stdout } = await revoke(...ids);
  const goesOn = (owner: string) =>
    `1 key revoked. What ${owner} owns stays. To delete that organization: npm run revoke -- ${owner}`;
  const done = [goesOn(left), goesOn(organization_id), "1 key revoked.", "deleted."];
  done.push(goesOn(ofUser), goesOn(operated));
  expect(stdout).toBe(done.map((text, n) => `${ids[n]}: ${text}\n`).join(""));
  const deleted = await rowsOf(db).deletedOrganization.findMany({ select: { id: true } });
  expect(deleted).toEqual([{ id: organization_id }]);
  const event = { actor: "operator", action: "organization.deleted" };
  expect(await rowsOf(db).auditEvent.count({ where: event })).toBe(1);
  for (const { credential: key } of [agent, other, claimed, provided]) {
    expectError(await agents.api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
  }
  expectError(await agents.complete(agent.claim_token, otp), 410, "claim_expired");
  expectError(await agents.claim(agent.claim_token, email), 409, "claimed_or_in_flight");
  expect(await revoke("reg_unknown")).toMatchObject({ status: 1 });
  expect(await revoke("org_unknown")).toMatchObject({ status: 1, stdout: "" });
});

// The last of those that share its database.
locally(
  "After 1000 wrong codes in an hour over all addresses, short codes end and new ones are long",
  async ({ agents, db }) => {
    const { agent, otp, email } = await agents.claiming();
    expect(otp).toMatch(/^\d{6}$/);
    const fail = (source: string) =>
      db.query(
        `INSERT INTO one_time_codes (id, purpose, subject, email, mac, failures, expires_at, source)
       SELECT 'cla_' || n || $1, 'claim', 'x', n || '@example.com', '', 5, 0, $1
       FROM generate_series(1, 200) AS n`,
        [source],
      );
    // Those of browsers that have signed in with their addresses end nobody's codes.
    await fail("browser:x");
    const wrong = otp === "000000" ? "111111" : "000000";
    expectError(await agents.complete(agent.claim_token, wrong), 401, "otp_invalid", "otp");
    await fail("");
    expectError(await agents.complete(agent.claim_token, otp), 410, "otp_expired");
    expectStatus(await agents.claim(agent.claim_token, email), 200);
    const next = await agents.mailbox.code(email, 2);
    expect(next).toMatch(/^\d{12}$/);
    expectStatus(await agents.complete(agent.claim_token, next), 200);
  },
);

/** Every row of every table, as text. */
async function dumpOf(db: Pool) {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const dumps = tables.map(async ({ name }) => {
    const { rows } = await db.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`);
    return rows.map(({ text }) => `${name} ${text}`).join("\n");
  });
  return (await Promise.all(dumps)).join("\n");
}
