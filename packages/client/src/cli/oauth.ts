import { createHash, randomBytes } from "node:crypto";
import { ApiError, apiErrorOf, ConnectionError } from "../api-error.js";
import { reasonOf } from "../send.js";
import { changeConfig, type Grant, readConfig } from "./config.js";
import { CliError } from "./failure.js";

/** The metadata of an authorization server (RFC 8414). */
export interface ServerMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint?: string;
  /** RFC 8628. Older servers have none. */
  device_authorization_endpoint?: string;
}

/** Built into every server, so the command line need not register. */
export const CLIENT_ID = "agent-infra-cli";

const REQUEST_MS_MAX = 15_000;
/** Tokens are renewed a little early, so that none expires in transit. */
const EARLY_SECONDS = 60;

/** Reads the service's metadata and checks that every URL in it belongs to the service. */
export async function readMetadata(baseUrl: string): Promise<ServerMetadata> {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname === "/" ? "" : pathname;
  const url = `${origin}/.well-known/oauth-authorization-server${path}`;
  const metadata: Partial<ServerMetadata> = await fetchJson(url);
  if (metadata.issuer !== baseUrl) {
    throw new CliError(
      "failure",
      `The service at ${baseUrl} calls itself ${metadata.issuer}. Use that as --url.`,
    );
  }
  const { authorization_endpoint, token_endpoint } = metadata;
  const { revocation_endpoint, device_authorization_endpoint } = metadata;
  if (!authorization_endpoint || !token_endpoint) {
    throw new CliError("failure", "This service has no sign-in for programs. Use a key: --key.");
  }
  const required = { authorization_endpoint, token_endpoint };
  const endpoints = { ...required, revocation_endpoint, device_authorization_endpoint };
  for (const endpoint of Object.values(endpoints)) {
    if (endpoint && (!URL.canParse(endpoint) || new URL(endpoint).origin !== origin)) {
      throw new CliError(
        "failure",
        `The service names an address that is not its own: ${endpoint}`,
      );
    }
  }
  return { issuer: baseUrl, ...endpoints };
}

/** Makes a PKCE pair (RFC 7636). */
export function makeProof(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Asks for the code that a person types elsewhere, and the one that this machine polls with (RFC 8628). */
export async function startDevice(
  { device_authorization_endpoint }: ServerMetadata,
  fields: Record<string, string>,
) {
  if (!device_authorization_endpoint) {
    throw new CliError("failure", "This service has no sign-in with a code. Use a key: --key.");
  }
  const begun = await fetchJson(device_authorization_endpoint, fields);
  return {
    device_code: field(begun, "device_code"),
    user_code: field(begun, "user_code"),
    verification_uri: field(begun, "verification_uri"),
    verification_uri_complete: begun.verification_uri_complete ?? field(begun, "verification_uri"),
    expires_in: Number(begun.expires_in) || 600,
    interval: Number(begun.interval) || 5,
  };
}

/** Exchanges a code or a refresh token for tokens. */
export async function requestTokens(
  { token_endpoint, revocation_endpoint }: Pick<Grant, "token_endpoint" | "revocation_endpoint">,
  fields: Record<string, string>,
): Promise<Grant> {
  const asked = Date.now();
  const tokens = await fetchJson(token_endpoint, fields);
  return {
    token_endpoint,
    revocation_endpoint,
    access_token: field(tokens, "access_token"),
    ...(tokens.refresh_token && { refresh_token: tokens.refresh_token }),
    expires_at: Math.floor(asked / 1000) + (Number(tokens.expires_in) || 0),
  };
}

/** The access token of a login, renewed if it is about to end. */
export async function freshAccessToken(baseUrl: string): Promise<string> {
  const grant = (await readConfig()).servers[baseUrl]?.oauth;
  if (grant && isFresh(grant)) return grant.access_token;
  return changeConfig(async ({ servers }) => {
    // Another process may have renewed it, and a refresh token works once.
    const current = servers[baseUrl]?.oauth;
    if (!current) throw signedOut();
    if (isFresh(current)) return current.access_token;
    if (!current.refresh_token) throw signedOut();
    const renewed = await requestTokens(current, {
      grant_type: "refresh_token",
      refresh_token: current.refresh_token,
      resource: `${baseUrl}/`,
    }).catch((error) => {
      throw error instanceof ApiError && error.code === "invalid_grant" ? signedOut() : error;
    });
    servers[baseUrl] = { oauth: { refresh_token: current.refresh_token, ...renewed } };
    return renewed.access_token;
  });
}

/** Ends a login at the service. */
export async function revoke({
  revocation_endpoint,
  refresh_token,
  access_token,
}: Grant): Promise<void> {
  if (revocation_endpoint) {
    await fetchJson(revocation_endpoint, { token: refresh_token ?? access_token });
  }
}

/** An error like the service's, which the client does not retry. */
function signedOut() {
  return new ApiError("Your sign-in has ended.", { status: 401, code: "invalid_grant" });
}

function isFresh({ expires_at }: Grant): boolean {
  return expires_at - EARLY_SECONDS > Date.now() / 1000;
}

/** The JSON at a URL, or the response to the fields of a form of this client. Fails like a call. */
async function fetchJson(
  url: string,
  fields?: Record<string, string>,
): Promise<Record<string, string>> {
  const { response, text } = await fetch(url, {
    ...(fields && {
      method: "POST",
      body: new URLSearchParams({ client_id: CLIENT_ID, ...fields }),
    }),
    redirect: "error",
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
    .then(async (response) => ({ response, text: await response.text() }))
    .catch((cause) => {
      throw new ConnectionError(`${new URL(url).origin}: ${reasonOf(cause)}`, { cause });
    });
  const body = text === "" ? {} : jsonOf(text);
  if (response.ok && body) return body;
  const refusal = apiErrorOf(response, text);
  const code = body?.error;
  if (typeof code !== "string") throw refusal;
  const { status, retryAfter } = refusal;
  throw new ApiError(String(body.error_description ?? code), { status, retryAfter, code });
}

function field(body: Record<string, string>, name: string): string {
  const value = body[name];
  if (!value) throw new CliError("failure", `The response of the service has no "${name}".`);
  return value;
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
