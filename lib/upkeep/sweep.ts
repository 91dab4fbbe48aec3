import { removeEndedShares } from "@/lib/artifacts/shares";
import { removeOldChanges } from "@/lib/changes/remove-old";
import { kinds } from "@/lib/claims/kinds";
import { config } from "@/lib/config/config";
import { queryOne, sql } from "@/lib/db/sql";
import { removeExpiredAnswers } from "@/lib/http/idempotency";
import { removeOldCounters } from "@/lib/http/limits";
import { removeExpiredEvents } from "@/lib/inboxes/events/expire";
import { removeOldForwards } from "@/lib/messages/forwards";
import { removeOldPushes } from "@/lib/messages/pushes";
import { removeUnusedClients } from "@/lib/oauth/clients";
import { removeEndedGrants } from "@/lib/oauth/grant";

const INTERVAL_SECONDS = 60;
const BATCH = 500;
const SECONDS_PER_DAY = 86_400;

/** Each deletes up to `limit` expired rows and returns their number. */
const sweepers: Array<(limit: number) => Promise<number>> = [
  ...kinds.map((kind) => async (limit: number) => {
    const days = config().publicResourceTtlDays;
    return days === 0 ? 0 : kind.removeUnclaimed(days * SECONDS_PER_DAY, limit);
  }),
  removeOldChanges,
  removeExpiredEvents,
  removeEndedShares,
  removeOldForwards,
  removeOldPushes,
  removeEndedGrants,
  removeUnusedClients,
  removeExpiredAnswers,
  removeOldCounters,
];

/** Deletes expired rows in small batches, at most once a minute across all instances. */
export async function sweep(): Promise<void> {
  const turn = await queryOne(sql`
    UPDATE dispatch_state SET last_sweep_at = unix_now()
    WHERE last_sweep_at IS NULL OR last_sweep_at <= unix_now() - ${INTERVAL_SECONDS}
    RETURNING id`);
  if (!turn) return;
  for (const remove of sweepers) await remove(BATCH);
}
