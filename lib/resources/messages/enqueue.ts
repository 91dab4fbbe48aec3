import type { Row } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { join, query, queryOne, raw, sql, type Transaction } from "@/lib/platform/db/sql";
import { recordChanges } from "@/lib/resources/change";
import { messageKind } from "./kind";
import { IS_STANDALONE } from "./lease";
import { hostOf } from "./target";

type MessageRow = Row<"ScheduledMessage">;

/** What the service makes many messages for: a forward, a subscription or a bulk replay. */
export type Origin = "webhook_endpoint_id" | "subscription_id" | "webhook_replay_id";

/** The columns of such a message besides its ID, its host and its times, with their types. */
const TYPES = {
  organization_id: "text",
  claim_token_digest: "text",
  network: "text",
  changed_without_token: "boolean",
  url: "text",
  method: "message_method",
  headers: "json",
  body: "bytea",
  public_only: "boolean",
  verbatim: "boolean",
  takes_headers: "boolean",
  attempts_max: "int",
  webhook_endpoint_id: "text",
  webhook_event_id: "text",
  subscription_id: "text",
  question_id: "text",
  webhook_replay_id: "text",
  replayed_endpoint_id: "text",
  replayed_event_id: "text",
} as const satisfies Partial<Record<keyof MessageRow, string>>;

type Column = keyof typeof TYPES;
type Needed = "organization_id" | "url" | "method" | "public_only";

/** A message that the service makes for another resource, due now. */
export type Enqueued = Pick<MessageRow, Needed> &
  Partial<Pick<MessageRow, Exclude<Column, Needed | "headers" | "body">>> & {
    headers: Record<string, string>;
    body: Buffer;
  };

/**
 * Stores messages that are due now and returns their IDs, in order. Those of questions appear in
 * the feed. A message that an organization would sign is held if a stranger changed it before the
 * claim.
 */
export async function enqueue(messages: Enqueued[], db: Transaction): Promise<string[]> {
  const ids = messages.map(() => newId(messageKind.prefix));
  const hosts = messages.map(({ url }) => hostOf(url));
  const rows = messages.map(({ headers, body, ...message }) => ({
    changed_without_token: false,
    verbatim: false,
    takes_headers: false,
    ...message,
    headers: JSON.stringify(headers),
    body: body.length === 0 ? null : body,
  }));
  const columns = Object.entries(TYPES) as [Column, string][];
  const names = raw(columns.map(([name]) => name).join(", "));
  const values = columns.map(
    ([name, type]) => sql`${rows.map((row) => row[name] ?? null)}::${raw(type)}[]`,
  );
  await query(
    sql`WITH made AS (
          INSERT INTO scheduled_messages (id, host, ${names}, scheduled_at, due_at)
          SELECT given.*, unix_now(),
                 CASE WHEN organization_id IS NULL OR NOT changed_without_token THEN unix_now() END
          FROM unnest(${ids}::text[], ${hosts}::text[], ${join(values, ", ")})
            AS given (id, host, ${names})
          RETURNING id, organization_id, ${IS_STANDALONE} AS is_standalone
        )
        ${recordChanges("messages", "created", sql`(SELECT * FROM made WHERE is_standalone)`, null)}`,
    db,
  );
  return ids;
}

/** The number of an origin's unfinished messages at which the rest is held back. */
export const PENDING_MAX = 1000;
/** That number without an owner: about as many bytes as the events of a public endpoint may have. */
export const PUBLIC_PENDING_MAX = 50;

/** How many more messages an origin with this owner may have now. */
export async function freeSlots(
  origin: Origin,
  { id, owner }: { id: string; owner: string | null },
  db: Transaction,
): Promise<number> {
  const max = owner === null ? PUBLIC_PENDING_MAX : PENDING_MAX;
  const row = await queryOne<{ count: number }>(
    sql`SELECT count(*) FROM (
          SELECT 1 FROM scheduled_messages
          WHERE ${raw(origin)} = ${id} AND due_at IS NOT NULL LIMIT ${max}
        ) AS pending`,
    db,
  );
  return max - (row?.count ?? 0);
}

/**
 * Cancels an origin's messages that are still to be sent, if they meet the condition. No attempt
 * follows one that is under way. The trigger `end_endpoint_state` does the same.
 */
export async function cancelPending(
  origin: Origin,
  id: string,
  db: Transaction,
  condition = sql`true`,
): Promise<void> {
  await query(
    sql`UPDATE scheduled_messages SET
          last_attempt = lease_token IS NOT NULL,
          status = CASE WHEN lease_token IS NULL THEN 'canceled' ELSE status END,
          due_at = CASE WHEN lease_token IS NOT NULL THEN due_at END,
          updated_at = unix_now(), revision = revision + 1
        WHERE id IN (
          -- Locked in the order of claims and updates.
          SELECT id FROM scheduled_messages
          WHERE ${raw(origin)} = ${id} AND due_at IS NOT NULL AND ${condition}
          ORDER BY id FOR NO KEY UPDATE)`,
    db,
  );
}
