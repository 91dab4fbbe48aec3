import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/db/owned";
import { join, query, type Statement, sql } from "@/lib/db/sql";
import { entityTag } from "@/lib/http/conditional";
import type { Message } from "./contract";

interface ListPage {
  status: Message["status"] | undefined;
  after: string | undefined;
  /** Number of rows. */
  shown: number;
}

/** A tag that changes whenever a row of the list does. */
export async function listVersion(
  caller: Caller,
  { status, after, shown }: ListPage,
): Promise<string> {
  const conditions = [ownedBy(organizationOf(caller))];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (after !== undefined) conditions.push(sql`id < ${after}`);
  const rows = await query(sql`
    SELECT id, revision FROM scheduled_messages WHERE ${join(conditions, " AND ")}
    ORDER BY ${NEWEST_OWNED} LIMIT ${shown}`);
  return entityTag(JSON.stringify(rows));
}

/** The number of messages in each status; statuses without messages are omitted. */
export async function countByStatus(
  caller: Caller,
): Promise<Partial<Record<Message["status"], number>>> {
  const rows = await query<{ status: Message["status"]; count: number }>(sql`
    SELECT status, count(*) FROM scheduled_messages
    WHERE organization_id = ${organizationOf(caller)} GROUP BY status`);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/**
 * The messages of an organization with a status, ordered by `id`. The IDs come from the index alone:
 * for whole rows the planner may walk all of the organization's when others have many with the status.
 */
export function inStatus(
  organizationId: string,
  status: Message["status"],
): { source: Statement; id: Statement } {
  return {
    source: sql`
      (SELECT id AS listed_id FROM scheduled_messages
       WHERE organization_id = ${organizationId} AND status = ${status}) AS listed
      CROSS JOIN LATERAL
      (SELECT * FROM scheduled_messages WHERE id = listed_id OFFSET 0) AS scheduled_messages`,
    id: sql`listed_id`,
  };
}
