import { waitUntil } from "@vercel/functions";
import { columns, type Row } from "@/lib/platform/db/columns";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import type { ApiError } from "@/lib/platform/errors";
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

/** Deletes a subscription whose time is over, unless its client has just extended it. */
export async function endExpired(id: string): Promise<void> {
  await query(sql`
    DELETE FROM subscriptions
    WHERE id = ${id} AND event IS NOT NULL AND expires_at <= unix_now()`);
}

/** Deletes a subscription that ends because of an error, and tells the client. */
export async function end(id: string, error: ApiError): Promise<void> {
  const ended = await queryOne<Notified>(sql`
    DELETE FROM subscriptions WHERE id = ${id} AND event IS NOT NULL
    RETURNING ${NOTIFIED_COLUMNS}`);
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
