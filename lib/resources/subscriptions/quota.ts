import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { SUBSCRIPTIONS_MAX } from "./contract";

/** One whose time is over may still wait for its deletion. */
export const LASTS = sql`(expires_at IS NULL OR expires_at > unix_now())`;

/** Throws `code` if the organization has as many subscriptions, to changes and events, as it can have. */
export async function assertQuota(
  organizationId: string,
  code: "invalid_param" | "rate_limited",
  db: Transaction,
): Promise<void> {
  // Makes concurrent creates count in sequence.
  await lockOrganizations(db, sql`${organizationId}`);
  const row = await queryOne<{ count: number }>(
    sql`SELECT count(*) FROM subscriptions
        WHERE organization_id = ${organizationId} AND ${LASTS}`,
    db,
  );
  if ((row?.count ?? 0) < SUBSCRIPTIONS_MAX) return;
  const message = `An organization can have at most ${SUBSCRIPTIONS_MAX} subscriptions.`;
  throw new ApiError(code, message);
}
