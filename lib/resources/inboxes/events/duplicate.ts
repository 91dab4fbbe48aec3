import { createHash } from "node:crypto";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import type { EventState, Receipt } from "./contract";
import { STATE } from "./state";

/** The receipt for a repeated event, with its current or last known state. */
export async function duplicateOf(first: Receipt): Promise<Receipt> {
  const event = await queryOne<{ state: EventState }>(sql`
    SELECT ${STATE} AS state FROM inbox_events AS event
    WHERE inbox_id = ${first.inbox_id} AND id = ${first.id} AND lapses_at > now()`);
  return { ...first, state: event?.state ?? first.state, deduplicated: true };
}

/** Whether an event has this body; undefined if the event no longer exists. */
export async function hasBody(
  inboxId: string,
  id: string,
  body: Uint8Array,
  db?: Transaction,
): Promise<boolean | undefined> {
  const event = await queryOne<{ is_same: boolean }>(
    sql`SELECT sha256(body) = ${createHash("sha256").update(body).digest()} AS is_same FROM inbox_events
        WHERE inbox_id = ${inboxId} AND id = ${id}`,
    db,
  );
  return event?.is_same;
}
