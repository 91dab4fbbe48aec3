import type { Caller } from "@/lib/platform/caller";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { ALIVE, STATE } from "@/lib/resources/inboxes/events/state";
import { toResource } from "@/lib/resources/to-resource";
import { stableTag } from "@/lib/resources/version";
import { type Inbox, InboxStats } from "./contract";
import { findInbox } from "./service";

type StatsRow = Omit<InboxStats, "object" | "inbox_id" | "totals"> & InboxStats["totals"];

/** The current and total event counts of an inbox. Throws 404 and 403. */
export async function stats(caller: Caller, inboxId: string): Promise<InboxStats> {
  await findInbox(caller, inboxId);
  // (d) Counts the events by their current state.
  const row = await queryOne<StatsRow>(sql`
    SELECT count(*) FILTER (WHERE now_is = 'ready') AS ready,
           count(*) FILTER (WHERE now_is = 'delayed') AS delayed,
           count(*) FILTER (WHERE now_is = 'leased') AS leased,
           count(*) FILTER (WHERE now_is = 'dead') AS dead,
           floor(extract(epoch FROM now() - min(visible_at) FILTER (WHERE now_is = 'ready')))::bigint
             AS oldest_ready_age_seconds,
           inbox.ingested, inbox.acknowledged, inbox.purged,
           inbox.expired + count(*) FILTER (WHERE now_is = 'expired') AS expired
    FROM inbox_state AS inbox LEFT JOIN LATERAL (
      SELECT event.visible_at, CASE WHEN ${ALIVE} THEN ${STATE} ELSE 'expired' END AS now_is
      FROM inbox_events AS event WHERE event.inbox_id = inbox.inbox_id
    ) AS event ON true
    WHERE inbox.inbox_id = ${inboxId}
    GROUP BY inbox.inbox_id`);
  if (!row) throw notFound("inbox", inboxId);
  const { ingested, acknowledged, expired, purged } = row;
  const totals = { ingested, acknowledged, purged, expired };
  return toResource(InboxStats, row, { inbox_id: inboxId, totals });
}

/**
 * A text that changes with the inbox and with each count, but not as events age or when one lease
 * replaces another.
 */
export function inboxVersion(inbox: Inbox, counts: InboxStats): string {
  const { ready, delayed, leased, dead, totals } = counts;
  return [stableTag(inbox), ready, delayed, leased, dead, ...Object.values(totals)].join(" ");
}
