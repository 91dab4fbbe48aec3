import type { Caller } from "@/lib/caller";
import { query, sql } from "@/lib/db/sql";
import { startOfEvents } from "@/lib/webhooks/events/filter";
import { FORWARD_COLUMNS, type ForwardRow } from "@/lib/webhooks/events/serialize";
import { findEndpoint } from "@/lib/webhooks/service";

export const RECENT_EVENTS = 100;

/** The outcomes of an endpoint's newest events, as numbers of events. */
export interface Outcomes {
  verified: Tally;
  not_verified: Tally;
  forwarded: Tally;
  held: Tally;
  skipped: Tally;
  failed: Tally;
}

interface Tally {
  count: number;
  /** Numbers of events by reason, for those that have one. */
  reasons: Record<string, number>;
}

/** The outcomes of the newest `RECENT_EVENTS` events. Throws 404 and 403. */
export async function recentOutcomes(caller: Caller, id: string): Promise<Outcomes> {
  const endpoint = await findEndpoint(caller, id);
  const rows = await query<Row>(sql`
    SELECT verified, verification_reason, forward_status, forward_reason, count(*)
    FROM (SELECT verified, verification_reason, ${FORWARD_COLUMNS} FROM webhook_events
          WHERE endpoint_id = ${endpoint.id}
            AND id > ${startOfEvents(endpoint)}
          ORDER BY id DESC LIMIT ${RECENT_EVENTS}) AS recent
    GROUP BY verified, verification_reason, forward_status, forward_reason
    ORDER BY count DESC`);
  const withStatus = (status: Row["forward_status"]) =>
    tally(
      rows.filter((row) => row.forward_status === status),
      (row) => row.forward_reason,
    );
  return {
    verified: tally(rows.filter(({ verified }) => verified === true)),
    not_verified: tally(
      rows.filter(({ verified }) => verified === false),
      (row) => row.verification_reason,
    ),
    forwarded: withStatus("forwarded"),
    held: withStatus("held"),
    skipped: withStatus("skipped"),
    failed: withStatus("failed"),
  };
}

interface Row extends Pick<ForwardRow, "forward_status" | "forward_reason"> {
  verified: boolean | null;
  verification_reason: string | null;
  count: number;
}

function tally(rows: Row[], reasonOf: (row: Row) => string | null = () => null): Tally {
  const sum: Tally = { count: 0, reasons: {} };
  for (const row of rows) {
    sum.count += row.count;
    const reason = reasonOf(row);
    if (reason !== null) sum.reasons[reason] = (sum.reasons[reason] ?? 0) + row.count;
  }
  return sum;
}
