import type { Pool } from "pg";
import type { DispatchResult } from "@/lib/resources/messages/contract";
import { expectStatus } from "./expectations";
import { type Api, jsonOf } from "./http";
import { randomText, sha256 } from "./keys";

/** Sends what is due. */
export async function dispatch(api: Api): Promise<DispatchResult> {
  const response = await api("POST", "/api/messages/dispatch");
  expectStatus(response, 200);
  return jsonOf<DispatchResult>(response);
}

/** Inserts messages due in `dueIn` seconds, in one statement, and returns their IDs. */
export async function insertMessages(
  db: Pool,
  options: {
    url: string;
    count: number;
    organizationId?: string;
    /** Of the creator of public messages. */
    network?: string;
    dueIn?: number;
  },
): Promise<string[]> {
  const { url, count, organizationId = null, network = null, dueIn = 0 } = options;
  const { origin } = new URL(url);
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO scheduled_messages (id, organization_id, network, url, host, method, headers, scheduled_at, due_at)
     SELECT 'msg_' || $1 || lpad(n::text, 8, '0'), $2, $7, $3, $4, 'POST', '{}',
            unix_now() + $5::bigint, unix_now() + $5::bigint
     FROM generate_series(1, $6) AS n RETURNING id`,
    [randomText(17), organizationId, url, origin, dueIn, count, network],
  );
  return rows.map(({ id }) => id);
}

/** The `webhook-id` of a message that was created without a key. */
export function publicWebhookId(messageId: string): string {
  return `sha256_${sha256(messageId)}`;
}

/** Of all messages, or of these. */
export async function countByStatus(db: Pool, ids?: string[]): Promise<Record<string, number>> {
  const { rows } = await db.query<{ status: string; count: string }>(
    `SELECT status, count(*) FROM scheduled_messages
     WHERE $1::text[] IS NULL OR id = ANY ($1) GROUP BY status`,
    [ids],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}
