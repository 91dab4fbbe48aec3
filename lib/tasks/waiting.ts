import { announcement } from "@/lib/db/announcements";
import { queryOne, type Statement, sql } from "@/lib/db/sql";

/** The announcement topic for tasks of an organization that become free. */
export function topicOf(organizationId: string): string {
  return `tasks:${organizationId}`;
}

/**
 * A column that notifies waiting workers, for statements that free a task. NOTIFY serializes
 * commits, so it is skipped while nobody waits. A worker that starts waiting at the same moment may
 * miss it and finds the task on its next poll.
 */
export function announceReady(organizationId: Statement): Statement {
  return sql`(SELECT ${announcement(sql`'tasks:' || id`)}::text FROM organizations
    WHERE id = ${organizationId} AND tasks_awaited_until > unix_now()) AS announced`;
}

/**
 * Requests announcements for the organization's tasks during the next `milliseconds`. Returns the
 * milliseconds until the first lease among tasks matching `condition` expires, or null.
 */
export async function requestAnnouncements(
  organizationId: string,
  milliseconds: number,
  condition: Statement,
): Promise<number | null> {
  const next = await queryOne<{ ms: number | null }>(sql`
    WITH awaited AS (
      -- Rounded up generously, so that many waiters share one write.
      UPDATE organizations
      SET tasks_awaited_until = unix_now() + ${Math.ceil(milliseconds / 1000) + 10}::bigint
      WHERE id = ${organizationId}
        AND tasks_awaited_until <= unix_now() + ${Math.ceil(milliseconds / 1000)}::bigint
    )
    SELECT ceil((min(lease_expires_at) - extract(epoch FROM now())) * 1000)::int8 AS ms
    FROM tasks WHERE organization_id = ${organizationId} AND ${condition}`);
  return next?.ms ?? null;
}
