import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull, Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
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
  const [rows, flows] = await Promise.all([
    queryShown<
      { id: string; first: number } & Row<"EndpointState", "event_count" | "hourly"> &
        OrNull<Row<"WebhookEvent", "method" | "received_at">>
    >(sql`
      SELECT e.endpoint_id AS id, e.event_count, e.hourly, unix_now() / 3600 - 23 AS first,
             last.method, last.received_at
      FROM endpoint_state e LEFT JOIN LATERAL (
        SELECT v.method, v.received_at FROM webhook_events v
        WHERE v.endpoint_id = e.endpoint_id AND v.id > e.gone_up_to ORDER BY v.id DESC LIMIT 1
      ) AS last ON true
      WHERE e.endpoint_id = ANY (${endpointIds}) AND e.organization_id = ${organizationOf(caller)}`),
    // On a distributed database these tables are not beside those above.
    queryShown<{ id: string; forward: string | null; is_verified: boolean }>(sql`
      SELECT e.id, coalesce(f.inbox_id, f.url) AS forward, c.endpoint_id IS NOT NULL AS is_verified
      FROM webhook_endpoints e
      LEFT JOIN webhook_forwards f ON f.endpoint_id = e.id
      LEFT JOIN webhook_verifications c ON c.endpoint_id = e.id
      WHERE e.id = ANY (${endpointIds})`),
  ]);
  const flowOf = new Map(flows.map(({ id, ...flow }) => [id, flow]));
  return new Map(
    rows.map(({ id, event_count, hourly, first, ...last }) => [
      id,
      {
        event_count,
        hours: hoursOf(hourly, first),
        forward: flowOf.get(id)?.forward ?? null,
        isVerified: flowOf.get(id)?.is_verified ?? false,
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
