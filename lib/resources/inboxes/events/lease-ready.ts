import { assertAccess, mayReach, organizationOf } from "@/lib/identity/access";
import { invalidKey } from "@/lib/identity/authenticate";
import { isLive } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { inBatches } from "@/lib/platform/db/batches";
import type { OrNull, RowOf } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { afterCommit, query, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Receive } from "./consumer-contract";
import { sweepOccasionally } from "./expire";
import { CONTENT_COLUMNS, type EventRow, PENDING, queueOf } from "./state";

export const LEASE_SECONDS_DEFAULT = 60;
/** The total size of bodies per statement, unless there is a single event. */
const BODY_BYTES_MAX = 4_000_000;
/** Events per statement. */
const EVENTS_MAX = 200;

/**
 * Leases the events that have been ready longest. For a caller that has been `waiting`, checks the
 * key again, and leases nothing if the caller has disconnected. Throws 404, 403, and 401 when the
 * key has ended.
 */
export function leaseReady(
  caller: Caller,
  inboxId: string,
  input: Receive,
  { waiting, db }: { waiting?: { signal: AbortSignal }; db?: Transaction | undefined } = {},
): Promise<EventRow[]> {
  const credential = waiting && caller.kind === "key" ? caller.keyId : null;
  const key = JSON.stringify([inboxId, organizationOf(caller), credential]);
  const request = {
    caller,
    inboxId,
    waiting,
    limit: input.limit ?? 1,
    seconds: input.lease_seconds ?? LEASE_SECONDS_DEFAULT,
    consumer: input.consumer ?? null,
  };
  return db ? lease([request], db).then(([rows = []]) => rows) : leaseTogether(key, request);
}

interface Request {
  caller: Caller;
  inboxId: string;
  waiting: { signal: AbortSignal } | undefined;
  limit: number;
  seconds: number;
  consumer: string | null;
}

// Receivers of the same owner share a statement, and get the oldest events in the order of their
// requests.
const leaseTogether = inBatches<Request, EventRow[]>((_key, requests) => lease(requests), {
  weightOf: ({ limit }) => limit,
  batchWeightMax: EVENTS_MAX,
  // A waiting request holds no payload.
  queuedWeightMax: Number.POSITIVE_INFINITY,
  concurrencyMax: 4,
});

type Leased = RowOf<typeof CONTENT_COLUMNS> & { leased_until: number };

interface Status {
  owner: string | null;
  live: boolean;
  /** Whether more events were found than fit into the statement's bytes. */
  is_cut: boolean;
}

async function lease(requests: Request[], db?: Transaction): Promise<EventRow[][]> {
  const first = requests[0];
  if (!first) return [];
  const { caller, inboxId } = first;
  const live = first.waiting ? isLive(caller) : sql`true`;
  const slots = requests.flatMap((request) =>
    request.waiting?.signal.aborted ? [] : Array<Request>(request.limit).fill(request),
  );
  const leaseIds = slots.map(() => newId("lse"));
  const place = sql`array_position((SELECT ids FROM chosen), event.id)`;
  // Usually identical, so one lookup serves the whole batch.
  const each = <Value>(values: Value[], type: Sql) =>
    values.every((value) => value === values[0])
      ? sql`${values[0] ?? null}::${type}`
      : sql`(${values}::${type}[])[${place}]`;
  const seconds = each(
    slots.map((slot) => slot.seconds),
    sql`int`,
  );
  const consumer = each(
    slots.map((slot) => slot.consumer),
    sql`text`,
  );
  // Two receivers never lease the same event: the second skips locked rows, and a row changed
  // before it was locked no longer matches.
  const rows = await query<OrNull<Leased> & Status>(
    sql`
    WITH inbox AS (
      SELECT organization_id, ${mayReach(caller)} AS reachable, ${live} AS live, ready_from
      FROM inbox_state WHERE inbox_id = ${inboxId}
    ), next AS (
      SELECT event.id, event.visible_at, event.size_bytes
      FROM inbox_events AS event
      WHERE ${queueOf(inboxId)} AND event.visible_at <= now()
        AND event.visible_at >= (SELECT ready_from FROM inbox) AND ${PENDING}
        AND (SELECT reachable AND live FROM inbox)
      ORDER BY event.visible_at, event.id LIMIT ${slots.length}
      FOR UPDATE SKIP LOCKED
    ), chosen AS (
      SELECT array_agg(id ORDER BY place) FILTER (WHERE place = 1 OR total <= ${BODY_BYTES_MAX}) AS ids,
             coalesce(max(total) > ${BODY_BYTES_MAX}, false) AS is_cut
      FROM (
        SELECT id, row_number() OVER first_in_first_out AS place,
               sum(size_bytes) OVER first_in_first_out AS total
        FROM next WINDOW first_in_first_out AS (ORDER BY visible_at, id ROWS UNBOUNDED PRECEDING)
      ) AS measured
    ), leased AS (
      -- As an array, because the plan for a join may scan the whole inbox for each event.
      UPDATE inbox_events AS event SET
        lease_id = (${leaseIds}::text[])[${place}],
        visible_at = now() + ${seconds} * interval '1 second',
        lapses_at = CASE
          WHEN delivery_count + 1 < ${config().inboxMaxDeliveries} THEN to_timestamp(expires_at)
          ELSE least(to_timestamp(expires_at), now() + ${seconds} * interval '1 second') END,
        delivery_count = delivery_count + 1,
        consumer = ${consumer}
      WHERE event.inbox_id = ${inboxId} AND event.id = ANY ((SELECT ids FROM chosen)::text[])
      RETURNING ${CONTENT_COLUMNS},
        floor(extract(epoch FROM event.visible_at))::bigint AS leased_until
    )
    SELECT inbox.organization_id AS owner, inbox.live, leased.*, chosen.is_cut
    FROM inbox CROSS JOIN chosen LEFT JOIN leased ON true`,
    db,
  );
  const status = rows[0];
  if (!status) throw notFound("inbox", inboxId);
  if (!status.live) throw invalidKey();
  assertAccess(caller, status.owner);
  afterCommit(db, () => sweepOccasionally(inboxId));
  const leased = new Map(requests.map((request) => [request, [] as EventRow[]]));
  const byLease = new Map(rows.map((row) => [row.lease_id, row]));
  for (const [index, request] of slots.entries()) {
    const row = byLease.get(leaseIds[index] ?? "");
    if (row && row.id !== null) leased.get(request)?.push(eventRow(row, request));
  }
  if (status.is_cut) {
    const unserved = requests.filter((request) => leased.get(request)?.length === 0);
    for (const [index, more] of (await lease(unserved, db)).entries()) {
      const request = unserved[index];
      if (request) leased.set(request, more);
    }
  }
  return requests.map((request) => leased.get(request) ?? []);
}

function eventRow({ owner, live, is_cut, ...row }: Leased & Status, request: Request): EventRow {
  return {
    ...row,
    inbox_id: request.inboxId,
    organization_id: owner,
    state: "leased",
    consumer: request.consumer,
    visible_at: row.leased_until,
  };
}
