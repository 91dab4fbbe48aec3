import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { config } from "@/lib/config";
import { type Db, query, queryOne, sql, transaction } from "@/lib/db/sql";
import { ApiError, invalidParam } from "./errors";
import { Answer } from "./operation";
import type { HttpRequest } from "./request";

export const RETENTION_SECONDS = 86_400;

/** The request's `Idempotency-Key`, if it has one. Throws 400 when it is not 1 to 255 printable ASCII. */
export function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidParam(
    "Idempotency-Key",
    "Idempotency-Key must be 1 to 255 printable ASCII characters.",
  );
}

/**
 * Does `work` once for a caller, path and key within 24 hours, and gives its answer again to later
 * requests with the same body. The work and the memory of it are one transaction: a process that
 * dies leaves both or neither. `scope` tells callers apart. Throws 409 while the first still runs
 * and 422 for another body.
 */
export async function idempotent(
  request: { key: string; scope: string; path: string; body: unknown },
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  const id = digest([request.scope, request.path, request.key]);
  const bodyDigest = digest([request.body]);
  return transaction(async (db) => {
    // The lock is tried in a statement of its own, so that the read after it sees what its last holder wrote.
    const lock = await queryOne<{ held: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${id}, 0)) AS held`,
      db,
    );
    if (!lock?.held) {
      throw new ApiError(
        "idempotency_in_progress",
        "A request with this Idempotency-Key is still running. Try again in a moment.",
        { headers: { "Retry-After": "1" } },
      );
    }
    const stored = await queryOne<{ body_digest: string; answer: Buffer }>(
      sql`SELECT body_digest, answer FROM idempotency_records
          WHERE id = ${id} AND created_at > unix_now() - ${RETENTION_SECONDS}`,
      db,
    );
    if (stored) return replay(stored, bodyDigest, id, request.key);

    const answer = await work(db);
    await query(
      sql`INSERT INTO idempotency_records (id, body_digest, answer)
          VALUES (${id}, ${bodyDigest}, ${encrypt(answer, id, request.key)})
          ON CONFLICT (id) DO UPDATE SET
            body_digest = excluded.body_digest, answer = excluded.answer, created_at = unix_now()`,
      db,
    );
    return answer;
  });
}

/** Removes answers whose 24 hours are over, `limit` at most; gives how many. */
export async function removeExpiredAnswers(limit: number): Promise<number> {
  const removed = await query(sql`
    DELETE FROM idempotency_records WHERE id IN (
      SELECT id FROM idempotency_records WHERE created_at <= unix_now() - ${RETENTION_SECONDS}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id`);
  return removed.length;
}

/** Made with the server's secret, so that what another secret has sealed is never found. */
function digest(parts: unknown[]): string {
  return createHmac("sha256", config().serverSecret).update(JSON.stringify(parts)).digest("hex");
}

function replay(
  stored: { body_digest: string; answer: Buffer },
  bodyDigest: string,
  id: string,
  key: string,
): Answer {
  if (stored.body_digest !== bodyDigest) {
    throw new ApiError(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Use a new key for a new request.",
    );
  }
  const { status, headers, body } = decrypt(stored.answer, id, key);
  return new Answer(status, { ...headers, "Idempotency-Replayed": "true" }, body);
}

/**
 * A stored answer may hold a claim token, so it is sealed with a key that needs both the server's
 * secret and the caller's own idempotency key: the table alone gives nothing away.
 */
function encrypt({ status, headers, body }: Answer, id: string, key: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(id, key), nonce);
  const text = JSON.stringify({ status, headers, body });
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(sealed: Buffer, id: string, key: string): Answer {
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(id, key), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
  return JSON.parse(text.toString("utf8"));
}

function sealingKey(id: string, key: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", config().serverSecret, id, `idempotency:${key}`, 32));
}
