import type { Audience, Scope } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { type Client, findClient } from "./clients";
import { describable, invalidRequest } from "./error";
import { type Parameters, parametersOf } from "./parameters";
import { isRegistered, withParameters } from "./redirect-uri";
import { audienceOf, requestedScopes } from "./resource";

const QUERY_LENGTH_MAX = 6000;

/** A valid authorization request. */
export interface Authorization {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  /** The PKCE challenge, by S256. */
  challenge: string;
  audience: Audience;
  scopes: Scope[];
}

type Checked =
  | { valid: Authorization }
  | {
      valid?: undefined;
      /** A message for the person. */
      problem: string;
      /**
       * The error response, set once the client and redirect URI are known to belong together.
       * Anyone can register a client, so only a click may follow it (RFC 9700 §4.11.2).
       */
      back: { url: string; client: Client } | undefined;
    };

/** Whether a request is too long to be carried through the sign-in page. */
export function isTooLong(query: string): boolean {
  return query.length > QUERY_LENGTH_MAX;
}

/** Checks the parameters of an authorization request on behalf of a person. */
export async function checkAuthorization(
  query: URLSearchParams,
  personId: string,
): Promise<Checked> {
  if (isTooLong(String(query))) return refused("The request is too long.");
  const found = parametersOf(query);
  const { parameters } = found;
  const problem = "problem" in found ? found.problem : undefined;
  const clientId = parameters.get("client_id");
  const redirectUri = parameters.get("redirect_uri");
  if (clientId === undefined) return refused(problem ?? "client_id is missing.");
  if (redirectUri === undefined) return refused(problem ?? "redirect_uri is missing.");
  let client: Client;
  try {
    client = await findClient(clientId, personId);
  } catch (error) {
    if (error instanceof ApiError) return refused(error.message);
    throw error;
  }
  if (!isRegistered(redirectUri, client.redirectUris)) {
    return refused("The redirect_uri is not one that the client has registered.");
  }
  const state = parameters.get("state");
  try {
    if (problem !== undefined) throw invalidRequest(problem);
    return { valid: { client, redirectUri, state, ...wanted(parameters) } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message } = error;
    const url = responseUrl(redirectUri, {
      error: code,
      error_description: describable(message),
      state,
    });
    return { problem: message, back: { url, client } };
  }
}

/** The authorization response, with the issuer to prevent mix-up attacks (RFC 9207). */
export function responseUrl(
  redirectUri: string,
  response: { state: string | undefined; [name: string]: string | undefined },
): string {
  return withParameters(redirectUri, { ...response, iss: config().baseUrl });
}

function wanted(parameters: Parameters) {
  if (parameters.get("response_type") === undefined) {
    throw invalidRequest("response_type is missing.");
  }
  if (parameters.get("response_type") !== "code") {
    throw new ApiError("unsupported_response_type", "response_type must be code.");
  }
  const challenge = parameters.get("code_challenge");
  if (challenge === undefined) throw invalidRequest("code_challenge is missing: use PKCE.");
  // Without a method, RFC 7636 assumes `plain`.
  if (parameters.get("code_challenge_method") !== "S256") {
    throw invalidRequest("code_challenge_method must be S256.");
  }
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw invalidRequest("code_challenge must be a SHA-256 in base64url: 43 characters.");
  }
  return {
    challenge,
    audience: audienceOf(parameters.get("resource")),
    scopes: requestedScopes(parameters.get("scope")),
  };
}

function refused(problem: string): Checked {
  return { problem, back: undefined };
}
