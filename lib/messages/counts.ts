import { organizationOf } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { query, sql } from "@/lib/db/sql";
import type { Message } from "./contract";

/** How many messages of the caller's organization are in each state; a state without any is left out. */
export async function countByStatus(
  caller: Caller,
): Promise<Partial<Record<Message["status"], number>>> {
  const rows = await query<{ status: Message["status"]; count: number }>(sql`
    SELECT status, count(*) FROM scheduled_messages
    WHERE organization_id = ${organizationOf(caller)} GROUP BY status`);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
