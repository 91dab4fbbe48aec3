import { assertAccess, organizationOf } from "@/lib/identity/access";
import { invalidKey } from "@/lib/identity/authenticate";
import { isLive } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { inBatches } from "@/lib/platform/db/batches";
import type { OrNull } from "@/lib/platform/db/columns";
import { newIds } from "@/lib/platform/db/ids";
import { afterCommit, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import type { Receive } from "./consumer-contract";
import { sweepOccasionally } from "./expire";
import { LEASED_COLUMNS, type LeasedRow } from "./serialize";

export const LEASE_SECONDS_DEFAULT = 60;
/** The total size of bodies per statement, unless there is a single event. */
const BODY_BYTES_MAX = 4_000_000;
/** Events per statement. */
const EVENTS_MAX = 200;

/**
 * Leases the events that have been ready longest, none for a `client` that has disconnected. For one
 * that `hasWaited`, checks the key again. Throws 404, 403, and 401 when the key has ended.
 */
export async function leaseReady(
  caller: Caller,
  inboxId: string,
  input: Receive,
  { client, hasWaited = false, db }: Lessee,
): Promise<Leased[]> {
  const credential = hasWaited && caller.kind === "key" ? caller.keyId : null;
  const key = JSON.stringify([inboxId, organizationOf(caller), credential]);
  const request = {
    caller,
    inboxId,
    client,
    hasWaited,
    limit: input.limit ?? 1,
    seconds: input.lease_seconds ?? LEASE_SECONDS_DEFAULT,
    consumer: input.consumer ?? null,
  };
  if (!db) {
    return new Promise((resolve, reject) => {
      const waiting = { answer: resolve, isAnswered: false, ...request };
      leaseTogether(key, waiting).catch(reject);
    });
  }
  const [rows = []] = await lease([request], db);
  return rows;
}

interface Lessee {
  /** Undefined if the response is kept for a repeat of the request. */
  client: { signal: AbortSignal } | undefined;
  hasWaited?: boolean;
  db: Transaction | undefined;
}

interface Request {
  caller: Caller;
  inboxId: string;
  client: Lessee["client"];
  hasWaited: boolean;
  limit: number;
  seconds: number;
  consumer: string | null;
}

interface Waiting extends Request {
  answer(leased: Leased[]): void;
  isAnswered: boolean;
}

// Receivers of the same owner share a statement, and get the oldest events in the order of their
// requests.
const leaseTogether = inBatches<Waiting, undefined>(leaseBatch, {
  weightOf: ({ limit }) => limit,
  batchWeightMax: EVENTS_MAX,
  // A waiting request holds no payload.
  queuedWeightMax: Number.POSITIVE_INFINITY,
  concurrencyMax: 4,
});

/**
 * Answers the receivers of each statement before the next one reads events. Those whose events did not fit come
 * next, before later arrivals. After a failure it runs again, for those without an answer.
 */
async function leaseBatch(_key: string, requests: Waiting[]): Promise<undefined[]> {
  const unanswered = () => requests.filter(({ isAnswered }) => !isAnswered);
  for (let unserved = unanswered(); unserved.length > 0; unserved = unanswered()) {
    const leased = await lease(unserved);
    for (const [index, request] of unserved.entries()) {
      const rows = leased[index];
      if (!rows) continue;
      request.isAnswered = true;
      request.answer(rows);
    }
  }
  return requests.map(() => undefined);
}

interface Status {
  owner: string | null;
  is_live: boolean;
  /** Whether more events were found than fit into the statement's bytes. */
  is_cut: boolean;
}

export type Leased = Status & LeasedRow;

type Found = Status & OrNull<LeasedRow>;

/** Undefined for a request whose events did not fit into the statement. */
async function lease(requests: Request[], db?: Transaction): Promise<(Leased[] | undefined)[]> {
  const first = requests[0];
  if (!first) return [];
  const { caller, inboxId } = first;
  const slots = requests.map((request) => ({
    request,
    leaseIds: request.client?.signal.aborted ? [] : newIds("lse", request.limit),
  }));
  const forEachLease = <Value>(choose: (request: Request) => Value) =>
    slots.flatMap(({ request, leaseIds }) => Array<Value>(leaseIds.length).fill(choose(request)));
  const rows = await query<Found>(
    sql`
    SELECT event.owner, event.is_live, event.is_cut, ${LEASED_COLUMNS} FROM lease_events(
      ${inboxId}, ${organizationOf(caller)}, ${first.hasWaited ? isLive(caller) : sql`true`},
      ${slots.flatMap(({ leaseIds }) => leaseIds)}, ${forEachLease(({ seconds }) => seconds)},
      ${forEachLease(({ consumer }) => consumer)}, ${config().inboxMaxDeliveries},
      ${BODY_BYTES_MAX}) AS event`,
    db,
  );
  const status = rows[0];
  if (!status) throw notFound("inbox", inboxId);
  if (!status.is_live) throw invalidKey();
  assertAccess(caller, status.owner);
  afterCommit(db, () => sweepOccasionally(inboxId));
  const byLease = new Map(rows.filter((row) => row.id !== null).map((row) => [row.lease_id, row]));
  return slots.map(({ leaseIds }) => {
    const leased = leaseIds.flatMap((leaseId) => byLease.get(leaseId) ?? []);
    const isCut = status.is_cut && leaseIds.length > 0 && leased.length === 0;
    return isCut ? undefined : leased;
  });
}
