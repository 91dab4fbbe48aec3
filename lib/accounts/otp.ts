import { createHmac, hkdfSync, randomInt, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/config";
import { newId } from "@/lib/db/ids";
import { type Db, query, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/http/errors";
import { oncePerProcess } from "@/lib/process";

export const CODE_SECONDS = 600;
const TRIES_PER_CODE = 5;

/** Mails to one address for one purpose, in sliding windows. */
const SENDS = [
  { limit: 5, seconds: 3600 },
  { limit: 20, seconds: 86_400 },
];
/** Wrong codes for one address since its last right one: then there are no new codes for a while. */
const FAILURES = [
  { limit: 20, seconds: 86_400 },
  { limit: 100, seconds: 2_592_000 },
];
const KEPT_SECONDS = 2_592_000;

/** What codes are good for. A code of one purpose opens nothing of the other, nor counts there. */
export type Purpose = "claim" | "sign-in";

export interface Code {
  id: string;
  /** The six digits, to be sent and forgotten. */
  digits: string;
  expiresAt: number;
}

/**
 * Makes a code to be sent to `email`; of those for one `subject` one is live at a time. It opens nothing until `activateCode`, so that
 * a mail that was refused leaves nothing behind (`discardCode`). `db` is a transaction. Throws 429
 * when the address was sent too many codes, or had too many wrong ones.
 */
export async function prepareCode(
  db: Db,
  code: { purpose: Purpose; subject?: string; email: string },
): Promise<Code> {
  const { purpose, email } = code;
  // Of two codes at once for one address the second counts the first.
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${purpose}:${email}`}, 2))`, db);
  await assertWithinLimits(db, purpose, email);
  await removeOld(db);
  const id = newId(purpose === "claim" ? "cla" : "sgn");
  const digits = String(randomInt(1_000_000)).padStart(6, "0");
  const row = await queryOne<{ expires_at: number }>(
    sql`INSERT INTO one_time_codes (id, purpose, subject, email, mac, expires_at)
        VALUES (${id}, ${purpose}, ${code.subject ?? id}, ${email}, ${macOf(pepper(), id, email, digits)},
                unix_now() + ${CODE_SECONDS}::bigint)
        RETURNING expires_at`,
    db,
  );
  return { id, digits, expiresAt: row?.expires_at ?? 0 };
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
 * when the code is used, replaced, too old, or out of tries: then nothing was compared.
 */
export async function tryCode(
  db: Db,
  purpose: Purpose,
  id: string,
  digits: string,
): Promise<boolean | undefined> {
  const code = await queryOne<{ email: string; mac: string }>(
    sql`UPDATE one_time_codes SET failures = failures + 1
        WHERE id = ${id} AND purpose = ${purpose} AND failures < ${TRIES_PER_CODE}
          AND activated_at IS NOT NULL AND consumed_at IS NULL AND expires_at > unix_now()
        RETURNING email, mac`,
    db,
  );
  if (!code) return undefined;
  const given = macOf(pepper(), id, code.email, digits.replace(/[\s-]/g, ""));
  return timingSafeEqual(Buffer.from(given, "hex"), Buffer.from(code.mac, "hex"));
}

/** Uses up a code that was right, once: the address, or undefined when somebody else was first. */
export async function consumeCode(db: Db, purpose: Purpose, id: string) {
  const row = await queryOne<{ email: string }>(
    sql`UPDATE one_time_codes SET consumed_at = unix_now(), failures = failures - 1, mac = ''
        WHERE id = ${id} AND purpose = ${purpose}
          AND activated_at IS NOT NULL AND consumed_at IS NULL
        RETURNING email`,
    db,
  );
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

async function assertWithinLimits(db: Db, purpose: Purpose, email: string) {
  for (const { limit, seconds } of SENDS) {
    const full = await queryOne<{ wait: number }>(
      sql`SELECT created_at + ${seconds}::bigint - unix_now() AS wait FROM one_time_codes
          WHERE purpose = ${purpose} AND email = ${email}
            AND created_at > unix_now() - ${seconds}::bigint
          ORDER BY created_at DESC OFFSET ${limit - 1} LIMIT 1`,
      db,
    );
    if (full) throw tooMany("This address was sent too many codes.", full.wait);
  }
  for (const { limit, seconds } of FAILURES) {
    const wrong = await queryOne<{ failures: number; wait: number }>(
      sql`SELECT coalesce(sum(failures), 0)::int AS failures,
                 coalesce(min(created_at) + ${seconds}::bigint - unix_now(), 0) AS wait
          FROM one_time_codes
          WHERE purpose = ${purpose} AND email = ${email} AND failures > 0
            AND created_at > unix_now() - ${seconds}::bigint
            AND id > coalesce((SELECT max(id) FROM one_time_codes WHERE purpose = ${purpose}
                                 AND email = ${email} AND consumed_at IS NOT NULL), '')`,
      db,
    );
    if (wrong && wrong.failures >= limit) {
      throw tooMany("There were too many wrong codes for this address.", wrong.wait);
    }
  }
}

function tooMany(reason: string, seconds: number) {
  return new ApiError("rate_limited", `${reason} Wait before the next one.`, {
    headers: { "Retry-After": String(Math.max(seconds, 1)) },
  });
}

async function removeOld(db: Db) {
  await query(
    sql`DELETE FROM one_time_codes WHERE id IN (
          SELECT id FROM one_time_codes WHERE created_at < unix_now() - ${KEPT_SECONDS}::bigint
          LIMIT 10 FOR UPDATE SKIP LOCKED)`,
    db,
  );
}
