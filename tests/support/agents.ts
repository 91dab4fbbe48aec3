import type { Pool } from "pg";
import { test as base, expect } from "./fixtures";
import type { Api, ApiResponse } from "./http";
import {
  type IdentityProvider,
  makeProviderKey,
  type ProviderKey,
  signToken,
  startIdentityProvider,
} from "./identity-provider";
import { randomText } from "./keys";
import { type Mailbox, startMailbox } from "./mailbox";
import { freePort, launchServer, type RunningServer, SERVE, waitUntilHealthy } from "./servers";

export { expect } from "./fixtures";

export const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/** The fields of all agent-auth responses. */
export interface AgentBody {
  registration_id: string;
  registration_type: string;
  credential_type: string;
  credential: string;
  credential_expires: number | null;
  scopes: string[];
  claim_url: string;
  claim_token: string;
  claim_token_expires: number;
  claim_attempt_id: string;
  otp_expires: number;
  expires_at: number;
  status: string;
  revoked: number;
}

export function bodyOf(response: ApiResponse): AgentBody {
  return JSON.parse(response.text);
}

/** Providers whose keys are in the configuration; all use the test's one key. */
export const LINKING = "https://linking.example";
export const PINNED = "https://pinned.example";
export const STRICT = "https://strict.example";
export const STATIC = "https://static.example";

export function trustedProviders(iss: string[], key: ProviderKey) {
  const jwks = { keys: [key.publicJwk] };
  return JSON.stringify([
    ...iss.map((one) => ({ iss: one, name: "Loopback" })),
    { iss: STATIC, jwks },
    { iss: LINKING, jwks, link_verified_email: true },
    { iss: PINNED, jwks, client_id: "the-client", algs: ["ES384", "ES256"] },
    { iss: STRICT, jwks, max_auth_age: 300, amr: ["mfa"] },
  ]);
}

interface TestFixtures {
  /** A client of a server with mail and trusted providers. */
  agents: Agents;
}

/** Agent-auth tests get their own server, which sends real mail and trusts a real provider. */
export const test = base.extend<TestFixtures>({
  agents: [
    async ({ databaseUrl, db }, use) => {
      started ??= startAgentServer(databaseUrl);
      const { server, mailbox, provider, key } = await started;
      await use(new Agents(server, mailbox, provider, key, db));
    },
    { scope: "test", timeout: 180_000 },
  ],
});

let started: ReturnType<typeof startAgentServer> | undefined;

/** Once for a worker, which its other tests go on with: a worker's fixture would take a worker of its own. */
async function startAgentServer(databaseUrl: string) {
  const [mailbox, provider, key, port] = await Promise.all([
    startMailbox(),
    startIdentityProvider(),
    makeProviderKey(),
    freePort(),
  ]);
  const server = launchServer([SERVE], port, {
    DATABASE_URL: databaseUrl,
    BASE_URL: `http://localhost:${port}`,
    // It may send other tests' messages, and signs them with it.
    SERVER_SECRET: process.env.TEST_SERVER_SECRET ?? "",
    VALIDATE_RESPONSES: "1",
    DISPATCH_INTERVAL_SECONDS: "0",
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: mailbox.url,
    AGENT_AUTH_TRUSTED_PROVIDERS: trustedProviders([provider.iss], key),
  });
  process.once("exit", () => server.kill("SIGKILL"));
  await waitUntilHealthy(server);
  return { server, mailbox, provider, key };
}

/** The calls of agents, their users and their providers. */
export class Agents {
  readonly api: Api;
  readonly baseUrl: string;
  readonly mailbox: Mailbox;
  readonly provider: IdentityProvider;
  readonly key: ProviderKey;
  readonly db: Pool;

  constructor(
    server: RunningServer,
    mailbox: Mailbox,
    provider: IdentityProvider,
    key: ProviderKey,
    db: Pool,
  ) {
    this.api = server.api;
    this.baseUrl = server.baseUrl;
    this.mailbox = mailbox;
    this.provider = provider;
    this.key = key;
    this.db = db;
  }

  register(body: unknown): Promise<ApiResponse> {
    return this.api("POST", "/api/agent/auth", { body });
  }

  claim(claim_token: string, email: string): Promise<ApiResponse> {
    return this.api("POST", "/api/agent/auth/claim", { body: { claim_token, email } });
  }

  complete(claim_token: string, otp: string): Promise<ApiResponse> {
    return this.api("POST", "/api/agent/auth/claim/complete", { body: { claim_token, otp } });
  }

  revoke(token: string): Promise<ApiResponse> {
    const headers = { "content-type": "application/logout+jwt" };
    return this.api("POST", "/api/agent/auth/revoke", { raw: token, headers });
  }

  async anonymous(): Promise<AgentBody> {
    const response = await this.register({ type: "anonymous" });
    expect(response.status, response.text).toBe(201);
    return bodyOf(response);
  }

  /** A registration for the user with this address, who is mailed a code. */
  async hinted(login_hint: string, requested_credential_type = "api_key"): Promise<AgentBody> {
    const type = "service_auth";
    const response = await this.register({ type, login_hint, requested_credential_type });
    expect(response.status, response.text).toBe(201);
    return bodyOf(response);
  }

  /** An anonymous registration with a started claim, and the code mailed to its user. */
  async claiming(email = freshEmail()) {
    const agent = await this.anonymous();
    const started = await this.claim(agent.claim_token, email);
    expect(started.status, started.text).toBe(200);
    return { agent, email, attempt: bodyOf(started), otp: await this.mailbox.code(email) };
  }

  /** An anonymous agent whose claim is complete. */
  async claimed(email = freshEmail()) {
    const { agent, otp } = await this.claiming(email);
    const completed = await this.complete(agent.claim_token, otp);
    expect(completed.status, completed.text).toBe(200);
    return { agent, email };
  }

  /** The organization of a key, which must be able to write. */
  async organizationOf(key: string): Promise<string | null> {
    const created = await this.api("POST", "/api/tasks", { key, body: { name: "Whose?" } });
    expect(created.status, created.text).toBe(201);
    return created.body.organization_id;
  }

  /** The claims of a valid ID-JAG. */
  claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: STATIC,
      sub: `user-${randomText(12)}`,
      aud: this.baseUrl,
      client_id: "the-client",
      jti: randomText(20),
      iat: now,
      exp: now + 300,
      email: freshEmail(),
      email_verified: true,
      ...changes,
    };
  }

  /** Registers with an assertion that has these claims. */
  async assert(
    claims: Record<string, unknown>,
    options: { header?: Record<string, unknown>; key?: ProviderKey; type?: string } = {},
  ): Promise<ApiResponse> {
    const token = await signToken(options.key ?? this.key, claims, options.header);
    return this.present(token, options.type);
  }

  present(assertion: string, requested_credential_type = "access_token"): Promise<ApiResponse> {
    const type = "identity_assertion";
    return this.register({ type, assertion_type: ID_JAG, assertion, requested_credential_type });
  }

  /** A logout token for this user; `undefined` in `changes` leaves a claim out. */
  logoutToken(
    sub: string,
    changes: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
    key = this.key,
  ): Promise<string> {
    const claims = {
      iss: STATIC,
      sub,
      aud: this.baseUrl,
      iat: Math.floor(Date.now() / 1000),
      jti: randomText(20),
      events: { [REVOKED_EVENT]: {} },
      ...changes,
    };
    return signToken(key, claims, { typ: "logout+jwt", ...header });
  }
}

export const REVOKED_EVENT =
  "https://schemas.workos.com/events/agent/auth/identity/assertion/revoked";

export function freshEmail() {
  return `user-${randomText(12).toLowerCase()}@example.com`;
}
