import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { contains } from "@/lib/platform/db/like";
import { type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import { emptyList, type List } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf } from "@/lib/resources/change";
import { hasExternalId } from "@/lib/resources/external-id";
import { LAPSED } from "@/lib/resources/inboxes/events/state";
import { Insertion, insertTogether } from "@/lib/resources/insertion";
import { claimableKind } from "@/lib/resources/kind";
import { givenColumns, updater } from "@/lib/resources/update";
import {
  type CreatedInbox,
  Inbox,
  type InboxCreate,
  type InboxListQuery,
  InboxUpdate,
  MAX_EVENTS_DEFAULT,
  TTL_SECONDS_DEFAULT,
} from "./contract";
import { INBOX_COLUMNS, type InboxRow, serializeInbox } from "./serialize";

/** Whether an inbox that was created without a key has an owner now, in SQL. */
export const IS_CLAIMED = sql`(organization_id IS NOT NULL AND claim_token_digest IS NOT NULL)`;

/** Pending events: `occupied` minus those that have expired since it was written. */
const EVENT_COUNT = sql`occupied - (
  SELECT count(*) FROM inbox_events AS event
  WHERE event.inbox_id = inboxes.id AND ${LAPSED} AND event.visible_at < 'infinity'
) AS event_count`;

export const claimableInbox = claimableKind<InboxRow>({
  name: "inboxes",
  schema: Inbox,
  table: sql`inboxes`,
  columns: INBOX_COLUMNS,
  serialize: (row) => serializeInbox(row),
  lastUsedAt: sql`greatest(updated_at, active_at)`,
  bulk: { table: sql`inbox_events`, parent: sql`inbox_id`, count: sql`occupied` },
});

export const { find: findInbox, remove } = claimableInbox;

const { load, find: findWithCount } = claimableInbox.reader<InboxRow & { event_count: number }>(
  sql`${INBOX_COLUMNS}, ${EVENT_COUNT}`,
);

export { load };

/**
 * The inboxes of the caller's organization, newest first; with `words`, those that contain them. Empty for
 * anonymous callers.
 */
export async function list(
  caller: Caller,
  listQuery: InboxListQuery,
  words?: string,
): Promise<List<Inbox>> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return emptyList(listQuery);
  const conditions: Sql[] = [];
  if (listQuery.external_id !== undefined) {
    conditions.push(hasExternalId(listQuery.external_id));
  }
  return listNewest<InboxRow, Inbox>(
    {
      table: sql`inboxes`,
      organizationId,
      columns: INBOX_COLUMNS,
      longTexts: [sql`description`, sql`external_id`],
      conditions,
      search: words === undefined ? undefined : contains([sql`name`, sql`description`], words),
      serialize: (row) => serializeInbox(row),
    },
    listQuery,
  );
}

/** A new inbox of the caller's organization, or a public one with a claim token. */
export function creation(caller: Caller, input: InboxCreate): Insertion<CreatedInbox> {
  const { id, ...ticket } = claimableInbox.newTicket(caller);
  const row = {
    id,
    organization_id: organizationOf(caller),
    name: input.name,
    description: input.description ?? null,
    default_ttl_seconds: input.default_ttl_seconds ?? TTL_SECONDS_DEFAULT,
    max_events: input.max_events ?? MAX_EVENTS_DEFAULT,
    external_id: input.external_id ?? null,
  };
  const stored = {
    ...row,
    actor: actorOf(caller),
    claim_token_digest: ticket.digest,
    bytes_left: config().publicEventsMaxBytes,
  };
  return new Insertion(insert, stored, (createdAt) => ({
    ...serializeInbox({ ...row, created_at: createdAt, updated_at: createdAt, revision: 1 }),
    ...ticket.fields,
  }));
}

const insert = insertTogether({
  name: "inboxes",
  table: sql`inboxes`,
  insert: sql`
    INSERT INTO inboxes (id, organization_id, claim_token_digest, name, description,
                         default_ttl_seconds, max_events, bytes_left, external_id)
    SELECT id, organization_id, claim_token_digest, name, description, default_ttl_seconds,
           max_events, bytes_left, external_id FROM given
    RETURNING id, created_at`,
});

/** Stores a new inbox and returns it. */
export async function create(
  caller: Caller,
  input: InboxCreate,
  db?: Transaction,
): Promise<CreatedInbox> {
  return creation(caller, input).store(db);
}

/** An inbox with its number of pending events. Throws 404 and 403. */
export async function get(
  caller: Caller,
  id: string,
  loading?: ReturnType<typeof load>,
): Promise<Inbox> {
  const row = await findWithCount(caller, id, loading);
  return serializeInbox(row, row.event_count);
}

/**
 * Updates an inbox and returns it like `get`. A lower `max_events` deletes nothing, but rejects new
 * events until there is room. Throws 404, 403, and 412 when the precondition fails.
 */
export function update(
  caller: Caller,
  id: string,
  changes: InboxUpdate,
  precondition?: Precondition,
): Promise<Inbox> {
  const max_events = changes.max_events === null ? MAX_EVENTS_DEFAULT : changes.max_events;
  return updateInbox(caller, id, { ...changes, max_events }, precondition);
}

const updateInbox = updater<InboxRow & { event_count: number }, Inbox>({
  find: findWithCount,
  serialize: (row) => serializeInbox(row, row.event_count),
  name: "inboxes",
  table: sql`inboxes`,
  set: givenColumns("Inbox", InboxUpdate.keyof().options),
  returned: sql`${INBOX_COLUMNS}, ${EVENT_COUNT}`,
});
