import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import type { Row } from "@/lib/platform/db/columns";
import { query, sql } from "@/lib/platform/db/sql";
import { logError } from "@/lib/platform/telemetry/log";
import { moveHeldEvents } from "@/lib/resources/inboxes/events/move-held-events";
import { sendHeldEvents } from "./to-url";

const PAUSE_MS = 500;
const ENDPOINTS_PER_ROUND = 1000;
const ROUND_BUDGET_MS = 5000;

/**
 * Forwards the events that these endpoints hold back, in the background: at once, and then at most
 * once per pause for each. If this process ends first, the scheduler does it.
 */
export function catchUpLater(endpointIds: readonly string[]): void {
  for (const id of endpointIds) waitUntil(catchUpAndPause(id));
}

const catchUpAndPause = coalesced("catchUp", async (id: string) => {
  await catchUp([id], () => {}).catch(() => {});
  await pause(PAUSE_MS, undefined, { ref: false });
});

/** Forwards the events that all endpoints hold back, for the scheduler; the next round goes on. */
export async function catchUpAll(): Promise<void> {
  // (d) Unordered, so that endpoints with full inboxes do not starve the rest.
  const endpoints = await query<{ id: string }>(sql`
    SELECT /* asks every node */ v.endpoint_id AS id FROM webhook_events v
    JOIN endpoint_state e ON e.endpoint_id = v.endpoint_id
    WHERE v.forward_status = 'held' AND v.id > e.gone_up_to
    GROUP BY v.endpoint_id ORDER BY random() LIMIT ${ENDPOINTS_PER_ROUND}`);
  if (endpoints.length === 0) return;
  await catchUp(
    endpoints.map(({ id }) => id),
    (error) => logError("Events could not be forwarded:", error),
  );
}

/** A failed forward does not stop the others. */
async function catchUp(endpointIds: string[], onFailure: (error: unknown) => void): Promise<void> {
  const deadline = performance.now() + ROUND_BUDGET_MS;
  // (c) Runs after each capture.
  const forwards = await query<Row<"WebhookForward", "endpoint_id" | "inbox_id">>(
    sql`SELECT endpoint_id, inbox_id FROM webhook_forwards WHERE endpoint_id = ANY (${endpointIds})
        ORDER BY random()`,
  );
  // Each inbox once: it takes the events of all endpoints.
  const inboxes = new Set<string>();
  for (const { endpoint_id, inbox_id } of forwards) {
    if (performance.now() > deadline) return;
    if (inbox_id !== null && inboxes.has(inbox_id)) continue;
    if (inbox_id !== null) inboxes.add(inbox_id);
    const caughtUp = inbox_id === null ? sendHeldEvents(endpoint_id) : moveHeldEvents(inbox_id);
    await caughtUp.catch(onFailure);
  }
}
