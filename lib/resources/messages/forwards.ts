import { newId } from "@/lib/platform/db/ids";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { messageKind } from "./kind";
import { countPending } from "./pending";
import { hostOf } from "./target";

/** A captured event to be sent to a URL. */
export interface Forward {
  endpointId: string;
  eventId: string;
  organizationId: string | null;
  /** The endpoint's, which then claims the message too; null if it has an owner. */
  claimTokenDigest: string | null;
  /** The network of the endpoint's creator, if that had no key. */
  network: string | null;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer;
  publicOnly: boolean;
  /** True if anyone but the endpoint's creator set the forward. */
  changedWithoutToken: boolean;
}

/** Stores messages that are due now and returns their IDs, in order. */
export async function insertForwards(forwards: Forward[], db: Transaction): Promise<string[]> {
  const ids = forwards.map(() => newId(messageKind.prefix));
  const column = <Value>(of: (forward: Forward) => Value) => forwards.map(of);
  await query(
    sql`INSERT INTO scheduled_messages
          (id, webhook_endpoint_id, webhook_event_id, organization_id, claim_token_digest, network,
           url, host, method, headers, body, public_only, changed_without_token, scheduled_at, due_at)
        SELECT given.*, unix_now(), unix_now() FROM unnest(
          ${ids}::text[], ${column((one) => one.endpointId)}::text[],
          ${column((one) => one.eventId)}::text[], ${column((one) => one.organizationId)}::text[],
          ${column((one) => one.claimTokenDigest)}::text[], ${column((one) => one.network)}::text[],
          ${column((one) => one.url)}::text[],
          ${column((one) => hostOf(one.url))}::text[], ${column((one) => one.method)}::message_method[],
          ${column((one) => JSON.stringify(one.headers))}::json[],
          ${column(({ body }) => (body.length === 0 ? null : body))}::bytea[],
          ${column((one) => one.publicOnly)}::boolean[],
          ${column((one) => one.changedWithoutToken)}::boolean[]) AS given`,
    db,
  );
  return ids;
}

/** Counts an endpoint's unfinished messages, up to `max`. */
export function countPendingForwards(
  endpointId: string,
  max: number,
  db: Transaction,
): Promise<number> {
  return countPending(sql`webhook_endpoint_id = ${endpointId}`, max, db);
}

/** Deletes the messages that have finished. */
export async function removeEndedForwards(ids: string[]): Promise<void> {
  await query(sql`
    DELETE FROM scheduled_messages
    WHERE id = ANY (${ids}) AND webhook_endpoint_id IS NOT NULL AND due_at IS NULL`);
}
