import type { Caller } from "@/lib/caller";
import { queryOne, sql } from "@/lib/db/sql";
import { findEndpoint } from "@/lib/webhooks/service";

export const RECENT_EVENTS = 100;

/** What became of an endpoint's newest events, as numbers of events. */
export interface Outcomes {
  verified: number;
  not_verified: number;
  forwarded: number;
  held: number;
  skipped: number;
  failed: number;
}

/** The outcomes of the newest `RECENT_EVENTS` events. Throws 404 and 403. */
export async function recentOutcomes(caller: Caller, id: string): Promise<Outcomes> {
  const endpoint = await findEndpoint(caller, id);
  const row = await queryOne<Outcomes>(sql`
    SELECT count(*) FILTER (WHERE verified) AS verified,
           count(*) FILTER (WHERE NOT verified) AS not_verified,
           count(*) FILTER (WHERE forward_status = 'forwarded') AS forwarded,
           count(*) FILTER (WHERE forward_status = 'held') AS held,
           count(*) FILTER (WHERE forward_status = 'skipped') AS skipped,
           count(*) FILTER (WHERE forward_status = 'failed') AS failed
    FROM (SELECT verified, forward_status FROM webhook_events
          WHERE endpoint_id = ${endpoint.id}
            AND id > (SELECT gone_up_to FROM webhook_endpoints WHERE id = ${endpoint.id})
          ORDER BY id DESC LIMIT ${RECENT_EVENTS}) AS recent`);
  if (!row) throw new Error("A count returned no row.");
  return row;
}
