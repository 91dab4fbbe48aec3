import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { query, sql } from "@/lib/platform/db/sql";
import { startOfEvents } from "@/lib/resources/webhooks/events/filter";
import { forwardColumns } from "@/lib/resources/webhooks/events/serialize";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import { type ForwardedRow, withDeliveries } from "./deliveries";
import { causeOf, stateOf } from "./state";

export const RECENT_EVENTS = 100;

/** The outcomes of an endpoint's newest events, as counts. */
export interface Outcomes {
  verified: Tally;
  not_verified: Tally;
  /** Forwarded events that arrived. */
  delivered: Tally;
  queued: Tally;
  retrying: Tally;
  held: Tally;
  skipped: Tally;
  failed: Tally;
  canceled: Tally;
}

interface Tally {
  count: number;
  /** Counts by reason, for events with one. */
  reasons: Record<string, number>;
}

/** The outcomes of the newest `RECENT_EVENTS` events. Throws 404 and 403. */
export async function recentOutcomes(caller: Caller, id: string): Promise<Outcomes> {
  const endpoint = await findEndpoint(caller, id);
  const rows = await query<OutcomeRow>(sql`
    SELECT verified, verification_reason, ${forwardColumns(endpoint.id)},
           forward_inbox_id IS NOT NULL AS to_inbox
    FROM webhook_events
    WHERE endpoint_id = ${endpoint.id} AND id > ${startOfEvents(endpoint)}
    ORDER BY id DESC LIMIT ${RECENT_EVENTS}`);
  const none = (): Tally => ({ count: 0, reasons: {} });
  const outcomes: Outcomes = {
    verified: none(),
    not_verified: none(),
    delivered: none(),
    queued: none(),
    retrying: none(),
    held: none(),
    skipped: none(),
    failed: none(),
    canceled: none(),
  };
  const count = (name: keyof Outcomes, reason: string | null) => {
    const tally = outcomes[name];
    tally.count += 1;
    if (reason !== null) tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1;
  };
  for (const row of await withDeliveries(endpoint, rows)) {
    if (row.verified !== null) {
      const { verified, verification_reason } = row;
      count(verified ? "verified" : "not_verified", verified ? null : verification_reason);
    }
    const state = stateOf(row);
    if (state !== null && state !== "unknown")
      count(state, causeOf(row.delivery) ?? row.forward_reason);
  }
  return outcomes;
}

type OutcomeRow = Row<"WebhookEvent", "verified" | "verification_reason" | "forward_reason"> &
  ForwardedRow;
