import { assertAccess, organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { invalidParam, notFound } from "@/lib/platform/errors";
import { announce } from "@/lib/platform/wakeups/pubsub";
import { findInbox } from "@/lib/resources/inboxes/service";
import { REDRIVE_MAX, type Redriven } from "./consumer-contract";
import type { EventState, InboxEvent } from "./contract";
import { expire } from "./expire";
import { inboxFull } from "./ingest";
import { readyTopic } from "./ready-topic";
import { serializeEvent } from "./serialize";
import { type EventRow, OWN_COLUMNS } from "./state";

/**
 * Makes a dead event ready again and resets its delivery count. Throws 404, 403, 400 if it is not
 * dead, and 429 `inbox_full`.
 */
export async function redrive(
  caller: Caller,
  inboxId: string,
  eventId: string,
  commit: Commit,
): Promise<InboxEvent> {
  await expireAll(caller, inboxId);
  return commit(async (db) => {
    const row = await redriveEvents(caller, inboxId, { eventId, limit: 1 }, db);
    if (row.id !== null) return serializeEvent(row);
    if (row.state_before === null) throw notFound("event of this inbox", eventId);
    if (row.state_before === "dead") throw inboxFull();
    throw invalidParam(
      "state",
      `Only a dead event can be redriven; this one is ${row.state_before}.`,
    );
  });
}

/**
 * Redrives the oldest dead events, at most `limit` and as many as the quota allows; without a
 * limit, all of them. Throws 404, 403, and 429 `inbox_full` if not even the first fits.
 */
export async function redriveDead(
  caller: Caller,
  inboxId: string,
  limit: number | undefined,
  commit: Commit,
): Promise<Redriven> {
  let redriven = 0;
  for (;;) {
    await expireAll(caller, inboxId);
    const result = await commit(async (db) => {
      const most = { eventId: null, limit: limit ?? REDRIVE_MAX };
      const { revived, matched, remaining } = await redriveEvents(caller, inboxId, most, db);
      redriven += revived;
      if (redriven === 0 && matched > 0) throw inboxFull();
      if (limit === undefined && remaining > 0 && revived === REDRIVE_MAX) return UNRECORDED;
      return { object: "inbox_redrive_result" as const, redriven, remaining };
    });
    if (result !== UNRECORDED) return result;
  }
}

/** Frees the quota and the `dedup_id` of expired events. Throws 404 and 403. */
async function expireAll(caller: Caller, inboxId: string): Promise<void> {
  await findInbox(caller, inboxId);
  while ((await expire(inboxId)) > 0);
}

type RedrivenRow = {
  is_awaited: boolean;
  /** What the event was; null if it does not exist. */
  state_before: EventState | null;
  matched: number;
  revived: number;
  remaining: number;
} & OrNull<EventRow>;

async function redriveEvents(
  caller: Caller,
  inboxId: string,
  { eventId, limit }: { eventId: string | null; limit: number },
  db: Transaction | undefined,
): Promise<RedrivenRow> {
  const row = await queryOne<RedrivenRow>(
    sql`
    SELECT event.owner AS organization_id, event.is_awaited, event.state_before, event.matched,
           event.revived, event.remaining, ${OWN_COLUMNS}
    FROM redrive_events(${inboxId}, ${organizationOf(caller)}, ${eventId}, ${limit}) AS event`,
    db,
  );
  if (!row) throw notFound("inbox", inboxId);
  assertAccess(caller, row.organization_id);
  if (row.is_awaited && row.revived > 0) announce(readyTopic(inboxId), db);
  return row;
}
