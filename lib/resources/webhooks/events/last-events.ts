import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull, Row } from "@/lib/platform/db/columns";
import { query, sql } from "@/lib/platform/db/sql";

/** An endpoint's events in figures, and what becomes of them. */
export interface LastEvent {
  event_count: number;
  /** Captures of each of the last 24 clock hours, oldest first. */
  hours: number[];
  /** The inbox or URL to which it forwards. */
  forward: string | null;
  isVerified: boolean;
  /** Null if it has no events. */
  last: { method: string; received_at: number } | null;
}

/** Keyed by ID, for endpoints of the caller's organization; one index lookup each. */
export async function lastEvents(
  caller: Caller,
  endpointIds: readonly string[],
): Promise<Map<string, LastEvent>> {
  const rows = await query<
    { id: string; first: number; forward: string | null; is_verified: boolean } & Row<
      "EndpointState",
      "event_count" | "hourly"
    > &
      OrNull<Row<"WebhookEvent", "method" | "received_at">>
  >(sql`
    SELECT e.endpoint_id AS id, e.event_count, e.hourly, unix_now() / 3600 - 23 AS first,
           last.method, last.received_at,
           (SELECT coalesce(inbox_id, url) FROM webhook_forwards f
            WHERE f.endpoint_id = e.endpoint_id) AS forward,
           EXISTS (SELECT FROM webhook_verifications c
                   WHERE c.endpoint_id = e.endpoint_id) AS is_verified
    FROM endpoint_state e LEFT JOIN LATERAL (
      SELECT v.method, v.received_at FROM webhook_events v
      WHERE v.endpoint_id = e.endpoint_id AND v.id > e.gone_up_to ORDER BY v.id DESC LIMIT 1
    ) AS last ON true
    WHERE e.endpoint_id = ANY (${endpointIds}) AND e.organization_id = ${organizationOf(caller)}`);
  return new Map(
    rows.map(({ id, event_count, hourly, first, forward, is_verified, ...last }) => [
      id,
      {
        event_count,
        hours: hoursOf(hourly, first),
        forward,
        isVerified: is_verified,
        last: last.method === null ? null : last,
      },
    ]),
  );
}

/** The counts of 24 hours from `first`. A slot is an hour's number, shifted by 32 bits, and its count. */
function hoursOf(hourly: bigint[], first: number): number[] {
  const counts = new Map(
    hourly.map(Number).map((slot) => [Math.floor(slot / 2 ** 32) - first, slot % 2 ** 32]),
  );
  return Array.from({ length: 24 }, (_, hour) => counts.get(hour) ?? 0);
}

/** The owner and the newest event of each endpoint that exists, as a text; one index lookup each. */
export async function newestEvents(endpointIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ endpoint_id: string; newest: string }>(sql`
    SELECT e.endpoint_id, concat_ws('/', e.organization_id, last.id) AS newest
    FROM endpoint_state e LEFT JOIN LATERAL (
      SELECT v.id FROM webhook_events v
      WHERE v.endpoint_id = e.endpoint_id ORDER BY v.id DESC LIMIT 1
    ) AS last ON true
    WHERE e.endpoint_id = ANY (${[...new Set(endpointIds)]})`);
  return new Map(rows.map(({ endpoint_id, newest }) => [endpoint_id, newest]));
}
