import { lockName } from "@/lib/platform/db/name-lock";
import { prisma } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { sql, type Transaction } from "@/lib/platform/db/sql";
import { CLOCK_TOLERANCE_SECONDS, tokenError } from "./provider-token";

/** Clocks differ between instances, so IDs are kept a little longer than their tokens are valid. */
const MARGIN_SECONDS = 3600;

/** Throws 401 `replay_detected` for a provider's token that was used before. `markTokenUsed` decides races. */
export async function assertUnused(iss: string, jti: string): Promise<void> {
  const one = { where: { iss_jti: { iss, jti } }, select: { jti: true } } as const;
  if (await prisma.usedTokenId.findUnique(one)) throw alreadyUsed();
}

/**
 * Marks a provider's token as used, in the transaction of its effect, so that a rollback frees it.
 * Throws 401 `replay_detected` if any instance has seen it before.
 */
export async function markTokenUsed(
  tx: Transaction,
  iss: string,
  jti: string,
  endsAt: number,
): Promise<void> {
  const expiresAt = Math.min(Math.ceil(endsAt) + CLOCK_TOLERANCE_SECONDS, Number.MAX_SAFE_INTEGER);
  const where = sql`expires_at < unix_now() - ${MARGIN_SECONDS}::bigint`;
  await removeRows({ table: sql`used_token_ids`, key: sql`iss, jti`, where }, 10, tx);
  const { count } = await tx.usedTokenId.createMany({
    data: { iss, jti, expires_at: expiresAt },
    skipDuplicates: true,
  });
  if (count === 0) throw alreadyUsed();
}

/** (a) Serializes registrations and revocations of a provider's user. */
export async function lockSubject(tx: Transaction, iss: string, sub: string): Promise<void> {
  await lockName(tx, "subject", JSON.stringify([iss, sub]));
}

function alreadyUsed() {
  return tokenError("replay_detected", "This token has already been used.");
}
