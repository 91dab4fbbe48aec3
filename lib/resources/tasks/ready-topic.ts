import { inTurns } from "@/lib/platform/db/batches";
import { queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { publish } from "@/lib/platform/wakeups/pubsub";
import type { Subscription } from "@/lib/resources/wait-for-lease";
import { IS_HELD } from "./filters";

/**
 * Runs a statement that looks for free tasks of an organization. Where few match, each reads all open
 * tasks, so two run at a time, and captures and creates find a connection.
 */
export const lookInTurn = inTurns(2, "Too many workers look for a task. Try again soon.");

/** The topic for tasks of an organization that become free. */
export function readyTopic(organizationId: string): string {
  return `tasks:${organizationId}`;
}

/**
 * A column that publishes the topic, for statements that free a task. NOTIFY serializes commits, so
 * it is skipped while nobody waits. A worker that subscribes at the same moment may miss it; its
 * next poll, soon after, finds the task.
 */
export function publishReady(organizationId: Sql): Sql {
  return sql`(SELECT ${publish(sql`'tasks:' || id`)}::text FROM organizations
    WHERE id = ${organizationId} AND tasks_awaited_until > unix_now()) AS published`;
}

/**
 * Subscribes to the organization's tasks for the next `milliseconds`. Returns the milliseconds
 * until the first current lease of tasks matching `condition` expires, or null, and whether nobody
 * had subscribed.
 */
export async function subscribe(
  organizationId: string,
  milliseconds: number,
  condition: Sql,
): Promise<Subscription> {
  const statement = sql`
    WITH awaited AS (
      -- Rounded up generously, so that many subscribers share one write.
      UPDATE organizations
      SET tasks_awaited_until = unix_now() + ${Math.ceil(milliseconds / 1000) + 10}::bigint
      WHERE id = ${organizationId}
        AND tasks_awaited_until <= unix_now() + ${Math.ceil(milliseconds / 1000)}::bigint
    )
    SELECT (
      SELECT ceil((min(lease_expires_at) - extract(epoch FROM now())) * 1000)::int8
      FROM tasks WHERE organization_id = ${organizationId} AND ${IS_HELD} AND ${condition}
    ) AS next, (
      SELECT tasks_awaited_until <= unix_now() FROM organizations WHERE id = ${organizationId}
    ) AS is_first`;
  const row = await lookInTurn(organizationId, () =>
    queryOne<{ next: number | null; is_first: boolean }>(statement),
  );
  return { next: row?.next ?? null, isFirst: row?.is_first ?? true };
}
