import {
  Client,
  type OAuthClientInformation,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { expectError, expectStatus } from "../support/expectations";
import { call } from "../support/http";
import { callTool, toolCall } from "../support/mcp";
import { CALLBACK, expect, type OAuth, test } from "../support/oauth";

test("An access token works at the resource that it was issued for, and nowhere else", async ({
  api,
  baseUrl,
  oauth,
}) => {
  const client = await oauth.register();
  const tools = await oauth.signIn(client, { resource: `${baseUrl}/mcp` });
  const rest = await oauth.signIn(client, { resource: `${baseUrl}/` });
  const ask = (key: string) =>
    call(baseUrl, "POST", "/mcp", { body: toolCall("list", { what: "tasks" }), key });
  expect((await ask(tools.access_token)).status).toBe(200);
  expectStatus(await api("GET", "/api/tasks", { key: rest.access_token }), 200);

  const refused = await ask(rest.access_token);
  expectError(refused, 401, "invalid_api_key");
  expect(refused.headers.get("www-authenticate")).toContain(
    `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`,
  );
  expectError(await api("GET", "/api/tasks", { key: tools.access_token }), 401, "invalid_api_key");
});

test("The SDK's client signs its user in when a tool needs it, knowing only the URL", async ({
  baseUrl,
  oauth,
}) => {
  const provider = new Provider(oauth);
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), {
      authProvider: provider,
    });
    const mode = { pin: "2026-07-28" };
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return { client, transport };
  };
  const { client, transport } = await connect();
  await callTool(client, "create_task", { name: "Without a key" });
  expect(provider.visited).toBeUndefined();
  const refused = client.callTool({ name: "next_task", arguments: { holder: "me" } });
  await expect(refused).rejects.toThrow(/Unauthorized/);
  expect(provider.visited?.searchParams.get("resource")).toBe(`${baseUrl}/mcp`);

  await transport.finishAuth(await provider.allowed());
  const task = await callTool(client, "create_task", { name: "With a token" });
  expect(task.organization_id).toBe(oauth.organization.id);
  const next = await callTool(client, "next_task", { holder: "me" });
  expect(next.task).toMatchObject({ name: "With a token" });
  await client.close();
});

/** Keeps what the SDK stores, and lets the test's person decide in place of a browser. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  visited: URL | undefined;
  readonly #oauth: OAuth;
  #client: OAuthClientInformation | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

  constructor(oauth: OAuth) {
    this.#oauth = oauth;
  }

  get clientMetadata() {
    return { redirect_uris: [CALLBACK], client_name: "SDK", token_endpoint_auth_method: "none" };
  }

  clientInformation() {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformation) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL) {
    this.visited = url;
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }

  /** The parameters with which the authorization page redirects back. */
  async allowed(): Promise<URLSearchParams> {
    const parameters = Object.fromEntries(this.visited?.searchParams ?? []);
    return (await this.#oauth.decide(parameters)).searchParams;
  }
}
