import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull, Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { query, sql } from "@/lib/platform/db/sql";
import { hostOf } from "@/lib/resources/messages/target";

/** An endpoint's events in figures, and what becomes of them. */
export interface LastEvent {
  event_count: number;
  /** Captures of each of the last 24 clock hours, oldest first. */
  hours: number[];
  /** The inbox or URL to which it forwards. */
  forward: string | null;
  isVerified: boolean;
  /** Captures of the last day without a valid signature. */
  failedChecks: number;
  /** Failed attempts of the last day to deliver to the URL. */
  failedAttempts: number;
  /** Null if it has no events. */
  last: { method: string; received_at: number } | null;
}

/** Keyed by ID, for endpoints of the caller's organization; one index lookup each. */
export async function lastEvents(
  caller: Caller,
  endpointIds: readonly string[],
): Promise<Map<string, LastEvent>> {
  const ofLastDay = sql`organization_id = ${organizationOf(caller)} AND hour > unix_now() / 3600 - 24`;
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
    queryShown<Flow>(sql`
      SELECT e.id, coalesce(f.inbox_id, f.url) AS forward, c.endpoint_id IS NOT NULL AS is_verified,
             coalesce(unverified.count, 0) AS failed_checks, failing.hosts AS failed_attempts
      FROM webhook_endpoints e
      LEFT JOIN webhook_forwards f ON f.endpoint_id = e.id
      LEFT JOIN webhook_verifications c ON c.endpoint_id = e.id
      LEFT JOIN (SELECT endpoint_id, sum(count)::bigint AS count FROM signature_failures
                 WHERE ${ofLastDay} AND endpoint_id = ANY (${endpointIds}) GROUP BY endpoint_id) AS unverified ON unverified.endpoint_id = e.id
      LEFT JOIN (SELECT source, json_object_agg(host, failed) AS hosts
                 FROM (SELECT source, host, sum(failed)::bigint AS failed FROM delivery_flows
                       WHERE ${ofLastDay} AND source = ANY (${endpointIds}) AND failed > 0
                       GROUP BY source, host) AS flow
                 GROUP BY source) AS failing ON failing.source = e.id
      WHERE e.id = ANY (${endpointIds})`),
  ]);
  const flowOf = new Map(flows.map((flow) => [flow.id, flowIn(flow)]));
  return new Map(
    rows.map(({ id, event_count, hourly, first, ...last }) => [
      id,
      {
        event_count,
        hours: hoursOf(hourly, first),
        ...(flowOf.get(id) ?? NO_FLOW),
        last: last.method === null ? null : last,
      },
    ]),
  );
}

const NO_FLOW = { forward: null, isVerified: false, failedChecks: 0, failedAttempts: 0 };

interface Flow {
  id: string;
  forward: string | null;
  is_verified: boolean;
  failed_checks: number;
  /** By host, also those of replays to other hosts. */
  failed_attempts: Record<string, number> | null;
}

function flowIn({ forward, is_verified, failed_checks, failed_attempts }: Flow) {
  const host = forward !== null && URL.canParse(forward) ? hostOf(forward) : "";
  return {
    forward,
    isVerified: is_verified,
    failedChecks: is_verified ? failed_checks : 0,
    failedAttempts: failed_attempts?.[host] ?? 0,
  };
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
