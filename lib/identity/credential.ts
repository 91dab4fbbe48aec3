import { IS_LIVE } from "@/lib/identity/keys/live-key";
import { findVisitor, type Visitor } from "@/lib/identity/sessions/visitor";
import type { Caller } from "@/lib/platform/caller";
import { queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { type Wait, waitFor } from "@/lib/platform/wakeups/pubsub";
import { invalidKey } from "./authenticate";

/** After a longer upload, wait or batch the credential is checked again, since it may have ended. */
export const CHECKED_MS = 1000;

/** Lets a long-lived request detect that its credential has ended. */
export interface Credential {
  /** Published when the credential is revoked. */
  topics: string[];
  /** Throws 401 once it has ended. Returns the milliseconds until it expires, if it does. */
  assertLive(): Promise<number | undefined>;
}

/** How long to wait, and on whose behalf. */
export interface CallerWait extends Wait {
  credential: Credential;
}

/** Like `waitFor`. Throws 401 once the caller's credential has ended. */
export function waitAs<Result>(
  topics: readonly string[],
  wait: CallerWait,
  attempt: Parameters<typeof waitFor<Result>>[2],
): Promise<Result | undefined> {
  return waitFor([...topics, ...wait.credential.topics], wait, async (retryIn) => {
    const result = await attempt(retryIn);
    // Checked after reading, so that nothing is returned once the key has ended.
    retryIn(await wait.credential.assertLive());
    return result;
  });
}

/** The credential of a caller, which ends with the key. */
export function credentialOf(caller: Caller): Credential {
  if (caller.kind !== "key") return { topics: [], assertLive: async () => undefined };
  return {
    topics: [credentialTopic(caller.keyId)],
    async assertLive() {
      // (c) Checked again and again while a request waits.
      const key = await queryOne<{ ms: number | null }>(sql`
        SELECT (least(expires_at, ${caller.tokenExpiresAt ?? null}::bigint) - unix_now()) * 1000 AS ms
        FROM api_keys WHERE id = ${caller.keyId} AND ${IS_LIVE}`);
      if (!key || (key.ms !== null && key.ms <= 0)) throw invalidKey();
      return key.ms ?? undefined;
    },
  };
}

/** The credential of a page: the session behind this cookie. */
export function sessionCredential(token: string | undefined, now: Visitor): Credential {
  const { caller, account } = now;
  if (!account) return credentialOf(caller);
  const holder =
    caller.kind === "user" ? credentialTopic(caller.userId) : credentialOf(caller).topics;
  return {
    topics: [credentialTopic(account.sessionId), holder].flat(),
    async assertLive() {
      const later = await findVisitor(token, false);
      if (later.account?.organization.id !== account.organization.id) {
        throw new ApiError("unauthorized", "You are signed out. Sign in and try again.");
      }
      return undefined;
    },
  };
}

/** Whether the caller's key is live, as a SQL condition. */
export function isLive(caller: Caller): Sql {
  return caller.kind === "key"
    ? sql`EXISTS (SELECT FROM api_keys WHERE id = ${caller.keyId} AND ${IS_LIVE})`
    : sql`true`;
}

/** The database triggers publish the same topic. */
function credentialTopic(id: string): string {
  return `credential:${id}`;
}
