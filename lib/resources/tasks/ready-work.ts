import { microsecondsOf } from "@/lib/platform/db/ids";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { LISTENING_PAUSE_MS } from "@/lib/platform/wakeups/pubsub";
import { IS_BLOCKED, MAY_BE_READY, WAITING } from "./blocked";
import { IS_HELD } from "./filters";
import type { LeaseNext } from "./lease-contract";
import { matchesLabels } from "./lease-next";
import { lookInTurn } from "./ready-topic";

/**
 * How many tasks of an organization lease-next could lease, up to `max`; when the newest of them
 * was created or changed or its lease ended, in microseconds; and as `next`, in how many
 * milliseconds to look again. Each earlier lease adds a microsecond, because a release changes
 * nothing else. `next` is when the next lease ends, or sooner: nothing announces that a lease was
 * shortened, nor a change of the organization that a blocker without an owner is done. It is null
 * if no task is leased or waits for a blocker.
 */
export async function readyTasks(
  organizationId: string,
  labels: Pick<LeaseNext, "labels" | "not_labels">,
  max: number,
) {
  const statement = sql`
    SELECT count(*), max(since) * 1000000 AS newest, max(id) AS last,
           sum(fencing_token)::int8 AS leases, (
      SELECT ceil((min(lease_expires_at) - extract(epoch FROM now())) * 1000)::int8 FROM tasks
      WHERE organization_id = ${organizationId} AND ${IS_HELD} AND ${matchesLabels(labels)}
    ) AS next, EXISTS (
      SELECT FROM tasks WHERE organization_id = ${organizationId} AND ${WAITING}
    ) AS is_waiting
    FROM (SELECT id, fencing_token, greatest(updated_at, coalesce(lease_expires_at, 0)) AS since FROM tasks
          WHERE organization_id = ${organizationId} AND NOT ${IS_HELD} AND ${matchesLabels(labels)}
            AND ${MAY_BE_READY} AND NOT ${IS_BLOCKED}
          ORDER BY priority, due_at, id LIMIT ${max}) AS ready`;
  const row = await lookInTurn(organizationId, () =>
    queryOne<{
      count: number;
      newest: number | null;
      last: string | null;
      leases: number | null;
      next: number | null;
      is_waiting: boolean;
    }>(statement),
  );
  // Within a second, the ID tells which task is newer.
  const newest = Math.max(row?.newest ?? 0, microsecondsOf(row?.last ?? ""));
  const next = row?.next ?? null;
  return {
    count: row?.count ?? 0,
    newest: newest + ((row?.leases ?? 0) % 1_000_000),
    next:
      next !== null || row?.is_waiting
        ? Math.min(next ?? LISTENING_PAUSE_MS, LISTENING_PAUSE_MS)
        : null,
  };
}
