import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import { moveHeldEventsSoon } from "@/lib/resources/inboxes/events/move-held-events";
import { removeMany } from "@/lib/resources/inboxes/events/remove-many";
import { LAPSED, PENDING, queueOf } from "@/lib/resources/inboxes/events/state";
import { type Insertion, inserter } from "@/lib/resources/insertion";
import { resource } from "@/lib/resources/resource";
import { toResource } from "@/lib/resources/to-resource";
import { givenColumns } from "@/lib/resources/update";
import {
  type CreatedInbox,
  Inbox,
  InboxCreate,
  InboxUpdate,
  MAX_EVENTS_DEFAULT,
  TTL_SECONDS_DEFAULT,
} from "./contract";
import { inboxKind } from "./kind";

/** Whether an inbox that was created without a key has an owner now, by its state. */
export const IS_CLAIMED = sql`(organization_id IS NOT NULL AND created_without_key)`;

const COLUMNS = columns(
  "Inbox",
  `id, organization_id, name, description, default_ttl_seconds, max_events, external_id,
   created_at, updated_at, revision`,
);

type InboxRow = RowOf<typeof COLUMNS>;
type CountedRow = InboxRow & { event_count: number };

export const inboxes = resource(inboxKind, {
  schema: Inbox,
  columns: COLUMNS,
  serialize,
  get,
  searched: [sql`name`, sql`description`],
  longTexts: ["description"],
  lastUsedAt: sql`greatest(updated_at, active_at)`,
  close: endLeases,
  empty: (caller, id, begin) => removeMany(caller, id, { begin }),
});

export const { find: findInbox, list, remove } = inboxes;

const { load, find: findWithCount } = inboxes.reader<CountedRow>(sql`${COLUMNS}, event_count`, {
  // `occupied` minus the events that have expired since it was written.
  joined: (ids) => sql`JOIN (
      SELECT inbox_id, occupied - (
               SELECT count(*) FROM inbox_events AS event
               WHERE event.inbox_id = inbox_state.inbox_id AND ${LAPSED}
                 AND event.visible_at < 'infinity'
             ) AS event_count
      FROM inbox_state WHERE inbox_id = ANY (${ids})
    ) AS state ON inbox_id = id`,
});

export { load };

/** A new inbox of the caller's organization, or a public one with a claim token. */
export function creation(caller: Caller, input: InboxCreate): Insertion<CreatedInbox> {
  const { identity, claim } = inboxes.newIdentity(caller);
  const row = {
    name: input.name,
    description: input.description ?? null,
    default_ttl_seconds: input.default_ttl_seconds ?? TTL_SECONDS_DEFAULT,
    max_events: input.max_events ?? MAX_EVENTS_DEFAULT,
    external_id: input.external_id ?? null,
    ...identity,
  };
  return insertion(caller, row, (made) => ({ ...serialize(made), ...claim }));
}

const insertion = inserter(inboxKind, { columns: InboxCreate.keyof().options });

/** An inbox with its number of pending events. Throws 404 and 403. */
export async function get(
  caller: Caller,
  id: string,
  prefetched?: Promise<CountedRow | undefined>,
): Promise<Inbox> {
  return serialize(await findWithCount(caller, id, prefetched));
}

/**
 * Updates an inbox and returns it like `get`. A lower `max_events` deletes nothing, but new events
 * are rejected until the inbox is below it. Throws 404, 403, and 412 when the precondition fails.
 */
export async function update(
  caller: Caller,
  id: string,
  changes: InboxUpdate,
  precondition?: Precondition,
): Promise<Inbox> {
  const max_events = changes.max_events === null ? MAX_EVENTS_DEFAULT : changes.max_events;
  const updated = await updateInbox(caller, id, { ...changes, max_events }, precondition);
  if (max_events !== undefined) moveHeldEventsSoon(id);
  return { ...updated, event_count: (await load(id))?.event_count ?? 0 };
}

const updateInbox = inboxes.updater({
  set: givenColumns("Inbox", InboxUpdate.keyof().options),
});

/** With the number of events if the row has it, which is for single reads only. */
function serialize(row: InboxRow | CountedRow): Inbox {
  return toResource(Inbox, row, { ingest_url: `${config().baseUrl}/api/inboxes/${row.id}/events` });
}

/**
 * Ends the leases and nack delays in these inboxes, which are locked and were just claimed: anyone who knew an ID
 * could have set them to hold events back. A delay that the sender set stays. An event in its last delivery gets one
 * more, since strangers may have used up the others. A receive that is still running during this statement keeps its
 * leases.
 */
async function endLeases(ids: string[], db: Transaction): Promise<void> {
  for (const id of ids) {
    // Keeps the lease IDs, so that a worker of the new owner can still acknowledge the events that it holds.
    await query(
      sql`UPDATE inbox_events AS event SET
            visible_at = greatest(now(), (SELECT ready_from FROM inbox_state WHERE inbox_id = ${id})),
            lapses_at = to_timestamp(event.expires_at)
          WHERE ${queueOf(id)} AND event.visible_at > now() AND ${PENDING}
            AND event.delivery_count > 0`,
      db,
    );
  }
}
