import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { removeLarge } from "@/lib/platform/db/remove-rows";
import { query, queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { atOnce, type InTurn } from "@/lib/platform/limits/search-gate";
import { oncePerProcess, stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { removeEndedForwards } from "@/lib/resources/messages/retention";
import { idsOf, walk } from "@/lib/resources/walk";
import { sendEvictedEvents } from "@/lib/resources/webhooks/forward/to-url";

const DELAY_MS = 500;

const due = oncePerProcess("webhooks.trim", () => new Set<string>());

/**
 * Deletes the rows of evicted events in the background. If that fails, or this process ends first,
 * the endpoint's next eviction or the sweep deletes them.
 */
export function trimLater(endpointIds: readonly string[]): void {
  for (const id of endpointIds) due.add(id);
  if (endpointIds.length > 0) waitUntil(trimDue());
}

const trimDue = coalesced("trim", async () => {
  await pause(DELAY_MS, undefined, { ref: false });
  const ids = [...due];
  due.clear();
  for (const id of ids) {
    await evictOverBudget(id)
      .then(() => sendAndTrim(id))
      .catch((error) => {
        // A stop closes the connections.
        if (isDatabaseDown(error) || stopping.signal.aborted) return;
        logError("Evicted events could not be deleted:", error);
      });
  }
});

/**
 * Evicts the oldest events of a public endpoint over its byte limit. Captures only raise
 * `bytes_used`; the stored bytes are summed when it is over the limit.
 */
async function evictOverBudget(endpointId: string): Promise<void> {
  const max = config().publicEventsMaxBytes;
  const isDue = sql`endpoint_id = ${endpointId} AND organization_id IS NULL
    AND bytes_used > ${max}::bigint`;
  if (!(await queryOne(sql`SELECT 1 FROM endpoint_state WHERE ${isDue}`))) return;
  await transaction(async (db) => {
    // Locked in a separate statement, so that the sum sees earlier captures.
    const locked = await queryOne(
      sql`SELECT 1 FROM endpoint_state WHERE ${isDue} FOR NO KEY UPDATE`,
      db,
    );
    if (!locked) return;
    await query(
      sql`WITH live AS (
            SELECT v.id,
                   sum(octet_length(v.body) + octet_length(v.headers) + octet_length(v.path)
                       + octet_length(v.query_string)) OVER (ORDER BY v.id DESC) AS upto
            FROM webhook_events v
            WHERE v.endpoint_id = ${endpointId}
              AND v.id > (SELECT gone_up_to FROM endpoint_state WHERE endpoint_id = ${endpointId})
          )
          UPDATE endpoint_state SET
            bytes_used = coalesce((SELECT max(upto) FROM live WHERE upto <= ${max}::bigint), 0),
            event_count = (SELECT count(*) FROM live WHERE upto <= ${max}::bigint),
            gone_up_to = coalesce((SELECT max(id) FROM live WHERE upto > ${max}::bigint), gone_up_to)
          WHERE endpoint_id = ${endpointId}`,
      db,
    );
  });
}

/** Deletes up to `limit` rows of evicted events, once those that only wait to be forwarded have been. */
async function sendAndTrim(endpointId: string, limit?: number): Promise<number> {
  const { gone_up_to = "" } =
    (await queryOne<Row<"EndpointState", "gone_up_to">>(
      sql`SELECT gone_up_to FROM endpoint_state WHERE endpoint_id = ${endpointId}`,
    )) ?? {};
  await sendEvictedEvents(endpointId, gone_up_to);
  return trim(endpointId, { upTo: gone_up_to, limit });
}

interface Trimming {
  /** The last event to go. Defaults to the last evicted one. */
  upTo?: string;
  limit?: number | undefined;
  inTurn?: InTurn;
}

/** Deletes up to `limit` rows of evicted events, each statement in a turn, and returns their number. */
export function trim(
  endpointId: string,
  { upTo, limit, inTurn = atOnce }: Trimming = {},
): Promise<number> {
  return removeLarge((most) => inTurn(() => trimSome(endpointId, upTo, most)), limit);
}

/** Deletes up to `limit` rows and returns their number. Skips locked ones, so that captures never wait. */
function trimSome(endpointId: string, upTo: string | undefined, limit: number): Promise<number> {
  return transaction(async (db) => {
    const removed = await query<{ forwarded_id: string | null; owner: string | null }>(
      sql`DELETE FROM webhook_events WHERE endpoint_id = ${endpointId} AND id = ANY (ARRAY(
            SELECT v.id FROM webhook_events v
            WHERE v.endpoint_id = ${endpointId}
              AND v.id <= (SELECT least(e.gone_up_to, ${upTo ?? null})
                           FROM endpoint_state e WHERE e.endpoint_id = ${endpointId})
            ORDER BY v.id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
          RETURNING forwarded_id,
            (SELECT e.organization_id FROM endpoint_state e WHERE e.endpoint_id = ${endpointId}) AS owner`,
      db,
    );
    const forwarded = removed.map(({ forwarded_id }) => forwarded_id);
    await removeEndedForwards(forwarded, removed[0]?.owner ?? null, db);
    return removed.length;
  });
}

/** Deletes about `limit` rows of evicted events that a process left behind. */
export const removeEvictedEvents = walk("Evicted events could not be removed", {
  page: idsOf(sql`endpoint_state`, sql`endpoint_id`),
  due: (endpoints) =>
    query<{ id: string }>(sql`
      SELECT e.endpoint_id AS id FROM endpoint_state e JOIN LATERAL (
        SELECT v.endpoint_id FROM webhook_events v
        WHERE v.endpoint_id = e.endpoint_id AND v.id <= e.gone_up_to ORDER BY v.id LIMIT 1
      ) AS evicted ON evicted.endpoint_id = e.endpoint_id
      WHERE e.endpoint_id = ANY (${endpoints.map(({ id }) => id)}) ORDER BY e.endpoint_id`),
  work: ({ id }, limit) => sendAndTrim(id, limit),
});
