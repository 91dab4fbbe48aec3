import type { Models } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { LIFETIME_SECONDS_MAX } from "./id-jag";
import type { Logout } from "./logout-token";
import { tokenError } from "./provider-token";

/** Longer than any assertion issued before the revocation is valid, even where clocks differ. */
const KEPT_SECONDS = 2 * LIFETIME_SECONDS_MAX;

/**
 * Records the revocation of a provider's user, whether or not they are known here, and returns its
 * time: that of the provider's clock, if it is ahead of ours, since assertions have that too. `tx` is a
 * transaction that has called `lockSubject`.
 */
export async function recordRevocation(
  tx: Transaction,
  { iss, sub, iat }: Pick<Logout, "iss" | "sub" | "iat">,
): Promise<number> {
  // (a) A later token of a clock that is behind lets in nothing that an earlier one shut out.
  const recorded = await queryOne<{ revoked_at: number }>(
    sql`INSERT INTO revoked_subjects AS known (iss, sub, revoked_at)
        VALUES (${iss}, ${sub}, greatest(unix_now(), ${Math.ceil(iat)}::bigint))
        ON CONFLICT (iss, sub) DO UPDATE SET
          revoked_at = greatest(known.revoked_at, excluded.revoked_at)
        RETURNING revoked_at`,
    tx,
  );
  if (!recorded) throw new Error("A revocation was not recorded.");
  return recorded.revoked_at;
}

/**
 * Throws 401 `expired` for an assertion issued before its user was revoked. A transaction that has called
 * `lockSubject` decides races.
 */
export async function assertIssuedSince(
  db: Models,
  { iss, sub, iat }: { iss: string; sub: string; iat: number },
): Promise<void> {
  const one = { where: { iss_sub: { iss, sub } }, select: { revoked_at: true } } as const;
  const subject = await db.revokedSubject.findUnique(one);
  // A server of the previous version writes only this one.
  const delegation = await db.delegation.findUnique(one);
  if (iat >= Math.max(subject?.revoked_at ?? 0, delegation?.revoked_at ?? 0)) return;
  throw tokenError("expired", "The assertion was issued before the user's access was revoked.");
}

/** Deletes up to `limit` revocations that no valid assertion precedes, and returns their number. */
export function removeOldRevocations(limit: number): Promise<number> {
  const where = sql`revoked_at <= unix_now() - ${KEPT_SECONDS}::bigint`;
  return removeRows({ table: sql`revoked_subjects`, key: sql`iss, sub`, where }, limit);
}
