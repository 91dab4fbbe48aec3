import { query, sql } from "@/lib/db/sql";
import { oncePerProcess } from "@/lib/process";

const DELAY_MS = 500;
const ROWS_MAX = 1000;

/**
 * Removes, beside all requests and a little later, the rows of events that are gone for all reads.
 * Where this process ends before, the endpoint's next capture that lets an event go sees to them.
 */
export function trimLater(endpointIds: readonly string[]): void {
  const state = oncePerProcess("webhooks.trim", () => ({ due: new Set<string>(), planned: false }));
  for (const id of endpointIds) state.due.add(id);
  if (state.planned || state.due.size === 0) return;
  state.planned = true;
  setTimeout(async () => {
    const ids = [...state.due];
    state.due.clear();
    for (const id of ids) await trim(id).catch(() => state.due.add(id));
    state.planned = false;
    if (state.due.size > 0) trimLater([]);
  }, DELAY_MS).unref();
}

/** In bounded statements, and past rows that somebody else removes: captures never wait for this. */
async function trim(endpointId: string): Promise<void> {
  for (;;) {
    const removed = await query(sql`
      DELETE FROM webhook_events WHERE (endpoint_id, id) IN (
        SELECT v.endpoint_id, v.id FROM webhook_events v
        WHERE v.endpoint_id = ${endpointId}
          AND v.id <= (SELECT e.gone_up_to FROM webhook_endpoints e WHERE e.id = ${endpointId})
        ORDER BY v.id LIMIT ${ROWS_MAX} FOR UPDATE SKIP LOCKED)
      RETURNING 1`);
    if (removed.length < ROWS_MAX) return;
  }
}
