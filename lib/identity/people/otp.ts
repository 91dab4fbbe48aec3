import { createHmac, hkdfSync, randomInt, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/platform/config/config";
import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { type CodeRequester, codeSource } from "./code-source";
import {
  allowsShortCode,
  areShortCodesGuessed,
  countAttempt,
  LONG_DIGITS,
  mayMailShared,
  type Purpose,
  refundAttempt,
  SHORT_DIGITS,
  sentTo,
  TRIES_PER_CODE,
  tooManyMails,
  waitForMail,
} from "./otp-limits";

export const CODE_SECONDS = 600;
/** A shared code is valid during its window and the next, so for at most `CODE_SECONDS`. */
export const WINDOW_SECONDS = CODE_SECONDS / 2;
const RETENTION_SECONDS = 2_592_000;

export interface Code {
  id: string;
  /** To be mailed, never stored. Null when the shared code was already mailed. */
  digits: string | null;
  /** Whether the code completes every attempt for this address while it is valid. */
  isShared: boolean;
  expiresAt: number;
}

/**
 * Prepares a code to be mailed to `email`. It works only after `activateCode`; if the mail is
 * refused, `discardCode` removes it. Each `subject` has one active code. `db` is a transaction.
 * Throws 429 when agents on the client's network have requested too many codes for this address.
 */
export async function prepareCode(
  db: Transaction,
  wanted: { purpose: Purpose; subject?: string; email: string; client: CodeRequester },
): Promise<Code> {
  const { purpose, email, client } = wanted;
  const source = codeSource(email, client);
  const code = { purpose, email, source, subject: wanted.subject };
  // Serializes requests for one address, so that the limits hold.
  await lockAddress(db, purpose, sql`SELECT ${email}::text AS email`);
  const wait = await waitForMail(db, sql`${sentTo(purpose, email)} AND source = ${source}`);
  if (wait !== undefined && purpose === "claim") throw tooManyMails(wait);
  await removeOld(db);
  const all = sql`${sentTo(purpose, email)} AND "window" IS NULL`;
  const hasRoom = wait === undefined && (await waitForMail(db, all)) === undefined;
  return hasRoom ? createCode(db, code) : createSharedCode(db, code, wait);
}

/** Makes a mailed code the only active one of its subject. */
export async function activateCode(db: Transaction, purpose: Purpose, id: string): Promise<void> {
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

/** Deletes a code whose mail was refused. */
export async function discardCode(id: string): Promise<void> {
  await query(sql`DELETE FROM one_time_codes WHERE id = ${id} AND activated_at IS NULL`);
}

/**
 * Whether the digits match. The attempt is counted before the comparison, so that concurrent
 * attempts cannot exceed the limit; `consumeCode` refunds a correct one. Returns undefined, without
 * comparing, when the code is used, replaced, expired or out of attempts. Throws 429, without
 * comparing, after too many wrong codes from `client`.
 */
export async function tryCode(
  db: Transaction,
  attempt: { purpose: Purpose; id: string; digits: string; client: CodeRequester },
): Promise<boolean | undefined> {
  const { purpose, id, digits, client } = attempt;
  // Nobody is given a shared code between this attempt and its consumption.
  await lockAddress(
    db,
    purpose,
    sql`SELECT email FROM one_time_codes WHERE id = ${id} AND purpose = ${purpose}`,
  );
  const code = await queryOne<{ email: string; mac: string; digits: number }>(
    sql`UPDATE one_time_codes SET failures = failures + 1
        WHERE id = ${id} AND purpose = ${purpose} AND failures < ${TRIES_PER_CODE}
          AND activated_at IS NOT NULL AND mac <> '' AND expires_at > unix_now()
        RETURNING email, mac, digits`,
    db,
  );
  if (!code) return undefined;
  const counted = code.digits === SHORT_DIGITS;
  if (counted && (await areShortCodesGuessed(db))) return undefined;
  const source = codeSource(code.email, client);
  if (counted) await countAttempt(source, db);
  const given = macOf(pepper(), id, code.email, digits.replace(/[\s-]/g, ""));
  const isRight = timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(code.mac, "hex"));
  if (isRight && counted) await refundAttempt(source, db);
  return isRight;
}

/**
 * Consumes a correct code and returns its email address, or undefined when a concurrent request was
 * first. Other attempts that share the code end too.
 */
export async function consumeCode(db: Transaction, purpose: Purpose, id: string) {
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

/** The stored form of a code. The email and ID bind it to one attempt. */
export function macOf(key: Uint8Array, id: string, email: string, digits: string): string {
  return createHmac("sha256", key).update(`otp:v1\0${id}\0${email}\0${digits}`).digest("hex");
}

/** Keeps someone with only the table from brute-forcing six digits. */
function pepper(): Uint8Array {
  return oncePerProcess(
    "accounts.otp-pepper",
    () => new Uint8Array(hkdfSync("sha256", config().agentAuth.secret, "", "otp:v1", 32)),
  );
}

interface CodeRequest {
  purpose: Purpose;
  subject: string | undefined;
  email: string;
  source: string;
}

async function createCode(db: Transaction, code: CodeRequest): Promise<Code> {
  const length = (await allowsShortCode(db, code)) ? SHORT_DIGITS : LONG_DIGITS;
  const digits = String(randomInt(10 ** length)).padStart(length, "0");
  const expiresAt = sql`unix_now() + ${CODE_SECONDS}::bigint`;
  const stored = await insert(db, { ...code, digits, expiresAt, window: null });
  return { ...stored, digits, isShared: false };
}

/**
 * Derives the window's digits from the address and the secret, so that they need not be stored. Once
 * they were used, the next digits of the window differ and are mailed again. `wait` is set when the
 * requester has used up the mails of its network: throws 429 if the address has, too.
 */
async function createSharedCode(
  db: Transaction,
  code: CodeRequest,
  wait: number | undefined,
): Promise<Code> {
  const { purpose, email } = code;
  const now = await queryOne<{ window: number; uses: number; mailed: boolean }>(
    sql`SELECT current.number AS window, count(consumed_at)::int AS uses,
               coalesce(bool_or(mac <> ''), false) AS mailed
        FROM (SELECT unix_now() / ${WINDOW_SECONDS}::bigint AS number) AS current
        LEFT JOIN one_time_codes ON ${sentTo(purpose, email)} AND "window" = current.number
        GROUP BY current.number`,
    db,
  );
  if (!now) throw new Error("A select of the time returned no row.");
  const { window, uses, mailed } = now;
  if (wait !== undefined && !mailed && !(await mayMailShared(db, purpose, email))) {
    throw tooManyMails(wait);
  }
  const digest = createHmac("sha256", pepper())
    .update(`otp-shared:v1\0${purpose}\0${email}\0${window}\0${uses}`)
    .digest();
  const digits = String(digest.readBigUInt64BE() % BigInt(10 ** LONG_DIGITS)).padStart(
    LONG_DIGITS,
    "0",
  );
  const expiresAt = sql`${(window + 2) * WINDOW_SECONDS}::bigint`;
  const stored = await insert(db, { ...code, digits, expiresAt, window });
  return { ...stored, digits: mailed ? null : digits, isShared: true };
}

async function insert(
  db: Transaction,
  code: CodeRequest & { digits: string; expiresAt: ReturnType<typeof sql>; window: number | null },
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

/** Serializes requests for the codes of an address, and attempts at them, until `db` ends. */
async function lockAddress(db: Transaction, purpose: Purpose, emails: Sql) {
  await query(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${purpose}::text || ':' || email, 2))
        FROM (${emails}) AS address`,
    db,
  );
}

async function removeOld(db: Transaction) {
  await query(
    sql`DELETE FROM one_time_codes WHERE id IN (
          SELECT id FROM one_time_codes WHERE created_at < unix_now() - ${RETENTION_SECONDS}::bigint
          LIMIT 10 FOR UPDATE SKIP LOCKED)`,
    db,
  );
}
