import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull, Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { query, sql } from "@/lib/platform/db/sql";

/** An endpoint's event count and latest event. */
export interface LastEvent {
  event_count: number;
  /** Null if it has no events. */
  last: { method: string; received_at: number } | null;
}

/** Keyed by ID, for endpoints of the caller's organization; one index lookup each. */
export async function lastEvents(
  caller: Caller,
  endpointIds: readonly string[],
): Promise<Map<string, LastEvent>> {
  const rows = await queryShown<
    { id: string } & Row<"EndpointState", "event_count"> &
      OrNull<Row<"WebhookEvent", "method" | "received_at">>
  >(sql`
    SELECT e.endpoint_id AS id, e.event_count, last.method, last.received_at
    FROM endpoint_state e LEFT JOIN LATERAL (
      SELECT v.method, v.received_at FROM webhook_events v
      WHERE v.endpoint_id = e.endpoint_id AND v.id > e.gone_up_to ORDER BY v.id DESC LIMIT 1
    ) AS last ON true
    WHERE e.endpoint_id = ANY (${endpointIds}) AND e.organization_id = ${organizationOf(caller)}`);
  return new Map(
    rows.map(({ id, event_count, ...last }) => [
      id,
      { event_count, last: last.method === null ? null : last },
    ]),
  );
}

/** The owner and the newest event of each endpoint that exists, as a text; one index lookup each. */
export async function newestEvents(endpointIds: readonly string[]): Promise<Map<string, string>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await query<{ endpoint_id: string; newest: string }>(sql`
    SELECT e.endpoint_id, concat_ws('/', e.organization_id, last.id) AS newest
    FROM endpoint_state e LEFT JOIN LATERAL (
      SELECT v.id FROM webhook_events v
      WHERE v.endpoint_id = e.endpoint_id ORDER BY v.id DESC LIMIT 1
    ) AS last ON true
    WHERE e.endpoint_id = ANY (${[...new Set(endpointIds)]})`);
  return new Map(rows.map(({ endpoint_id, newest }) => [endpoint_id, newest]));
}
