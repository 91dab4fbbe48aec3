import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from "jose";
import { jwksUriOf, type Provider } from "@/lib/platform/config/trust-list";
import { ApiError, retryAfter } from "@/lib/platform/errors";
import { fetchOutbound } from "@/lib/platform/outbound/fetch";
import { configuredRules } from "@/lib/platform/outbound/policy";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

const FETCH_MS_MAX = 5000;
const FETCH_BYTES_MAX = 262_144;

/**
 * A provider's keys, located by the trust list only, never by the token. Fetched keys are cached
 * for ten minutes; an unknown key ID refetches them, at most every 30 seconds. Throws 503
 * `provider_keys_unavailable`.
 */
export function keysOf(provider: Provider): JWTVerifyGetKey {
  const known = oncePerProcess("agent-auth.keys", () => new Map<string, JWTVerifyGetKey>());
  const keys = known.get(provider.iss) ?? makeKeys(provider);
  known.set(provider.iss, keys);
  return keys;
}

function makeKeys(provider: Provider): JWTVerifyGetKey {
  const find = provider.jwks
    ? createLocalJWKSet(provider.jwks as unknown as JSONWebKeySet) // jose validates it
    : createRemoteJWKSet(new URL(jwksUriOf(provider)), { [customFetch]: fetchKeys });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      if (KEY_NOT_FOUND.some((kind) => error instanceof kind)) throw error;
      throw keysUnavailable(provider, error);
    }
  };
}

/** Logs why a provider's keys cannot be used, and returns the error that says so: 503. */
export function keysUnavailable({ iss }: Provider, cause: unknown): ApiError {
  logError(`Cannot load the keys of ${iss}.`, cause);
  return new ApiError(
    "provider_keys_unavailable",
    "The provider's keys cannot be fetched. Try again with the same assertion.",
    { headers: retryAfter(30) },
  );
}

/** The keys were loaded, but none matches the token. */
const KEY_NOT_FOUND = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/**
 * Fetches a provider's key set under the rules for outbound requests. The origin configured by the
 * operator may be on a private network; redirects elsewhere are not followed.
 */
const fetchKeys: FetchImplementation = async (url, { headers }) => {
  const target = new URL(url);
  const { status, body } = await fetchOutbound({
    url: target,
    headers,
    limits: { totalTimeoutMs: FETCH_MS_MAX, responseBytesMax: FETCH_BYTES_MAX },
    rules: { ...configuredRules(), ownOrigin: target.origin },
  });
  // Other statuses carry no keys, and some forbid a body.
  return status === 200 ? new Response(new Uint8Array(body)) : new Response(null, { status: 502 });
};
