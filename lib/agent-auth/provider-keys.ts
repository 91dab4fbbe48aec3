import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from "jose";
import { jwksUriOf, type Provider } from "@/lib/config/trust-list";
import { ApiError } from "@/lib/errors";
import { oncePerProcess } from "@/lib/process";
import { fetchKeys } from "./fetch-keys";

/**
 * A provider's keys, from the trust list only: what a token says of where its key is found is never
 * followed. Fetched keys are kept for ten minutes; an unknown key ID fetches them again, at most
 * every 30 seconds. Throws 503 `provider_keys_unavailable` when they cannot be fetched or read.
 */
export function keysOf(provider: Provider): JWTVerifyGetKey {
  const known = oncePerProcess("agent-auth.keys", () => new Map<string, JWTVerifyGetKey>());
  const keys = known.get(provider.iss) ?? makeKeys(provider);
  known.set(provider.iss, keys);
  return keys;
}

function makeKeys(provider: Provider): JWTVerifyGetKey {
  const find = provider.jwks
    ? createLocalJWKSet(provider.jwks as unknown as JSONWebKeySet) // jose checks what it is given
    : createRemoteJWKSet(new URL(jwksUriOf(provider)), { [customFetch]: fetchKeys });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      if (KEY_NOT_FOUND.some((kind) => error instanceof kind)) throw error;
      console.error(`The keys of ${provider.iss} cannot be used.`, error);
      throw new ApiError(
        "provider_keys_unavailable",
        "The provider's keys cannot be fetched. Try again with the same assertion.",
        { headers: { "Retry-After": "30" } },
      );
    }
  };
}

/** The keys are there, and the token's is not among them. */
const KEY_NOT_FOUND = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];
