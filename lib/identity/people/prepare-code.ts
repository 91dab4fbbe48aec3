import { createHmac, randomInt } from "node:crypto";
import { unixNow } from "@/lib/platform/db/clock";
import { newId } from "@/lib/platform/db/ids";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { sql, type Transaction } from "@/lib/platform/db/sql";
import { type CodeRequester, codeSource } from "./code-source";
import { lockAddress, macOf, pepper } from "./otp";
import {
  allowsShortCode,
  LONG_DIGITS,
  type MailWait,
  mayMailShared,
  type Purpose,
  SHORT_DIGITS,
  tooManyMails,
  waitForMail,
} from "./otp-limits";

export const CODE_SECONDS = 600;
/** A shared code is mailed once in a window, and is valid for `CODE_SECONDS` from then on. */
export const WINDOW_SECONDS = CODE_SECONDS / 2;
/** If a mail takes longer, its process may have died, so the next request sends the same code again. */
const MAILING_SECONDS = 60;
/** Codes are kept for as long as the longest of `SHORT_CODE_LIMITS` counts them. */
export const CODE_KEPT_SECONDS = 2_592_000;

export interface Code {
  id: string;
  /** To be mailed, never stored. Null if the shared code was already mailed. */
  digits: string | null;
  /** True if the code completes every attempt for this address while it is valid. */
  isShared: boolean;
  expiresAt: number;
}

/**
 * Prepares a code to be mailed to `email` with `mailCode`. It works only after `activateCode`. Each
 * `subject` has one active code. `tx` is a transaction.
 * Throws 429 when agents on the client's network have requested too many codes for this address.
 */
export async function prepareCode(
  tx: Transaction,
  wanted: { purpose: Purpose; subject?: string; email: string; client: CodeRequester },
): Promise<Code> {
  const { purpose, email, client } = wanted;
  const source = codeSource(email, client);
  const code = { purpose, email, source, subject: wanted.subject };
  // Serializes requests for one address, so that the limits hold.
  await lockAddress(tx, sql`SELECT ${email}::text AS email`);
  const wait = await waitForMail(tx, { purpose, email, source });
  if (wait !== undefined && purpose === "claim") throw tooManyMails(wait);
  const all = { purpose, email, window: null };
  const isWithinQuota = wait === undefined && (await waitForMail(tx, all)) === undefined;
  return isWithinQuota ? createCode(tx, code) : createSharedCode(tx, code, wait);
}

interface CodeRequest {
  purpose: Purpose;
  subject: string | undefined;
  email: string;
  source: string;
}

async function createCode(tx: Transaction, code: CodeRequest): Promise<Code> {
  const length = (await allowsShortCode(tx, code)) ? SHORT_DIGITS : LONG_DIGITS;
  const digits = String(randomInt(10 ** length)).padStart(length, "0");
  const now = await unixNow(tx);
  const expiresAt = now + CODE_SECONDS;
  const id = await insert(tx, { ...code, digits, now, expiresAt, window: null });
  return { id, expiresAt, digits, isShared: false };
}

/**
 * Derives the window's digits from the address and the secret, so that they need not be stored.
 * Once they have been used, the window's next digits differ and are mailed. `wait` is set when the
 * requester has used up its network's mails; then throws 429 if the address's are used up too.
 */
async function createSharedCode(
  tx: Transaction,
  code: CodeRequest,
  wait: MailWait | undefined,
): Promise<Code> {
  const { purpose, email } = code;
  const now = await unixNow(tx);
  const window = Math.floor(now / WINDOW_SECONDS);
  const sharing = { purpose, email, window };
  const emails = { in: [email, forgotten(email)] };
  const uses = await tx.oneTimeCode.count({
    where: { ...sharing, email: emails, consumed_at: { not: null } },
  });
  // Of the request that sends the mail. The codes of later ones end with it, and work at once.
  const first = await tx.oneTimeCode.findFirst({
    where: { ...sharing, mac: { not: "" } },
    orderBy: [{ expires_at: "desc" }, { created_at: "asc" }, { id: "asc" }],
    select: { expires_at: true, created_at: true, activated_at: true },
  });
  const isMailing = first && first.created_at > now - MAILING_SECONDS;
  const mailed = first?.activated_at != null || isMailing ? first : null;
  if (wait !== undefined && !mailed && !(await mayMailShared(tx, purpose, email))) {
    throw tooManyMails(wait);
  }
  const digest = createHmac("sha256", pepper())
    .update(`otp-shared:v1\0${purpose}\0${email}\0${window}\0${uses}`)
    .digest();
  const digits = String(digest.readBigUInt64BE() % BigInt(10 ** LONG_DIGITS)).padStart(
    LONG_DIGITS,
    "0",
  );
  const expiresAt = mailed?.expires_at ?? now + CODE_SECONDS;
  const id = await insert(tx, { ...code, digits, now, expiresAt, window });
  return { id, expiresAt, digits: mailed ? null : digits, isShared: true };
}

/**
 * Stands for an address where its account may be deleted before the row. In used codes it replaces the
 * address, so that no later code has the same digits.
 */
export function forgotten(email: string): string {
  return createHmac("sha256", pepper()).update(`otp-forgotten:v1\0${email}`).digest("hex");
}

async function insert(
  tx: Transaction,
  code: CodeRequest & { digits: string; now: number; expiresAt: number; window: number | null },
): Promise<string> {
  const { purpose, email, source, digits, window } = code;
  const id = newId(purpose === "claim" ? "cla" : "sgn");
  await tx.oneTimeCode.create({
    data: {
      id,
      purpose,
      subject: code.subject ?? id,
      email,
      source,
      mac: macOf(pepper(), id, email, digits),
      digits: digits.length,
      window,
      created_at: code.now,
      expires_at: code.expiresAt,
    },
    select: { id: true },
  });
  return id;
}

/** Deletes up to `limit` codes that no limit counts any more, and returns their number. */
export function removeOldCodes(limit: number): Promise<number> {
  const where = sql`created_at < unix_now() - ${CODE_KEPT_SECONDS}::bigint`;
  return removeRows({ table: sql`one_time_codes`, where }, limit);
}
