import { createHmac, hkdfSync, randomInt, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/config/config";
import { newId } from "@/lib/db/ids";
import { type Db, query, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import { countUse, isUsedUp, returnUse } from "@/lib/http/limits";
import { oncePerProcess } from "@/lib/process";
import { type CodeClient, codeSource } from "./code-source";

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

export const CODE_SECONDS = 600;
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
/** A shared code lives through its window and the next, so at most `CODE_SECONDS`. */
export const WINDOW_SECONDS = CODE_SECONDS / 2;
const KEPT_SECONDS = 2_592_000;

/** What codes are good for. A code of one purpose opens nothing of the other, nor counts there. */
export type Purpose = "claim" | "sign-in";

export interface Code {
  id: string;
  /** To be mailed and forgotten; null: the mail with the shared code was sent already. */
  digits: string | null;
  /** The code opens every attempt for this address in its time. */
  isShared: boolean;
  expiresAt: number;
}

/**
 * Makes a code to be sent to `email`; of those for one `subject` one is live at a time. It opens
 * nothing until `activateCode`, so that a mail that was refused leaves nothing behind
 * (`discardCode`). `db` is a transaction. Throws 429 when agents from `client`'s network had the
 * address sent too many.
 */
export async function prepareCode(
  db: Db,
  wanted: { purpose: Purpose; subject?: string; email: string; client: CodeClient },
): Promise<Code> {
  const { purpose, email, client } = wanted;
  const source = codeSource(email, client);
  const code = { purpose, email, source, subject: wanted.subject };
  // Of two codes at once for one address the second counts the first.
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${purpose}:${email}`}, 2))`, db);
  const wait = await waitForMail(db, sql`${sentTo(purpose, email)} AND source = ${source}`);
  if (wait !== undefined && purpose === "claim") throw tooManyMails(wait);
  await removeOld(db);
  const all = sql`${sentTo(purpose, email)} AND "window" IS NULL`;
  const hasRoom = wait === undefined && (await waitForMail(db, all)) === undefined;
  return hasRoom ? makeOwn(db, code) : share(db, code);
}

/** Makes a sent code the one code of its subject: all earlier ones are destroyed. */
export async function activateCode(db: Db, purpose: Purpose, id: string): Promise<void> {
  await query(
    sql`UPDATE one_time_codes AS code
        SET activated_at = CASE WHEN code.id = ${id} THEN unix_now() END,
            mac = CASE WHEN code.id = ${id} THEN code.mac ELSE '' END
        FROM one_time_codes AS latest
        WHERE latest.id = ${id} AND latest.purpose = ${purpose} AND code.purpose = ${purpose}
          AND code.subject = latest.subject AND code.consumed_at IS NULL
          AND (code.id = ${id} OR code.activated_at IS NOT NULL)`,
    db,
  );
}

/** Forgets a code whose mail was refused. */
export async function discardCode(id: string): Promise<void> {
  await query(sql`DELETE FROM one_time_codes WHERE id = ${id} AND activated_at IS NULL`);
}

/**
 * Whether these are the code's digits. The try is counted before the comparison, so that of many at
 * once no more are compared than are allowed; a right one gives it back by `consumeCode`. Undefined
 * when the code is used, replaced, too old, or out of tries: then nothing was compared. Throws 429
 * when `client` has tried too many wrong ones; nothing was compared either.
 */
export async function tryCode(
  db: Db,
  attempt: { purpose: Purpose; id: string; digits: string; client: CodeClient },
): Promise<boolean | undefined> {
  const { purpose, id, digits, client } = attempt;
  const code = await queryOne<{ email: string; mac: string; digits: number }>(
    sql`UPDATE one_time_codes SET failures = failures + 1
        WHERE id = ${id} AND purpose = ${purpose} AND failures < ${TRIES_PER_CODE}
          AND activated_at IS NOT NULL AND consumed_at IS NULL AND expires_at > unix_now()
        RETURNING email, mac, digits`,
    db,
  );
  if (!code) return undefined;
  const counted = code.digits === SHORT;
  const source = codeSource(code.email, client);
  if (counted) await countUse(triesOf(source), TRIES_PER_SOURCE, db).catch(asTooManyTries);
  const given = macOf(pepper(), id, code.email, digits.replace(/[\s-]/g, ""));
  const isRight = timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(code.mac, "hex"));
  if (isRight && counted) await returnUse(triesOf(source), db);
  return isRight;
}

/**
 * Uses up a code that was right, once: the address, or undefined when somebody else was first. Other
 * attempts that the same digits would open end with it.
 */
export async function consumeCode(db: Db, purpose: Purpose, id: string) {
  const row = await queryOne<{ email: string; shared: boolean }>(
    sql`UPDATE one_time_codes SET consumed_at = unix_now(), failures = failures - 1, mac = ''
        WHERE id = ${id} AND purpose = ${purpose}
          AND activated_at IS NOT NULL AND consumed_at IS NULL
        RETURNING email, "window" IS NOT NULL AS shared`,
    db,
  );
  if (row?.shared) {
    await query(
      sql`UPDATE one_time_codes SET activated_at = NULL, mac = ''
          WHERE ${sentTo(purpose, row.email)} AND "window" IS NOT NULL AND consumed_at IS NULL`,
      db,
    );
  }
  return row?.email;
}

/** What is stored of a code: the address and the ID bind it to one attempt. */
export function macOf(key: Uint8Array, id: string, email: string, digits: string): string {
  return createHmac("sha256", key).update(`otp:v1\0${id}\0${email}\0${digits}`).digest("hex");
}

/** Six digits could be tried out in a moment by whoever has the table, but for this key beside it. */
function pepper(): Uint8Array {
  return oncePerProcess(
    "accounts.otp-pepper",
    () => new Uint8Array(hkdfSync("sha256", config().agentAuth.secret, "", "otp:v1", 32)),
  );
}

interface Wanted {
  purpose: Purpose;
  subject: string | undefined;
  email: string;
  source: string;
}

async function makeOwn(db: Db, code: Wanted): Promise<Code> {
  const length = (await mayBeShort(db, code)) ? SHORT : LONG;
  const digits = String(randomInt(10 ** length)).padStart(length, "0");
  const expiresAt = sql`unix_now() + ${CODE_SECONDS}::bigint`;
  const stored = await insert(db, { ...code, digits, expiresAt, window: null });
  return { ...stored, digits, isShared: false };
}

/** The window's digits follow from the address, so nothing but the secret has to be stored for them. */
async function share(db: Db, code: Wanted): Promise<Code> {
  const { purpose, email } = code;
  const now = await queryOne<{ window: number; mailed: boolean }>(
    sql`SELECT current.number AS window, EXISTS (
          SELECT FROM one_time_codes
          WHERE ${sentTo(purpose, email)} AND "window" = current.number) AS mailed
        FROM (SELECT unix_now() / ${WINDOW_SECONDS}::bigint AS number) AS current`,
    db,
  );
  if (!now) throw new Error("A select of the time returned no row.");
  const { window, mailed } = now;
  const digest = createHmac("sha256", pepper())
    .update(`otp-shared:v1\0${purpose}\0${email}\0${window}`)
    .digest();
  const digits = String(digest.readBigUInt64BE() % BigInt(10 ** LONG)).padStart(LONG, "0");
  const expiresAt = sql`${(window + 2) * WINDOW_SECONDS}::bigint`;
  const stored = await insert(db, { ...code, digits, expiresAt, window });
  return { ...stored, digits: mailed ? null : digits, isShared: true };
}

async function insert(
  db: Db,
  code: Wanted & { digits: string; expiresAt: ReturnType<typeof sql>; window: number | null },
): Promise<{ id: string; expiresAt: number }> {
  const { purpose, email, digits } = code;
  const id = newId(purpose === "claim" ? "cla" : "sgn");
  const row = await queryOne<{ expires_at: number }>(
    sql`INSERT INTO one_time_codes
          (id, purpose, subject, email, source, mac, digits, "window", expires_at)
        VALUES (${id}, ${purpose}, ${code.subject ?? id}, ${email}, ${code.source},
                ${macOf(pepper(), id, email, digits)}, ${digits.length}, ${code.window},
                ${code.expiresAt})
        RETURNING expires_at`,
    db,
  );
  return { id, expiresAt: row?.expires_at ?? 0 };
}

/** Whether five more tries at a short code are within the limits. Live codes count as tried out. */
async function mayBeShort(db: Db, { purpose, email, source }: Wanted): Promise<boolean> {
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

function sentTo(purpose: Purpose, email: string) {
  return sql`purpose = ${purpose} AND email = ${email}`;
}

/** Seconds until there may be one more of these codes; undefined: at once. */
async function waitForMail(db: Db, codes: ReturnType<typeof sql>): Promise<number | undefined> {
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

function triesOf(source: string) {
  return `otp-tries:${source}`;
}

function tooManyMails(seconds: number) {
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

async function removeOld(db: Db) {
  await query(
    sql`DELETE FROM one_time_codes WHERE id IN (
          SELECT id FROM one_time_codes WHERE created_at < unix_now() - ${KEPT_SECONDS}::bigint
          LIMIT 10 FOR UPDATE SKIP LOCKED)`,
    db,
  );
}
