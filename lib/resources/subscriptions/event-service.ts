import { hash } from "node:crypto";
import { audit } from "@/lib/identity/audit/audit";
import { endOfKey } from "@/lib/identity/keys/live-key";
import type { Caller } from "@/lib/platform/caller";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { base62 } from "@/lib/platform/db/ids";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { seal, unseal } from "@/lib/platform/encryption";
import { ApiError } from "@/lib/platform/errors";
import type { InTurn } from "@/lib/platform/limits/search-gate";
import { countForAll } from "@/lib/platform/limits/sliding-window";
import { actorOf } from "@/lib/resources/change";
import { cancelPending } from "@/lib/resources/messages/enqueue";
import { targetName } from "@/lib/resources/messages/push-target";
import { secretsOfPush } from "@/lib/resources/messages/pushed-event";
import { hasFailed } from "@/lib/resources/messages/state";
import { assertReachable } from "@/lib/resources/messages/target";
import { type CallbackFailure, verifyCallback } from "./callback";
import { challengeLimits } from "./contract";
import { endExpired, remove } from "./ending";
import { type Asked, startFrom } from "./events/sources";
import { pushSoon } from "./pusher";
import { assertQuota } from "./quota";

const TTL_SECONDS_DEFAULT = 86_400;
const TTL_SECONDS_MIN = 300;
export const TTL_SECONDS_MAX = 30 * 86_400;
/** How long a replaced secret signs too. */
const OVERLAP_SECONDS = 3600;

const COLUMNS = columns("Subscription", "id, url, secret, cursor, expires_at, suspended_at");

type SubscriptionRow = RowOf<typeof COLUMNS>;

/** What identifies a subscription, and how it is delivered. */
export interface Subscribing extends Asked {
  /** The arguments as they were sent. */
  given: Record<string, unknown>;
  url: string;
}

interface Terms {
  secret: string;
  cursor: string | null | undefined;
  maxAgeMs: number | undefined;
  /** Null for as long as possible. */
  ttlMs: number | null | undefined;
  /** Runs each read for the start. */
  inTurn: InTurn;
}

interface Subscribed {
  id: string;
  /** In Unix seconds. */
  expiresAt: number;
  cursor: string;
  truncated: boolean;
  /** Set for a subscription that existed. */
  wasActive?: boolean;
}

/** The callback did not agree to be called. */
export class CallbackRefusal extends Error {
  readonly reason: CallbackFailure;

  constructor(reason: CallbackFailure) {
    super(`The callback was not verified: ${reason}. It must echo the challenge with a 2xx.`);
    this.reason = reason;
  }
}

/**
 * Subscribes a callback, or extends its subscription, which replaces the secret and continues after a
 * suspension. A new callback is verified first. Throws 400, 401, 403, 404, 429 and a
 * `CallbackRefusal`.
 */
export async function subscribe(
  caller: Caller,
  asked: Subscribing,
  terms: Terms,
): Promise<Subscribed> {
  if (caller.kind !== "key") throw new ApiError("unauthorized", "Subscriptions need a key.");
  assertReachable(caller, asked.url);
  const id = idOf(caller.keyId, asked);
  const start = await startFrom(caller, asked, terms);
  const known = await find(caller.keyId, asked.url);
  const existing = known.find((one) => one.id === id);
  if (!existing) {
    await endExpired(id);
    await transaction((db) => assertQuota(caller.organizationId, "rate_limited", db));
  }
  const seconds = secondsOf(terms.ttlMs);
  const secret = sealedAs(terms.secret, id, existing?.secret);
  const callback = {
    subscriptionId: id,
    url: asked.url,
    secrets: secretsOfPush(id, { push_secret: secret, push_previous_secret: null }),
    publicOnly: caller.foreignPage !== undefined,
  };
  if (known.length === 0) {
    await countChallenge(caller.organizationId, asked.url);
    const reason = await verifyCallback(callback);
    if (reason !== undefined) throw new CallbackRefusal(reason);
  }
  const row = await transaction(async (db) => {
    // It may have ended since it was read, and then counts again.
    const lasting =
      existing &&
      (await queryOne(
        sql`SELECT FROM subscriptions WHERE id = ${id} AND expires_at > unix_now() FOR NO KEY UPDATE`,
        db,
      ));
    if (!lasting) await assertQuota(caller.organizationId, "rate_limited", db);
    const stored = await queryOne<SubscriptionRow & { is_new: boolean }>(
      sql`
      INSERT INTO subscriptions AS stored (id, organization_id, kinds, actions, url, public_only,
        after_xid, after_id, event, arguments, key_id, secret, cursor, expires_at)
      VALUES (${id}, ${caller.organizationId}, '{}', '{}', ${asked.url}, ${callback.publicOnly},
        ${Number.MAX_SAFE_INTEGER}, 0, ${asked.source.name}, ${JSON.stringify(asked.given)},
        ${caller.keyId}, ${secret}, ${start.cursor},
        least(unix_now() + ${seconds}::bigint, ${endOfKey(caller.keyId)}))
      ON CONFLICT (id) DO UPDATE SET
        previous_secret = CASE WHEN stored.secret = excluded.secret THEN stored.previous_secret
          ELSE stored.secret END,
        previous_until = CASE WHEN stored.secret = excluded.secret THEN stored.previous_until
          ELSE unix_now() + ${OVERLAP_SECONDS}::bigint END,
        secret = excluded.secret, expires_at = excluded.expires_at, updated_at = unix_now(),
        -- What failed for good is sent again, in a message of its own.
        message_id = CASE WHEN stored.suspended_at IS NULL AND NOT ${hasFailed(sql`stored.message_id`)}
          THEN stored.message_id END,
        suspended_at = NULL
      RETURNING ${COLUMNS}, xmax = 0 AS is_new`,
      db,
    );
    if (!stored) throw new Error("An upsert returned no row.");
    if (stored.is_new) {
      // What an earlier one with this ID left would be signed with the new secret.
      await cancelPending("subscription_id", id, db);
      await record("subscription.created", caller, stored, db);
    }
    return stored;
  });
  void pushSoon();
  return {
    id,
    expiresAt: row.expires_at ?? 0,
    cursor: row.cursor ?? start.cursor,
    truncated: existing ? false : start.truncated,
    ...(existing && { wasActive: existing.suspended_at === null }),
  };
}

/** Counts a challenge to the host, whatever the port. Throws 429. */
async function countChallenge(organizationId: string, url: string): Promise<void> {
  const name = `challenge:${new URL(url).hostname.replace(/\.$/, "")}`;
  const own = challengeLimits.callback_challenges_per_organization_and_host;
  await countForAll(name, challengeLimits.callback_challenges_per_host, organizationId, own);
}

/** Ends a subscription, and cancels its message that is still to be sent. Returns whether there was one. */
export async function unsubscribe(caller: Caller, asked: Subscribing): Promise<boolean> {
  if (caller.kind !== "key") throw new ApiError("unauthorized", "Subscriptions need a key.");
  const id = idOf(caller.keyId, asked);
  return transaction(async (db) => {
    const gone = await remove(id, sql`event IS NOT NULL AND expires_at > unix_now()`, db);
    if (gone) await record("subscription.deleted", caller, gone, db);
    return gone !== undefined;
  });
}

async function record(
  action: "subscription.created" | "subscription.deleted",
  caller: Caller & { kind: "key" },
  { id, url }: Pick<SubscriptionRow, "id" | "url">,
  db: Transaction,
) {
  const actor = actorOf(caller) ?? caller.keyId;
  const data = { subscription: id, to: targetName({ url }) };
  await audit(db, { action, actor, organizationId: caller.organizationId, data });
}

/** The live subscriptions of a key to one callback: it has been verified if there is one. */
function find(keyId: string, url: string): Promise<SubscriptionRow[]> {
  return query<SubscriptionRow>(sql`
    SELECT ${COLUMNS} FROM subscriptions
    WHERE key_id = ${keyId} AND url = ${url} AND event IS NOT NULL AND expires_at > unix_now()`);
}

/** The known sealed secret if it is the same, so that a refresh does not take it for a new one. */
function sealedAs(secret: string, id: string, known?: Uint8Array | null): Uint8Array {
  return known && unseal(id, known) === secret ? known : seal(id, secret);
}

function secondsOf(ttlMs: number | null | undefined): number {
  if (ttlMs === undefined) return TTL_SECONDS_DEFAULT;
  if (ttlMs === null) return TTL_SECONDS_MAX;
  return Math.min(Math.max(Math.floor(ttlMs / 1000), TTL_SECONDS_MIN), TTL_SECONDS_MAX);
}

/** The ID that a key, URL, event and arguments always have. Looks like an ID of the time 0. */
function idOf(keyId: string, { source, given, url }: Subscribing): string {
  const key = JSON.stringify([keyId, url, source.name, canonical(given)]);
  const digest = hash("sha256", key, "buffer");
  const parts = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  return `sub_${base62(0, 9)}${parts.map((part) => base62(part, 8)).join("")}`;
}

/** The value with the members of objects in order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, canonical(member)]);
}
