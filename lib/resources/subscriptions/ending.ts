import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { query, queryOne, sql } from "@/lib/platform/db/sql";
import type { ApiError } from "@/lib/platform/errors";
import { secretsOfPush } from "@/lib/resources/messages/pushed-event";
import { type Envelope, notify } from "./callback";

/** Sends nothing until the client subscribes again. */
export async function suspend({
  id,
  message_id,
}: Pick<Row<"Subscription">, "id" | "message_id">): Promise<object> {
  await query(sql`
    UPDATE subscriptions SET suspended_at = unix_now(), updated_at = unix_now()
    WHERE id = ${id} AND message_id = ${message_id} AND suspended_at IS NULL`);
  return {};
}

/** Deletes a subscription and, if it ends because of an error, tells the client. */
export async function end(id: string, error?: ApiError): Promise<object> {
  const gone = await queryOne<Told>(sql`
    DELETE FROM subscriptions WHERE id = ${id} AND event IS NOT NULL
    RETURNING ${TOLD_COLUMNS}`);
  const code = error?.status === 404 ? -32_023 : -32_024;
  if (gone && error)
    void tell(gone, { type: "terminated", error: { code, message: error.message } });
  return {};
}

export const TOLD_COLUMNS = columns("Subscription", "id, url, secret, public_only");

export type Told = RowOf<typeof TOLD_COLUMNS>;

/** Tells the client what becomes of its subscription. Does nothing without a URL. */
export async function tell({ id, url, secret, public_only }: Told, envelope: Envelope) {
  if (url === null) return;
  const secrets = secretsOfPush(id, { push_secret: secret, push_previous_secret: null });
  await notify({ subscriptionId: id, url, secrets, publicOnly: public_only }, envelope);
}
