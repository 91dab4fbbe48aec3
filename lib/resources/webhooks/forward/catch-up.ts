import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import type { Row } from "@/lib/platform/db/columns";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { logError } from "@/lib/platform/telemetry/log";
import { moveHeldEvents } from "@/lib/resources/inboxes/events/move-held-events";
import { sendHeldEvents } from "./to-url";

const PAUSE_MS = 500;
const ENDPOINTS_PER_ROUND = 1000;

/**
 * Forwards the events that these endpoints hold back, in the background: at once, and then at most
 * once per pause for each. If this process ends first, the scheduler does it.
 */
export function catchUpLater(endpointIds: readonly string[]): void {
  for (const id of endpointIds) waitUntil(catchUpAndPause(id));
}

const catchUpAndPause = coalesced("catchUp", async (id: string) => {
  await catchUp(id).catch(() => {});
  await pause(PAUSE_MS, undefined, { ref: false });
});

/** Forwards the events that all endpoints hold back, for the scheduler. */
export async function catchUpAll(): Promise<void> {
  // (d) Unordered, so that endpoints with full inboxes do not starve the rest.
  const endpoints = await query<{ id: string }>(sql`
    SELECT /* asks every node */ v.endpoint_id AS id FROM webhook_events v
    JOIN endpoint_state e ON e.endpoint_id = v.endpoint_id
    WHERE v.forward_status = 'held' AND v.id > e.gone_up_to
    GROUP BY v.endpoint_id ORDER BY random() LIMIT ${ENDPOINTS_PER_ROUND}`);
  for (const { id } of endpoints) {
    await catchUp(id).catch((error) => logError("Events could not be forwarded:", error));
  }
}

async function catchUp(endpointId: string): Promise<void> {
  // (c) Runs after each capture.
  const forward = await queryOne<Row<"WebhookForward", "inbox_id">>(
    sql`SELECT inbox_id FROM webhook_forwards WHERE endpoint_id = ${endpointId}`,
  );
  if (!forward) return;
  if (forward.inbox_id === null) await sendHeldEvents(endpointId);
  else await moveHeldEvents(forward.inbox_id);
}
