import { organizationOf } from "@/lib/identity/access";
import {
  digestOf,
  hasPlausibleChecksum,
  looksLikeSecret,
  OAUTH_TOKEN_PREFIX,
} from "@/lib/identity/keys/key-format";
import { countKeyUse, IS_STALE } from "@/lib/identity/keys/key-uses";
import { IS_LIVE } from "@/lib/identity/keys/live-key";
import {
  forgetKey,
  type LiveKey,
  rememberedKey,
  rememberKey,
  stillHas,
} from "@/lib/identity/keys/remembered-keys";
import {
  type Audience,
  anonymous,
  type Caller,
  type KeyCheck,
  type Scope,
} from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { loader } from "@/lib/platform/db/loader";
import { isOneOf, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { resourceOf } from "@/lib/platform/http/challenge";

/**
 * Resolves an `Authorization` header to a caller; null is anonymous. Throws 401 `invalid_api_key`
 * unless it carries a live key or an access token for this `audience`. Keys work at both.
 */
export async function authenticate(
  authorization: string | null,
  audience: Audience = "api",
): Promise<Caller> {
  if (authorization === null) return anonymous;
  const key = /^bearer +(svc_[!-~]+)$/i.exec(authorization.trim())?.[1];
  if (key === undefined) {
    throw /^bearer +\S+$/i.test(authorization.trim())
      ? invalidKey("This is not a key of this service: its keys begin with svc_.")
      : misplacedKey("The Authorization header is not one bearer key.");
  }
  if (key.startsWith(OAUTH_TOKEN_PREFIX)) return callerOfToken(key, audience);
  if (!hasPlausibleChecksum(key) && key !== config().bootstrapApiKey) {
    throw invalidKey();
  }

  const digest = digestOf(key);
  const found = await findLiveKey(digest);
  if (!found) {
    forgetKey(digest);
    throw invalidKey();
  }
  rememberKey(found);
  countKeyUse(found.id, found.stale);
  return callerOf(found);
}

/**
 * The caller of a key that was live within the last minute and had the `scope`. A lone request thus
 * needs no statement of its own for the check: `check` is left to the statement that inserts or
 * reads, and must be ended. `assertScope` throws if a key that had to be read after all has lost
 * the scope. Undefined if the key must be read first, or while the check of another request is
 * open: requests that arrive together share a statement that checks their keys.
 */
export function expectedCaller(
  authorization: string | null,
  scope: Scope,
  assertScope: (caller: Caller) => void,
): (Caller & { check: KeyCheck }) | undefined {
  const key = /^Bearer (svc_[!-~]+)$/.exec(authorization ?? "")?.[1];
  if (isExpecting || key === undefined) return undefined;
  const found = rememberedKey(digestOf(key));
  if (!found?.scopes.includes(scope)) return undefined;
  isExpecting = true;
  const check: KeyCheck = {
    isDone: false,
    isLive: () => stillHas(scope, found),
    pass() {
      check.isDone = true;
      countKeyUse(found.id, false);
    },
    async run() {
      const caller = await authenticate(authorization);
      assertScope(caller);
      if (organizationOf(caller) !== found.organization_id) throw invalidKey();
      check.isDone = true;
    },
    end() {
      isExpecting = false;
    },
  };
  return { check, ...callerOf(found) };
}

/** Whether a request has left its check to its statement, so that no batch has two of them. */
let isExpecting = false;

function callerOf(found: LiveKey) {
  return {
    kind: "key",
    keyId: found.id,
    organizationId: found.organization_id,
    scopes: found.scopes,
    meter: found.meter,
  } as const;
}

type KeyRow = Row<"ApiKey", "id" | "organization_id" | "scopes"> & {
  /** The key's digest. */
  key: string;
  stale: boolean;
};

/** (c) All keys of a rotation chain, or of a registration, share one rate limit. */
const findLiveKey = loader<LiveKey & KeyRow>(
  (digests) => sql`
    SELECT digest AS key, id, organization_id, scopes,
           coalesce(registration_id, first_id, id) AS meter,
           registration_id IS NOT NULL AS is_registered, ${IS_STALE} AS stale
    FROM api_keys
    WHERE digest ${isOneOf(digests)} AND ${IS_LIVE}`,
);

async function callerOfToken(token: string, audience: Audience): Promise<Caller> {
  const isPlausible = looksLikeSecret(OAUTH_TOKEN_PREFIX, token);
  const found = isPlausible ? await findLiveToken(digestOf(token)) : undefined;
  if (!found) throw invalidKey("The access token is invalid, expired or revoked.");
  if (found.audience !== audience) {
    throw invalidKey(`The access token is not for ${resourceOf({ audience })}.`);
  }
  countKeyUse(found.id, found.stale);
  return {
    kind: "key",
    keyId: found.id,
    organizationId: found.organization_id,
    scopes: found.scopes,
    tokenExpiresAt: found.expires_at,
  };
}

/** (c) Finds a token by its digest; `id` is its grant. */
const findLiveToken = loader<KeyRow & Row<"OAuthAccessToken", "audience" | "expires_at">>(
  (digests) => sql`
    SELECT token.digest AS key, grant_id AS id, organization_id, token.scopes, audience,
           token.expires_at,
           ${IS_STALE} AS stale
    FROM oauth_access_tokens AS token JOIN api_keys ON api_keys.id = grant_id
    WHERE token.digest = ANY (${digests}) AND token.expires_at > unix_now()
      AND revoked_at IS NULL AND api_keys.expires_at > unix_now()`,
);

/**
 * Throws 401 when a key is sent somewhere other than `Authorization`. Ignoring it would treat the
 * caller as anonymous and show it empty lists.
 */
export function refuseMisplacedKey(
  headers: { get(name: string): string | null },
  search: string,
): void {
  const header = KEY_HEADERS.find((name) => headers.get(name) !== null);
  if (header !== undefined) throw misplacedKey(`The header ${header} is not supported.`);
  const parameter = search === "" ? undefined : KEY_PARAMETER.exec(search)?.[1];
  if (parameter !== undefined) {
    throw misplacedKey(`The query parameter ${parameter} is not supported: URLs end up in logs.`);
  }
}

const KEY_HEADERS = ["x-api-key", "api-key", "x-auth-token"];
const KEY_PARAMETER = /(?:^|&)(api[_-]?key|key|access_token|token)=/i;

function misplacedKey(what: string) {
  return invalidKey(`${what} Send the key as "Authorization: Bearer svc_live_…".`);
}

export function invalidKey(message = "The API key is invalid, expired or revoked.") {
  return new ApiError("invalid_api_key", message, {
    challenge: {
      error: "invalid_token",
      error_description: "The credential is invalid, expired or revoked.",
    },
  });
}
