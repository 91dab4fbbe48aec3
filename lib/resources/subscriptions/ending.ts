import { waitUntil } from "@vercel/functions";
import { columns, type Row } from "@/lib/platform/db/columns";
import {
  query,
  queryOne,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import type { ApiError } from "@/lib/platform/errors";
import { cancelPending } from "@/lib/resources/messages/enqueue";
import { type PushSecrets, secretsOfPush } from "@/lib/resources/messages/pushed-event";
import { type Envelope, notify } from "./callback";

/** Sends nothing until the client subscribes again. */
export async function suspend({
  id,
  message_id,
}: Pick<Row<"Subscription">, "id" | "message_id">): Promise<void> {
  await query(sql`
    UPDATE subscriptions SET suspended_at = unix_now(), updated_at = unix_now()
    WHERE id = ${id} AND message_id = ${message_id} AND suspended_at IS NULL`);
}

/** Deletes a subscription that meets the condition, and cancels its messages that are still to be sent. */
export async function remove(
  id: string,
  condition: Sql,
  db: Transaction,
): Promise<Notified | undefined> {
  const removed = await queryOne<Notified>(
    sql`DELETE FROM subscriptions WHERE id = ${id} AND ${condition} RETURNING ${NOTIFIED_COLUMNS}`,
    db,
  );
  if (removed) await cancelPending("subscription_id", id, db);
  return removed;
}

/** Deletes a subscription whose time is over, unless its client has just extended it. */
export async function endExpired(id: string): Promise<void> {
  const isOver = sql`event IS NOT NULL AND expires_at <= unix_now()`;
  await transaction((db) => remove(id, isOver, db));
}

/** Deletes a subscription that ends because of an error, and tells the client. */
export async function end(id: string, error: ApiError): Promise<void> {
  const ended = await transaction((db) => remove(id, sql`event IS NOT NULL`, db));
  const code = error.status === 404 ? -32_023 : -32_024;
  const envelope = { type: "terminated", error: { code, message: error.message } } as const;
  if (ended) waitUntil(notifyClient(ended, envelope));
}

export const NOTIFIED_COLUMNS = sql`${columns("Subscription", "id, url, public_only")},
  secret AS push_secret,
  CASE WHEN previous_until > unix_now() THEN previous_secret END AS push_previous_secret`;

export type Notified = Row<"Subscription", "id" | "url" | "public_only"> & PushSecrets;

/** Tells the client what happened to its subscription. Does nothing without a URL or a secret to sign with. */
export async function notifyClient(
  { id, url, public_only, ...sealed }: Notified,
  envelope: Envelope,
) {
  if (url === null) return;
  const secrets = secretsOfPush(id, sealed);
  if (secrets.length === 0) return;
  await notify({ subscriptionId: id, url, secrets, publicOnly: public_only }, envelope);
}
