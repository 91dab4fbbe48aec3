import { type Db, query, queryOne, sql } from "@/lib/db/sql";
import { CLOCK_TOLERANCE_SECONDS, refused } from "./provider-token";

/** Clocks differ: an ID is kept a little longer than its token can be valid by any of them. */
const MARGIN_SECONDS = 3600;

/**
 * Marks a provider's token as used, in the transaction of what it does: what is rolled back frees
 * it. Throws 401 `replay_detected` when it was used before, on any instance.
 */
export async function markTokenUsed(
  db: Db,
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
  if (!first) throw refused("replay_detected", "This token has been used already.");
}

/** One at a time for a provider's user: registrations and revocations of it take turns. */
export async function lockSubject(db: Db, iss: string, sub: string): Promise<void> {
  const name = JSON.stringify([iss, sub]);
  await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 3))`, db);
}
