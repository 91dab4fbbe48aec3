import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from "jose";
import { jwksUriOf, type Provider } from "@/lib/platform/config/trust-list";
import { ApiError, retryAfter } from "@/lib/platform/errors";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { fetchKeys } from "./fetch-keys";

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
      logError(`Cannot load the keys of ${provider.iss}.`, error);
      throw new ApiError(
        "provider_keys_unavailable",
        "The provider's keys cannot be fetched. Try again with the same assertion.",
        { headers: retryAfter(30) },
      );
    }
  };
}

/** The keys were loaded, but none matches the token. */
const KEY_NOT_FOUND = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];
