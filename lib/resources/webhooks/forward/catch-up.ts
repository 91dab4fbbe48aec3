import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { coalesced } from "@/lib/platform/background/coalesced";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import { moveHeldEvents } from "@/lib/resources/inboxes/events/move-held-events";
import { walk } from "@/lib/resources/walk";
import { anyHolds, holdingAmong } from "./holding-endpoints";
import { sendHeldEvents } from "./to-url";

const PAUSE_MS = 500;

/** The forward of the endpoint with this ID. */
interface Forward {
  id: string;
  inbox_id: string | null;
}

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

async function catchUp(endpointId: string): Promise<void> {
  // (c) Runs after each capture.
  const forward = await queryOne<Forward>(
    sql`SELECT endpoint_id AS id, inbox_id FROM webhook_forwards WHERE endpoint_id = ${endpointId}`,
  );
  if (forward) await forwardHeld(forward);
}

/** Forwards the events that all endpoints hold back, for the scheduler. The next round continues. */
export async function catchUpAll(): Promise<void> {
  if (!(await anyHolds())) return inboxes.clear();
  const { isOver } = await walkForwards(Number.POSITIVE_INFINITY);
  if (isOver) inboxes.clear();
}

/** The inboxes that this walk has served: one call moves the held events of all endpoints. */
const inboxes = new Set<string>();

const walkForwards = walk("Events could not be forwarded", {
  // At random: processes that end after one round would otherwise all try the same endpoints.
  async start() {
    const any = sql`SELECT endpoint_id AS id FROM webhook_forwards ORDER BY random() LIMIT 1`;
    return (await queryOne<{ id: string }>(any))?.id ?? "";
  },
  page: (after, limit) =>
    query<Forward>(sql`
      SELECT endpoint_id AS id, inbox_id FROM webhook_forwards WHERE endpoint_id > ${after}
      ORDER BY endpoint_id LIMIT ${limit}`),
  async due(forwards) {
    const holding = new Set(await holdingAmong(forwards.map(({ id }) => id)));
    return forwards.filter(({ id }) => holding.has(id));
  },
  async work(forward) {
    if (forward.inbox_id !== null) {
      if (inboxes.has(forward.inbox_id)) return 0;
      inboxes.add(forward.inbox_id);
    }
    await forwardHeld(forward);
    return 1;
  },
});

function forwardHeld({ id, inbox_id }: Forward): Promise<void> {
  return inbox_id === null ? sendHeldEvents(id) : moveHeldEvents(inbox_id);
}
