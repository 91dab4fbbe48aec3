import { config } from "@/lib/platform/config/config";
import { unixNow } from "@/lib/platform/db/clock";
import type { Prisma } from "@/lib/platform/db/generated/client";
import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, rateLimited } from "@/lib/platform/errors";
import { countTry, isExhausted, type Limit, refundTry } from "@/lib/platform/limits/fixed-window";

/*
 * Knowing an address must not be enough to lock out its owner, and codes must not be guessable:
 *
 * - Mails are limited per address and source: a network, or a browser that has signed in with the
 *   address before. Strangers only use up their own limit.
 * - Beyond the limit of an address, every request gets an attempt that one shared code completes. It
 *   is mailed once per window, so the owner always has a code to enter. Only an agent whose own
 *   network has reached its limit is refused: its user can still sign in.
 * - Wrong codes never block new ones. `SHORT_CODE_LIMITS` bounds the attempts at an address's short
 *   codes over all networks and purposes; after that its codes have twelve digits. At 20 attempts a day, the
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
/** Wrong attempts at the short codes of one address, whatever they are for. */
export const SHORT_CODE_LIMITS = [
  { limit: 20, windowSeconds: 86_400 },
  { limit: 100, windowSeconds: 2_592_000 },
];
/** Failed attempts at short codes from one source, over all addresses. */
export const SOURCE_LIMIT = { limit: 200, windowSeconds: 86_400 };

/** Wrong short codes of all clients together. */
export const TOTAL_TRIES = { limit: 1000, windowSeconds: 3600 };
/** Mails with a shared code to one address for one purpose, over all senders. */
export const SHARED_CODES = { limit: 40, windowSeconds: 86_400 };

/** A code works, and counts against limits, only for its own purpose. */
export const purposes = ["claim", "sign-in"] as const;
export type Purpose = (typeof purposes)[number];

/** Whether another short code stays within the limits, if all tries at live codes are used. */
export async function allowsShortCode(
  tx: Transaction,
  { email, source }: { email: string; source: string },
): Promise<boolean> {
  if (await isExhausted(attemptsKey(source), SOURCE_LIMIT, tx)) return false;
  if (await areShortCodesGuessed(tx)) return false;
  // Counts the attempts that a live code still allows as used. In local mode an address may have any
  // number of live codes, as it may have mails, and `isOutOfTries` alone bounds the attempts.
  const tries = config().localMode
    ? sql`failures`
    : sql`CASE WHEN mac <> '' AND expires_at > unix_now() THEN ${TRIES_PER_CODE}::int ELSE failures END`;
  return !(await exceedsLimits(tx, email, sql`sum(${tries}) + ${TRIES_PER_CODE}::int`));
}

/** Whether the address's short codes have been tried too often, this attempt included. */
export function isOutOfTries(tx: Transaction, email: string): Promise<boolean> {
  return exceedsLimits(tx, email, sql`sum(failures)`);
}

/** Whether a sum over the short codes of an address is above one of its limits. */
async function exceedsLimits(tx: Transaction, email: string, tries: Sql): Promise<boolean> {
  for (const { limit, windowSeconds } of SHORT_CODE_LIMITS) {
    // (d) A sum of an expression.
    const exceeded = await queryOne(
      sql`SELECT FROM one_time_codes
          WHERE purpose = ANY (${[...purposes]}::text[]) AND email = ${email}
            AND digits = ${SHORT_DIGITS} AND created_at > unix_now() - ${windowSeconds}::bigint
          HAVING ${tries} > ${limit}::int`,
      tx,
    );
    if (exceeded) return true;
  }
  return false;
}

/** Whether somebody is guessing short codes across many addresses. */
export async function areShortCodesGuessed(tx: Transaction): Promise<boolean> {
  const since = (await unixNow(tx)) - TOTAL_TRIES.windowSeconds;
  const wrong = await tx.oneTimeCode.aggregate({
    where: {
      created_at: { gt: since },
      digits: SHORT_DIGITS,
      // A browser that has signed in with an address before does not guess those of others.
      NOT: { source: { startsWith: "browser:" } },
    },
    _sum: { failures: true },
  });
  return (wrong._sum.failures ?? 0) >= TOTAL_TRIES.limit;
}

/** Whether the address may be mailed another shared code. At least one is mailed per window. */
export async function mayMailShared(
  tx: Transaction,
  purpose: Purpose,
  email: string,
): Promise<boolean> {
  const since = (await unixNow(tx)) - SHARED_CODES.windowSeconds;
  const windows = await tx.oneTimeCode.groupBy({
    by: ["window"],
    where: { purpose, email, window: { not: null }, created_at: { gt: since } },
  });
  return windows.length < SHARED_CODES.limit;
}

/** A limit of mails that is used up, and the seconds until it has room. */
export interface MailWait {
  seconds: number;
  limit: Limit;
}

/** How long another of these codes must wait; undefined if it may be sent now, as in local mode. */
export async function waitForMail(
  tx: Transaction,
  codes: Prisma.OneTimeCodeWhereInput,
): Promise<MailWait | undefined> {
  if (config().localMode) return undefined;
  const now = await unixNow(tx);
  for (const one of MAIL_LIMITS) {
    const { limit, windowSeconds } = one;
    const full = await tx.oneTimeCode.findFirst({
      where: { ...codes, created_at: { gt: now - windowSeconds } },
      orderBy: { created_at: "desc" },
      skip: limit - 1,
      select: { created_at: true },
    });
    if (full) return { seconds: full.created_at + windowSeconds - now, limit: one };
  }
  return undefined;
}

/** Counts an attempt at a short code. Throws 429 after too many from this source. */
export async function countAttempt(source: string, tx: Transaction): Promise<void> {
  await countTry(attemptsKey(source), SOURCE_LIMIT, tx).catch(tooManyAttempts);
}

/** Refunds a successful attempt. */
export async function refundAttempt(source: string, tx: Transaction): Promise<void> {
  await refundTry(attemptsKey(source), tx);
}

function attemptsKey(source: string) {
  return `otp-tries:${source}`;
}

export function tooManyMails({ seconds, limit }: MailWait) {
  return rateLimited(
    "Too many codes were requested for this address from your network. Try again later.",
    seconds,
    limit,
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
