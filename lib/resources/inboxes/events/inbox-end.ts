import { type Sql, sql } from "@/lib/platform/db/sql";
import { DEAD } from "./state";

/** How an event that forwards a captured one left its inbox, as recorded at the captured event. */
export interface InboxEnd {
  outcome: "acknowledged" | "replied" | "deleted" | "expired";
  /** Unix seconds. */
  at: number;
  /** True if it was dead by then. */
  was_dead: boolean;
  /** The last consumer to receive it. */
  consumer: string | null;
  deliveries: number;
  /** The first 1000 characters. */
  last_error: string | null;
}

/**
 * For the RETURNING list of a `DELETE FROM inbox_events AS event`: records the end at the captured
 * event, in the same statement. Free for events that were not captured.
 */
export function recordedEnd(outcome: InboxEnd["outcome"]): Sql {
  const at = outcome === "expired" ? sql`event.expires_at` : sql`unix_now()`;
  return sql`CASE WHEN event.webhook_endpoint_id IS NOT NULL THEN record_inbox_end(
    event.inbox_id, event.id, event.webhook_endpoint_id, ${outcome}, ${at}, ${wasDead(outcome)},
    event.consumer, event.delivery_count, event.last_error)::text END`;
}

/** An expired event has lapsed too. It was dead only if it lapsed before it expired. */
function wasDead(outcome: InboxEnd["outcome"]): Sql {
  return outcome === "expired"
    ? sql`(event.visible_at = 'infinity' OR event.lapses_at < to_timestamp(event.expires_at))`
    : DEAD;
}
