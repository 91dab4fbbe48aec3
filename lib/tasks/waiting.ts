import { announcement } from "@/lib/db/announcements";
import { queryOne, type Statement, sql } from "@/lib/db/sql";

/** Under this topic it is announced that tasks of an organization may be leased. */
export function topicOf(organizationId: string): string {
  return `tasks:${organizationId}`;
}

/**
 * A column for a statement that makes a task of `organizationId` ready: notifies waiting workers.
 * An announcement costs a commit of its own kind, so none is made while nobody waits. A worker that
 * begins to wait at this very moment may miss it, and finds the task when it looks again.
 */
export function announceReady(organizationId: Statement): Statement {
  return sql`(SELECT ${announcement(sql`'tasks:' || id`)}::text FROM organizations
    WHERE id = ${organizationId} AND tasks_awaited_until > unix_now()) AS announced`;
}

/**
 * Asks those who make tasks of the organization ready to announce it, for the next `milliseconds`.
 * Gives when the first lease of a task that fulfils `condition` ends, in milliseconds from now; null
 * when there is none.
 */
export async function announceTo(
  organizationId: string,
  milliseconds: number,
  condition: Statement,
): Promise<number | null> {
  const next = await queryOne<{ ms: number | null }>(sql`
    WITH awaited AS (
      -- A little more than needed, so that many who wait write it once.
      UPDATE organizations
      SET tasks_awaited_until = unix_now() + ${Math.ceil(milliseconds / 1000) + 10}::bigint
      WHERE id = ${organizationId}
        AND tasks_awaited_until <= unix_now() + ${Math.ceil(milliseconds / 1000)}::bigint
    )
    SELECT ceil((min(lease_expires_at) - extract(epoch FROM now())) * 1000)::int8 AS ms
    FROM tasks WHERE organization_id = ${organizationId} AND ${condition}`);
  return next?.ms ?? null;
}
