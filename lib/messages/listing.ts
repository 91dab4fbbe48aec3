import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { join, query, sql } from "@/lib/db/sql";
import { entityTag } from "@/lib/http/conditional";
import type { Message } from "./contract";

interface Listed {
  status: Message["status"] | undefined;
  after: string | undefined;
  /** How many rows. */
  shown: number;
}

/** One line that changes when a row of such a list comes, goes or becomes another. */
export async function markOf(caller: Caller, { status, after, shown }: Listed): Promise<string> {
  const conditions = [sql`organization_id = ${organizationOf(caller)}`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (after !== undefined) conditions.push(sql`id < ${after}`);
  const rows = await query(sql`
    SELECT id, revision FROM scheduled_messages WHERE ${join(conditions, " AND ")}
    ORDER BY id DESC LIMIT ${shown}`);
  return entityTag(JSON.stringify(rows));
}

/** How many messages of the caller's organization are in each state; a state without any is left out. */
export async function countByStatus(
  caller: Caller,
): Promise<Partial<Record<Message["status"], number>>> {
  const rows = await query<{ status: Message["status"]; count: number }>(sql`
    SELECT status, count(*) FROM scheduled_messages
    WHERE organization_id = ${organizationOf(caller)} GROUP BY status`);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
