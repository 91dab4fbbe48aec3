import { config } from "@/lib/platform/config/config";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { countUse, isExhausted, refundUse } from "@/lib/platform/limits/limits";

/*
 * Knowing an address must not be enough to lock out its owner, and codes must not be guessable:
 *
 * - Mails are limited per address and source: a network, or a browser that has signed in with the
 *   address before. Strangers only use up their own limit.
 * - Beyond the limit of an address, every request gets an attempt that one shared code completes. It
 *   is mailed once per window, so the owner always has a code to enter. Only an agent whose own
 *   network has reached its limit is refused: its user can still sign in.
 * - Wrong codes never block new ones. `SHORT_CODE_LIMITS` bounds the attempts at an address's short
 *   codes over all networks; after that its codes have twelve digits. At 20 attempts a day, the
 *   chance of guessing a short code is 1 in 50 000 a day. A million networks, each with 5 codes an
 *   hour and 5 attempts at each, guess a long one within its ten minutes with a chance below 1 in
 *   30 000.
 * - `TOTAL_TRIES` bounds the wrong short codes of everybody over all addresses, which find a code about
 *   once in 1000 hours. Beyond it, short codes no longer work, and new codes are long.
 * - `SHARED_CODES` bounds the mails of an address that one network can cause: beyond it, only
 *   requesters with mails left of their own are mailed the shared code.
 * - `SOURCE_LIMIT` bounds one source's attempts at short codes over all addresses. Beyond it, the
 *   source gets long codes, so neighbours behind the same address can still sign in.
 */

export const TRIES_PER_CODE = 5;
export const SHORT_DIGITS = 6;
export const LONG_DIGITS = 12;

/** In public mode: mails to one address for one purpose, per source, and in total before codes are shared. */
export const MAIL_LIMITS = [
  { limit: 5, windowSeconds: 3600 },
  { limit: 20, windowSeconds: 86_400 },
];
/** Attempts at the short codes of one address since its last successful one. */
export const SHORT_CODE_LIMITS = [
  { limit: 20, windowSeconds: 86_400 },
  { limit: 100, windowSeconds: 2_592_000 },
];
/** Failed attempts at short codes from one source, over all addresses. */
export const SOURCE_LIMIT = { limit: 200, windowSeconds: 86_400 };

/** Wrong short codes of everybody together. */
const TOTAL_TRIES = { limit: 1000, windowSeconds: 3600 };
/** Mails with a shared code to one address for one purpose, over all senders. */
const SHARED_CODES = { limit: 40, windowSeconds: 86_400 };

/** A code works, and counts against limits, only for its own purpose. */
export type Purpose = "claim" | "sign-in";

/** A condition on `one_time_codes`. */
export function sentTo(purpose: Purpose, email: string) {
  return sql`purpose = ${purpose} AND email = ${email}`;
}

/**
 * Whether another short code stays within the limits, counting every attempt at live codes as used.
 */
export async function allowsShortCode(
  db: Transaction,
  { purpose, email, source }: { purpose: Purpose; email: string; source: string },
): Promise<boolean> {
  if (await isExhausted(attemptsKey(source), SOURCE_LIMIT, db)) return false;
  if (await areShortCodesGuessed(db)) return false;
  for (const { limit, windowSeconds } of SHORT_CODE_LIMITS) {
    const tried = await queryOne<{ tries: number }>(
      sql`SELECT coalesce(sum(
            CASE WHEN mac <> '' AND expires_at > unix_now() THEN ${TRIES_PER_CODE}::int
                 ELSE failures END), 0)::int AS tries
          FROM one_time_codes
          WHERE ${sentTo(purpose, email)} AND digits = ${SHORT_DIGITS}
            AND created_at > unix_now() - ${windowSeconds}::bigint
            AND id > coalesce((SELECT max(id) FROM one_time_codes
                               WHERE ${sentTo(purpose, email)} AND consumed_at IS NOT NULL), '')`,
      db,
    );
    if (tried && tried.tries + TRIES_PER_CODE > limit) return false;
  }
  return true;
}

/** Whether somebody guesses short codes over many addresses. */
export async function areShortCodesGuessed(db: Transaction): Promise<boolean> {
  const wrong = await queryOne<{ tries: number }>(
    sql`SELECT coalesce(sum(failures), 0)::int AS tries FROM one_time_codes
        WHERE created_at > unix_now() - ${TOTAL_TRIES.windowSeconds}::bigint
          AND digits = ${SHORT_DIGITS}`,
    db,
  );
  return (wrong?.tries ?? 0) >= TOTAL_TRIES.limit;
}

/** Whether the address may get another shared code. Each window mails at least one. */
export async function mayMailShared(
  db: Transaction,
  purpose: Purpose,
  email: string,
): Promise<boolean> {
  const mailed = await queryOne<{ windows: number }>(
    sql`SELECT count(DISTINCT "window")::int AS windows FROM one_time_codes
        WHERE ${sentTo(purpose, email)} AND "window" IS NOT NULL
          AND created_at > unix_now() - ${SHARED_CODES.windowSeconds}::bigint`,
    db,
  );
  return (mailed?.windows ?? 0) < SHARED_CODES.limit;
}

/** Seconds until another of these codes may be sent; undefined means now, as always in local mode. */
export async function waitForMail(
  db: Transaction,
  codes: ReturnType<typeof sql>,
): Promise<number | undefined> {
  if (config().localMode) return undefined;
  for (const { limit, windowSeconds } of MAIL_LIMITS) {
    const full = await queryOne<{ wait: number }>(
      sql`SELECT created_at + ${windowSeconds}::bigint - unix_now() AS wait FROM one_time_codes
          WHERE ${codes} AND created_at > unix_now() - ${windowSeconds}::bigint
          ORDER BY created_at DESC OFFSET ${limit - 1} LIMIT 1`,
      db,
    );
    if (full) return Math.max(full.wait, 1);
  }
  return undefined;
}

/** Counts an attempt at a short code. Throws 429 after too many from this source. */
export async function countAttempt(source: string, db: Transaction): Promise<void> {
  await countUse(attemptsKey(source), SOURCE_LIMIT, db).catch(tooManyAttempts);
}

/** Refunds a successful attempt. */
export async function refundAttempt(source: string, db: Transaction): Promise<void> {
  await refundUse(attemptsKey(source), db);
}

function attemptsKey(source: string) {
  return `otp-tries:${source}`;
}

export function tooManyMails(seconds: number) {
  return new ApiError(
    "rate_limited",
    "Too many codes were requested for this address from your network. Try again later.",
    { headers: { "Retry-After": String(seconds) } },
  );
}

function tooManyAttempts(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== "rate_limited") throw error;
  throw new ApiError(
    "rate_limited",
    "Too many wrong codes from your network. Request a new code; it will be longer and work at once.",
    { headers: error.headers },
  );
}
