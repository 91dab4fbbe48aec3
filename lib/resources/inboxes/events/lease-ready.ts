import { assertAccess, organizationOf } from "@/lib/identity/access";
import { invalidKey } from "@/lib/identity/authenticate";
import { isLive } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { inBatches } from "@/lib/platform/db/batches";
import type { OrNull, RowOf } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { afterCommit, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Receive } from "./consumer-contract";
import { sweepOccasionally } from "./expire";
import type { CONTENT_COLUMNS, EventRow } from "./state";

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
  is_live: boolean;
  /** Whether more events were found than fit into the statement's bytes. */
  is_cut: boolean;
}

async function lease(requests: Request[], db?: Transaction): Promise<EventRow[][]> {
  const first = requests[0];
  if (!first) return [];
  const { caller, inboxId } = first;
  const slots = requests.flatMap((request) =>
    request.waiting?.signal.aborted ? [] : Array<Request>(request.limit).fill(request),
  );
  const leaseIds = slots.map(() => newId("lse"));
  const rows = await query<OrNull<Leased> & Status>(
    sql`
    SELECT * FROM lease_events(
      ${inboxId}, ${organizationOf(caller)}, ${first.waiting ? isLive(caller) : sql`true`},
      ${leaseIds}, ${slots.map(({ seconds }) => seconds)},
      ${slots.map(({ consumer }) => consumer)}, ${config().inboxMaxDeliveries}, ${BODY_BYTES_MAX})`,
    db,
  );
  const status = rows[0];
  if (!status) throw notFound("inbox", inboxId);
  if (!status.is_live) throw invalidKey();
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

function eventRow(row: Leased & Status, request: Request): EventRow {
  return {
    ...row,
    inbox_id: request.inboxId,
    organization_id: row.owner,
    state: "leased",
    consumer: request.consumer,
    visible_at: row.leased_until,
  };
}
