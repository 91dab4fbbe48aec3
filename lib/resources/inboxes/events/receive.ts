import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { HttpResponse } from "@/lib/platform/http/response";
import { waitForLease } from "@/lib/resources/wait-for-lease";
import { acknowledge } from "./acknowledge";
import { type AckOutcome, type Receive, Received } from "./consumer-contract";
import { type Leased, leaseReady } from "./lease-ready";
import { readyTopic, subscribe } from "./ready-topic";
import { serializeLeased } from "./serialize";

/**
 * Acknowledges earlier deliveries, then leases the events that have been ready longest, waiting up
 * to `wait_seconds` for the first. Throws 404 and 403.
 */
export async function receive(
  caller: Caller,
  inboxId: string,
  input: Receive,
  client: { signal: AbortSignal },
  commit: Commit,
): Promise<HttpResponse> {
  let acks: AckOutcome[] | undefined;
  const received = async (rows: Leased[]) => {
    const data = await serializeLeased(rows, {
      inbox_id: inboxId,
      organization_id: rows[0]?.owner ?? null,
      consumer: input.consumer ?? null,
    });
    const rest = JSON.stringify({ has_more: false, next_cursor: null, acks });
    const json = `{"object":"list","data":[${data.join()}],${rest.slice(1)}`;
    if (config().validateResponses) Received.parse(JSON.parse(json));
    return new HttpResponse(200, { "Content-Type": "application/json" }, json);
  };
  const milliseconds = (input.wait_seconds ?? 0) * 1000;
  const atOnce = await commit(async (db) => {
    acks = input.ack && (await acknowledge(caller, inboxId, input.ack, db));
    const rows = await leaseReady(caller, inboxId, input, { client: db ? undefined : client, db });
    return rows.length > 0 || milliseconds === 0 ? received(rows) : UNRECORDED;
  });
  if (atOnce !== UNRECORDED) return atOnce;
  const later = await waitForLease(
    caller,
    readyTopic(inboxId),
    { milliseconds, signal: client.signal },
    (left) => subscribe(inboxId, left),
    () =>
      commit(async (db) => {
        const rows = await leaseReady(caller, inboxId, input, { client, hasWaited: true, db });
        return rows.length > 0 ? received(rows) : UNRECORDED;
      }),
  );
  if (later) return later;
  // Recorded although the client has left: a repeat could not acknowledge the same again.
  return acks?.length && client.signal.aborted ? commit(() => received([])) : received([]);
}
