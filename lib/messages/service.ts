import { organizationOf, unchangedSinceRead } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { assignments, type Db, join, query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import type { Precondition } from "@/lib/http/conditional";
import { emptyList, type List } from "@/lib/http/list";
import { listNewest } from "@/lib/http/newest";
import { claimableKind } from "@/lib/resources/kind";
import {
  type AttemptListQuery,
  type CreatedMessage,
  Message,
  type MessageAttempt,
  type MessageCreate,
  type MessageListQuery,
  type MessageUpdate,
} from "./contract";
import { type AttemptRow, type MessageRow, serializeAttempt, serializeMessage } from "./serialize";
import { transitions } from "./state";
import { assertReachable, hostOf } from "./target";

/** Beyond this, the caller may have sent milliseconds instead of seconds. */
const FAR_AHEAD_SECONDS = 31_622_400; // 366 days, the largest `delay_seconds`

const COLUMNS = sql`id, organization_id, url, method, headers, scheduled_at, status,
  due_at, coalesce(status <> 'delivering' AND due_at <= unix_now() - 60, false) AS overdue, attempts, response_status, last_error, delivered_at, external_id, created_at, updated_at,
  revision, body`;

export const claimableMessage = claimableKind<MessageRow>({
  name: "messages",
  schema: Message,
  table: sql`scheduled_messages`,
  columns: COLUMNS,
  serialize: serializeMessage,
  title: sql`method || ' ' || url`,
});

const { find } = claimableMessage;
export const { remove } = claimableMessage;

/** The messages of the caller's organization, newest first. Empty for anonymous callers. */
export async function list(caller: Caller, listQuery: MessageListQuery): Promise<List<Message>> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return emptyList(listQuery);
  const conditions = [sql`organization_id = ${organizationId}`];
  if (listQuery.status !== undefined) conditions.push(sql`status = ${listQuery.status}`);
  if (listQuery.external_id !== undefined) {
    conditions.push(sql`external_id = ${listQuery.external_id}`);
  }
  return listNewest<MessageRow, Message>(
    {
      table: sql`scheduled_messages`,
      columns: COLUMNS,
      longTexts: [sql`body`, sql`external_id`],
      conditions,
      serialize: serializeMessage,
    },
    listQuery,
  );
}

/**
 * Schedules a message in the caller's organization, or a public one with a claim token. Throws 400
 * when no time is given.
 */
export async function create(
  caller: Caller,
  input: MessageCreate,
  db?: Db,
): Promise<CreatedMessage> {
  const dueAt = dueTime(input);
  if (!dueAt) {
    throw new ApiError(
      "missing_required_param",
      "Either scheduled_at or delay_seconds is required.",
      { param: "scheduled_at" },
    );
  }
  const body = input.body === undefined || input.body === null ? null : Buffer.from(input.body);
  return schedule(caller, { ...input, body, dueAt }, db);
}

/** Creates a message that is due now, with a binary body. Used to replay captured requests. */
export function createImmediate(
  caller: Caller,
  input: { url: string; method?: Message["method"]; headers?: Record<string, string> },
  body: Uint8Array | null,
  db?: Db,
): Promise<CreatedMessage> {
  return schedule(caller, { ...input, body, dueAt: sql`unix_now()` }, db);
}

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Message> {
  return serializeMessage(await find(caller, id));
}

/** Throws 404, 403, 412, and 400 unless the message is still scheduled. */
export async function update(
  caller: Caller,
  id: string,
  changes: MessageUpdate,
  precondition?: Precondition,
): Promise<Message> {
  const row = await find(caller, id);
  // Before If-Match: a request that would fail anyway fails for its own reason (RFC 9110 §13.2.1).
  if (!transitions.edit.allows(row)) throw transitions.edit.refusal(row);
  precondition?.(serializeMessage(row));
  const { url, method, headers, body } = changes;
  assertReachable(caller, row.url);
  if (url !== undefined) assertReachable(caller, url);
  const dueAt = dueTime(changes);
  const changed = [
    ...assignments({
      url,
      host: url === undefined ? undefined : hostOf(url),
      method,
      headers: headers === null ? {} : headers,
      body: typeof body === "string" ? Buffer.from(body) : body,
    }),
    ...(dueAt ? [sql`scheduled_at = ${dueAt}`, sql`due_at = ${dueAt}`] : []),
  ];
  if (changed.length === 0) return serializeMessage(row);
  if (caller.foreignPage) changed.push(sql`public_only = true`);
  const updated = await queryOne<MessageRow>(sql`
    UPDATE scheduled_messages
    SET ${join(changed, ", ")}, updated_at = unix_now(), revision = revision + 1
    WHERE id = ${id} AND ${transitions.edit.condition} AND ${unchangedSinceRead(row, precondition)}
    RETURNING ${COLUMNS}`);
  return updated ? serializeMessage(updated) : update(caller, id, changes, precondition);
}

/** Cancels a pending message. Idempotent. Throws 404, 403, and 400 when it is no longer pending. */
export async function cancel(caller: Caller, id: string): Promise<Message> {
  const row = await find(caller, id);
  if (row.status === "canceled") return serializeMessage(row);
  if (!transitions.cancel.allows(row)) throw transitions.cancel.refusal(row);
  assertReachable(caller, row.url);
  const canceled = await queryOne<MessageRow>(sql`
    UPDATE scheduled_messages SET status = 'canceled', due_at = NULL,
      updated_at = unix_now(), revision = revision + 1
    WHERE id = ${id} AND ${transitions.cancel.condition} AND ${unchangedSinceRead(row, undefined)}
    RETURNING ${COLUMNS}`);
  return canceled ? serializeMessage(canceled) : cancel(caller, id);
}

/**
 * Sends a failed or canceled message again now, with a fresh set of attempts. Throws 404, 403, and
 * 400.
 */
export async function retry(caller: Caller, id: string): Promise<Message> {
  const row = await find(caller, id);
  if (!transitions.retry.allows(row)) throw transitions.retry.refusal(row);
  assertReachable(caller, row.url);
  const retried = await queryOne<MessageRow>(sql`
    UPDATE scheduled_messages SET status = 'scheduled', scheduled_at = unix_now(),
      due_at = unix_now(), attempts_before = attempts,
      public_only = public_only OR ${caller.foreignPage !== undefined},
      updated_at = unix_now(), revision = revision + 1
    WHERE id = ${id} AND ${transitions.retry.condition} AND ${unchangedSinceRead(row, undefined)}
    RETURNING ${COLUMNS}`);
  return retried ? serializeMessage(retried) : retry(caller, id);
}

/** Delivery attempts, newest first. Throws 404 and 403. */
export async function listAttempts(
  caller: Caller,
  id: string,
  listQuery: AttemptListQuery,
): Promise<List<MessageAttempt>> {
  await find(caller, id);
  return listNewest<AttemptRow, MessageAttempt>(
    {
      table: sql`message_attempts`,
      columns: sql`id, message_id, attempt, started_at, duration_ms, response_status,
        response_headers, response_body, error`,
      longTexts: [sql`response_body`],
      conditions: [sql`message_id = ${id}`],
      serialize: serializeAttempt,
    },
    listQuery,
  );
}

/** When a message is due, as a SQL expression; undefined when no time is given. */
function dueTime(input: { scheduled_at?: number; delay_seconds?: number }): Statement | undefined {
  if (input.scheduled_at !== undefined) return sql`${input.scheduled_at}::bigint`;
  if (input.delay_seconds === undefined) return undefined;
  return sql`unix_now() + ${input.delay_seconds}::bigint`;
}

async function schedule(
  caller: Caller,
  input: {
    url: string;
    method?: Message["method"];
    headers?: Record<string, string>;
    body: Uint8Array | null;
    dueAt: Statement;
    external_id?: string | null;
  },
  db?: Db,
): Promise<CreatedMessage> {
  assertReachable(caller, input.url);
  const { id, ...ticket } = claimableMessage.newTicket(caller);
  const [row] = await query<MessageRow & { is_far_ahead: boolean }>(
    sql`INSERT INTO scheduled_messages (id, organization_id, claim_token_digest, url, host, method,
                                        headers, body, scheduled_at, due_at, external_id,
                                        public_only)
        VALUES (${id}, ${organizationOf(caller)}, ${ticket.digest}, ${input.url},
                ${hostOf(input.url)}, ${input.method ?? "POST"}, ${input.headers ?? {}},
                ${input.body}, ${input.dueAt}, ${input.dueAt}, ${input.external_id ?? null},
                ${caller.foreignPage !== undefined})
        RETURNING ${COLUMNS},
          scheduled_at > unix_now() + ${FAR_AHEAD_SECONDS}::bigint AS is_far_ahead`,
    db,
  );
  if (!row) throw new Error("An insert returned no row.");
  const warnings = row.is_far_ahead ? [farAheadWarning(row.scheduled_at)] : undefined;
  return { ...serializeMessage(row), ...ticket.fields, ...(warnings && { warnings }) };
}

function farAheadWarning(scheduledAt: number): string {
  return `scheduled_at ${scheduledAt} is more than a year ahead. Use Unix seconds, not milliseconds.`;
}
