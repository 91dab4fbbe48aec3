import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { CLOCK_TOLERANCE_SECONDS, tokenError } from "./provider-token";

/** Clocks differ between instances, so IDs are kept a little longer than their tokens are valid. */
const MARGIN_SECONDS = 3600;

/**
 * Marks a provider's token as used, in the transaction of its effect: a rollback frees it again.
 * Throws 401 `replay_detected` when it was used before, on any instance.
 */
export async function markTokenUsed(
  db: Transaction,
  iss: string,
  jti: string,
  endsAt: number,
): Promise<void> {
  const expiresAt = Math.min(Math.ceil(endsAt) + CLOCK_TOLERANCE_SECONDS, Number.MAX_SAFE_INTEGER);
  await query(
    sql`DELETE FROM used_token_ids WHERE (iss, jti) IN (
          SELECT iss, jti FROM used_token_ids
          WHERE expires_at < unix_now() - ${MARGIN_SECONDS}::bigint
          LIMIT 10 FOR UPDATE SKIP LOCKED)`,
    db,
  );
  const first = await queryOne(
    sql`INSERT INTO used_token_ids (iss, jti, expires_at) VALUES (${iss}, ${jti}, ${expiresAt})
        ON CONFLICT (iss, jti) DO NOTHING RETURNING jti`,
    db,
  );
  if (!first) throw tokenError("replay_detected", "This token has already been used.");
}

/** Serializes registrations and revocations of a provider's user. */
export async function lockSubject(db: Transaction, iss: string, sub: string): Promise<void> {
  const name = JSON.stringify([iss, sub]);
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 3))`, db);
}
