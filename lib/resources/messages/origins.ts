import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";

/** What made a message, and how long its last attempt took. */
export type MessageOrigin = Row<"ScheduledMessage", "id" | "schedule_id" | "subscription_id"> & {
  /** The endpoint whose event it forwards or replays. */
  endpoint_id: string | null;
  is_replay: boolean;
  duration_ms: number | null;
};

/** Keyed by ID, for messages of the caller's organization; two index lookups each. */
export async function originsOf(
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, MessageOrigin>> {
  if (ids.length === 0) return new Map();
  const rows = await queryShown<MessageOrigin>(sql`
    SELECT message.id, message.schedule_id, message.subscription_id,
           coalesce(message.webhook_endpoint_id, message.replayed_endpoint_id) AS endpoint_id,
           message.replayed_endpoint_id IS NOT NULL AS is_replay,
           (SELECT attempt.duration_ms FROM message_attempts AS attempt
            WHERE attempt.message_id = message.id ORDER BY attempt.id DESC LIMIT 1) AS duration_ms
    FROM scheduled_messages AS message
    WHERE message.id = ANY (${ids}::text[]) AND message.organization_id = ${organizationOf(caller)}`);
  return new Map(rows.map((row) => [row.id, row]));
}
