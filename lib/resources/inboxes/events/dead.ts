import { type Sql, sql } from "@/lib/platform/db/sql";
import { recordChanges } from "@/lib/resources/change";

/** The header in which a pushed change carries its subscription. */
export const SUBSCRIPTION_HEADER = "subscription-id";

/**
 * An `INSERT` that records a change of the inbox for each of its events in `rows` that died; they
 * have the columns `inbox_id`, `organization_id` and `headers`. Pushed changes are excluded:
 * recording their death would push another change, which could die too, without end.
 */
export function recordDeadEvents(rows: Sql, actor: string | null): Sql {
  const own = sql`(
    SELECT event.inbox_id AS id, event.organization_id FROM ${rows} AS event
    WHERE NOT EXISTS (
      SELECT FROM subscriptions
      WHERE subscriptions.organization_id = event.organization_id
        AND subscriptions.id = event.headers::json->>${SUBSCRIPTION_HEADER}))`;
  return recordChanges("inboxes", "event_dead", own, actor);
}
