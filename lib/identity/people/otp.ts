import { createHmac } from "node:crypto";
import { config } from "@/lib/platform/config/config";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { lockName } from "@/lib/platform/db/name-lock";
import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { derivedKey } from "@/lib/platform/encryption";
import { oncePerProcess } from "@/lib/platform/process";
import { isSameSecret } from "@/lib/platform/secrets";
import { type CodeRequester, codeSource } from "./code-source";
import {
  areShortCodesGuessed,
  countAttempt,
  isOutOfTries,
  type Purpose,
  refundAttempt,
  SHORT_DIGITS,
  TRIES_PER_CODE,
} from "./otp-limits";

/**
 * Makes a mailed code the only active one of its subject, unless a later one is active, whose mail was faster. Then
 * this one ends, and the later one is returned.
 */
export async function activateCode(
  tx: Transaction,
  purpose: Purpose,
  id: string,
): Promise<Row<"OneTimeCode", "id" | "expires_at"> | undefined> {
  const one = { where: { id, purpose }, select: { subject: true, created_at: true } } as const;
  const code = await tx.oneTimeCode.findUnique(one);
  if (!code) return undefined;
  const unused = { purpose, subject: code.subject, consumed_at: null };
  const active = await tx.oneTimeCode.findMany({
    where: { ...unused, id: { not: id }, activated_at: { not: null } },
    select: { id: true, expires_at: true, created_at: true },
  });
  // By the database's clock, since IDs follow those of the servers.
  const later = active.find(
    (other) =>
      other.created_at > code.created_at || (other.created_at === code.created_at && other.id > id),
  );
  const ended = later ? [id] : active.map((other) => other.id);
  await tx.oneTimeCode.updateMany({
    where: { id: { in: ended } },
    data: { activated_at: null, mac: "" },
  });
  if (later) return later;
  await tx.oneTimeCode.updateMany({
    where: { ...unused, id },
    data: { activated_at: await unixNow(tx) },
  });
  return undefined;
}

/**
 * Whether the digits match. The attempt is counted before the comparison, so that concurrent
 * attempts cannot exceed the limit; `consumeCode` refunds a correct one. Returns undefined, without
 * comparing, when the code is used, replaced, expired or out of attempts. Throws 429, without
 * comparing, after too many wrong codes from `client`.
 */
export async function tryCode(
  tx: Transaction,
  attempt: { purpose: Purpose; id: string; digits: string; client: CodeRequester },
): Promise<boolean | undefined> {
  const { purpose, id, digits, client } = attempt;
  // No shared code is issued between this attempt and its consumption.
  await lockAddress(tx, sql`SELECT email FROM one_time_codes WHERE id = ${id}`);
  // (a) Counts all concurrent attempts.
  const code = await queryOne<Row<"OneTimeCode", "email" | "mac" | "digits">>(
    sql`UPDATE one_time_codes SET failures = failures + 1
        WHERE id = ${id} AND purpose = ${purpose} AND failures < ${TRIES_PER_CODE}
          AND activated_at IS NOT NULL AND mac <> '' AND expires_at > unix_now()
        RETURNING email, mac, digits`,
    tx,
  );
  if (!code) return undefined;
  const counted = code.digits === SHORT_DIGITS;
  if (counted && (await areShortCodesGuessed(tx))) return undefined;
  if (counted && (await isOutOfTries(tx, code.email))) return undefined;
  const source = codeSource(code.email, client);
  if (counted) await countAttempt(source, tx);
  const given = macOf(pepper(), id, code.email, digits.replace(/[\s-]/g, ""));
  const isRight = isSameSecret(given, code.mac);
  if (isRight && counted) await refundAttempt(source, tx);
  return isRight;
}

/**
 * Consumes a correct code and returns its email address, or undefined when a concurrent request was
 * first. Other attempts that share the code end too.
 */
export async function consumeCode(tx: Transaction, purpose: Purpose, id: string) {
  // (a) Only one request consumes a code.
  const row = await queryOne<Row<"OneTimeCode", "email" | "window">>(
    sql`UPDATE one_time_codes SET consumed_at = unix_now(), failures = failures - 1, mac = ''
        WHERE id = ${id} AND purpose = ${purpose}
          AND activated_at IS NOT NULL AND consumed_at IS NULL
        RETURNING email, "window"`,
    tx,
  );
  if (!row) return undefined;
  const { email, window } = row;
  if (window !== null) {
    await tx.oneTimeCode.updateMany({
      where: { purpose, email, window: { not: null }, consumed_at: null },
      data: { activated_at: null, mac: "" },
    });
  }
  return email;
}

/** The stored form of a code. The email and ID bind it to one attempt. */
export function macOf(key: Uint8Array, id: string, email: string, digits: string): string {
  return createHmac("sha256", key).update(`otp:v1\0${id}\0${email}\0${digits}`).digest("hex");
}

/** Keeps someone who has only the table from brute-forcing six digits. */
export function pepper(): Uint8Array {
  return oncePerProcess("accounts.otp-pepper", () =>
    derivedKey(config().agentAuth.secret, "otp:v1"),
  );
}

/** (a) Serializes requests for the codes of an address, and attempts at them, until `tx` ends. */
export async function lockAddress(tx: Transaction, address: Sql): Promise<void> {
  await lockName(tx, "address", sql`(${address})`);
}
