import {
  auth,
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expectError } from "../support/expectations";
import { callTool, failTool } from "../support/mcp";
import { CALLBACK, expect, type OAuth, test } from "../support/oauth";

/** Sign-in at /mcp by the MCP SDK's own client, which gets nothing but the URL. */

test("The SDK's client signs in from a 401, calls tools, refreshes and is disconnected", async ({
  oauth,
  api,
}) => {
  const provider = new TestProvider(oauth);
  const serverUrl = `${oauth.baseUrl}/mcp`;
  const issuer = oauth.baseUrl;
  provider.saveTokens({ access_token: "svc_oat_of_yesterday", token_type: "Bearer", issuer });
  const connect = async () => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(serverUrl), {
      authProvider: provider,
    });
    try {
      await client.connect(transport);
      return client;
    } catch {
      return transport;
    }
  };
  // The stale token gets a 401, which starts the sign-in.
  const refused = await connect();
  expect(refused).toBeInstanceOf(StreamableHTTPClientTransport);
  const asked = provider.asked?.searchParams;
  expect(asked?.get("resource")).toBe(serverUrl);
  expect(asked?.get("scope")).toBe("api.read api.write");
  expect(asked?.get("code_challenge_method")).toBe("S256");

  if (refused instanceof Client) throw new Error("It connected without a token.");
  await refused.finishAuth(await provider.allowed());
  const client = await connect();
  if (!(client instanceof Client)) throw new Error("It did not connect.");
  const made = await callTool(client, "create_task", { name: "By a client" });
  expect(made.organization_id).toBe(oauth.organization.id);
  await client.close();

  const before = provider.saved;
  // The token is for /mcp only.
  const key = before?.access_token ?? "";
  expectError(await api("GET", "/api/tasks", { key }), 401, "invalid_api_key");
  expect(await auth(provider, { serverUrl })).toBe("AUTHORIZED");
  expect(provider.saved?.refresh_token).not.toBe(before?.refresh_token);

  const { refresh_token = "" } = provider.saved ?? {};
  await oauth.post("/oauth/revoke", { token: refresh_token });
  expect(await auth(provider, { serverUrl })).toBe("REDIRECT");
});

test("The SDK's client signs in at once where the URL says so, and not elsewhere", async ({
  oauth,
}) => {
  const provider = new TestProvider(oauth);
  const transportTo = (path: string) =>
    new StreamableHTTPClientTransport(new URL(path, oauth.baseUrl), { authProvider: provider });
  const mode = { pin: "2026-07-28" };
  const connected = async (transport: StreamableHTTPClientTransport) => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return client;
  };
  const stranger = await connected(transportTo("/mcp"));
  await callTool(stranger, "create_task", { name: "Without a key" });
  const refused = await failTool(stranger, "receive_work", { holder: "me" });
  expect(refused).toMatchObject({ code: "unauthorized" });
  expect(provider.asked).toBeUndefined();
  await stranger.close();

  const transport = transportTo("/mcp?sign_in=true");
  await expect(connected(transport)).rejects.toThrow(/Unauthorized/);
  // Other clients refuse metadata of another resource than the URL (RFC 9728 §3.3).
  const url = `${oauth.baseUrl}/mcp?sign_in=true`;
  expect(provider.discoveryState()?.resourceMetadata?.resource).toBe(url);
  expect(provider.asked?.searchParams.get("resource")).toBe(url);
  await transport.finishAuth(await provider.allowed());
  const client = await connected(transportTo("/mcp?sign_in=true"));
  const task = await callTool(client, "create_task", { name: "With a token" });
  expect(task.organization_id).toBe(oauth.organization.id);
  const next = await callTool(client, "receive_work", { holder: "me" });
  expect(next.task).toMatchObject({ name: "With a token" });
  await client.close();
});

/** Keeps everything in memory, and the authorization URL instead of opening a browser. */
class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: "SDK client", redirect_uris: [CALLBACK] };
  asked: URL | undefined;
  saved: StoredOAuthTokens | undefined;
  readonly #oauth: OAuth;
  #client: StoredOAuthClientInformation | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = "";

  constructor(oauth: OAuth) {
    this.#oauth = oauth;
  }

  state() {
    return `state of ${this.#oauth.person.id}`;
  }
  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  invalidateCredentials() {
    this.saved = undefined;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  discoveryState() {
    return this.#discovered;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }

  /** The parameters with which the authorization page redirects back when the person allows it. */
  async allowed(): Promise<URLSearchParams> {
    const parameters = Object.fromEntries(this.asked?.searchParams ?? []);
    return (await this.#oauth.decide(parameters)).searchParams;
  }
}
