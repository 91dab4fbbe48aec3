import { type Db, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import { countUse, isUsedUp, returnUse } from "@/lib/http/limits";

/*
 * Nobody who knows an address can keep its owner out, and nobody can guess a code:
 *
 * - Mails are limited for each address and source (a network, or a browser that signed in with the
 *   address before), so strangers use up no allowance but their own.
 * - Beyond the mails of an address, everybody who asks for a code gets an attempt that one shared
 *   code opens. It is mailed once in a window, so that its owner always has one to enter. Only an
 *   agent whose own network has used up its mails is refused: its user can still sign in.
 * - Wrong codes never stop new ones. Short codes allow `SHORT_TRIES` for an address, from however many
 *   networks; after that its codes have twelve digits. With 20 tries a day a short code is guessed
 *   with a chance of 1 in 50 000 a day. A million networks that each ask for 5 codes an hour, and try each
 *   5 times, guess a long one with a chance of less than 1 in 30 000 in its ten minutes.
 * - One source has `TRIES_PER_SOURCE` at the short codes of all addresses together. Then it is sent
 *   long ones, which go on working, so a neighbour behind the same address has a way in, too.
 */

export const TRIES_PER_CODE = 5;
export const SHORT = 6;
export const LONG = 12;

/** Mails to one address for one purpose: from one source, and with codes of their own in all. */
export const MAILS = [
  { limit: 5, windowSeconds: 3600 },
  { limit: 20, windowSeconds: 86_400 },
];
/** Tries at the short codes of one address since its last right one. */
export const SHORT_TRIES = [
  { limit: 20, windowSeconds: 86_400 },
  { limit: 100, windowSeconds: 2_592_000 },
];
/** Wrong tries at short codes from one source, whatever the address. */
export const TRIES_PER_SOURCE = { limit: 200, windowSeconds: 86_400 };

/** What codes are good for. A code of one purpose opens nothing of the other, nor counts there. */
export type Purpose = "claim" | "sign-in";

/** A condition on `one_time_codes`. */
export function sentTo(purpose: Purpose, email: string) {
  return sql`purpose = ${purpose} AND email = ${email}`;
}

/** Whether five more tries at a short code are within the limits. Live codes count as tried out. */
export async function mayBeShort(
  db: Db,
  { purpose, email, source }: { purpose: Purpose; email: string; source: string },
): Promise<boolean> {
  if (await isUsedUp(triesOf(source), TRIES_PER_SOURCE, db)) return false;
  for (const { limit, windowSeconds } of SHORT_TRIES) {
    const tried = await queryOne<{ tries: number }>(
      sql`SELECT coalesce(sum(
            CASE WHEN mac <> '' AND expires_at > unix_now() THEN ${TRIES_PER_CODE}::int
                 ELSE failures END), 0)::int AS tries
          FROM one_time_codes
          WHERE ${sentTo(purpose, email)} AND digits = ${SHORT}
            AND created_at > unix_now() - ${windowSeconds}::bigint
            AND id > coalesce((SELECT max(id) FROM one_time_codes
                               WHERE ${sentTo(purpose, email)} AND consumed_at IS NOT NULL), '')`,
      db,
    );
    if (tried && tried.tries + TRIES_PER_CODE > limit) return false;
  }
  return true;
}

/** Seconds until there may be one more of these codes; undefined: at once. */
export async function waitForMail(
  db: Db,
  codes: ReturnType<typeof sql>,
): Promise<number | undefined> {
  for (const { limit, windowSeconds } of MAILS) {
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

/** Counts a try at a short code. Throws 429 when there were too many from this source. */
export async function countTry(source: string, db: Db): Promise<void> {
  await countUse(triesOf(source), TRIES_PER_SOURCE, db).catch(asTooManyTries);
}

/** Takes a right try back. */
export async function returnTry(source: string, db: Db): Promise<void> {
  await returnUse(triesOf(source), db);
}

function triesOf(source: string) {
  return `otp-tries:${source}`;
}

export function tooManyMails(seconds: number) {
  return new ApiError(
    "rate_limited",
    "Too many codes were asked for from here for this address. Wait before the next one.",
    { headers: { "Retry-After": String(seconds) } },
  );
}

function asTooManyTries(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== "rate_limited") throw error;
  throw new ApiError(
    "rate_limited",
    "Too many wrong codes came from here. Ask for a new code: it will be longer, and work at once.",
    { headers: error.headers },
  );
}
