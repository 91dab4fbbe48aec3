import { query, sql } from "@/lib/platform/db/sql";
import type { LeasedMessage } from "./lease";

/** Undoes a lease, including the counted attempt. */
export async function unlease(messages: LeasedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await query(sql`
    UPDATE scheduled_messages AS message SET status = prior.status, due_at = prior.due_at,
      attempts = attempts - 1, lease_token = NULL, updated_at = unix_now(), revision = revision + 1
    FROM unnest(${messages.map(({ id }) => id)}::text[],
                ${messages.map(({ lease_token }) => lease_token)}::text[],
                ${messages.map(({ prior_status }) => prior_status)}::message_status[],
                ${messages.map(({ prior_due_at }) => prior_due_at)}::bigint[])
      AS prior (id, lease_token, status, due_at)
    WHERE message.id = prior.id AND message.lease_token = prior.lease_token
      AND message.status = 'delivering'`);
}
