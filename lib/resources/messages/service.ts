import { unchangedSinceRead } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { byteaOf } from "@/lib/platform/db/bytea";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import { assertNoMessage } from "@/lib/platform/http/relayed";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators, markChange } from "@/lib/resources/claim-token";
import { resource } from "@/lib/resources/resource";
import { RUN_COLUMNS, type RunColumns } from "@/lib/resources/run-headers";
import { givenColumns } from "@/lib/resources/update";
import { Message, type MessageAttempt, type MessageListQuery, MessageUpdate } from "./contract";
import { messageKind } from "./kind";
import { attemptId, IS_STANDALONE, LEASE_SECONDS } from "./lease";
import { type Failed, inStatus, thatFailed } from "./listing";
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  MESSAGE_COLUMNS,
  type MessageRow,
  serializeAttempt,
  serializeMessage,
} from "./serialize";
import { transitions } from "./state";
import { assertReachable, hostOf } from "./target";

/** A claim drops the result of an attempt that is running, so that no other attempt follows it. */
const INTERRUPTED = "interrupted: The message was claimed during the attempt.";
const IS_INTERRUPTED = sql`(changed_without_token AND status = 'delivering')`;

export const messages = resource(messageKind, {
  schema: Message,
  columns: MESSAGE_COLUMNS,
  serialize: serializeMessage,
  get,
  searched: [sql`url`],
  longTexts: ["body"],
  title: sql`method::text || ' ' || url`,
  // Also during a delivery: a second attempt would have the claimer's signature.
  stops: sql`(changed_without_token AND (due_at IS NOT NULL OR status = 'delivering'))`,
  setByClaim: sql`,
    due_at = CASE WHEN changed_without_token THEN NULL ELSE due_at END,
    delivered_at = CASE WHEN ${IS_INTERRUPTED} THEN due_at - ${LEASE_SECONDS}::bigint ELSE delivered_at END,
    response_status = CASE WHEN ${IS_INTERRUPTED} THEN NULL ELSE response_status END,
    lease_token = CASE WHEN changed_without_token THEN NULL ELSE lease_token END,
    last_error = CASE WHEN ${IS_INTERRUPTED} THEN ${INTERRUPTED} ELSE last_error END,
    attempts_before = CASE WHEN changed_without_token AND status = 'failed' AND due_at IS NOT NULL
                           THEN attempts ELSE attempts_before END,
    status = CASE WHEN NOT changed_without_token THEN status
                  WHEN status = 'delivering' THEN 'failed'
                  WHEN status = 'failed' AND due_at IS NOT NULL THEN 'scheduled' ELSE status END`,
  moreByClaim: sql`, interrupted AS (
      SELECT *, ${IS_STANDALONE} AS is_standalone FROM taken WHERE stops AND status = 'failed'
    ), noted AS (
      INSERT INTO message_attempts (id, message_id, attempt, started_at, error)
      SELECT ${attemptId(sql`id`, sql`attempts`)}, id, attempts, delivered_at, last_error
      FROM interrupted ON CONFLICT DO NOTHING
    ), failed AS (${recordChanges(
      "messages",
      "failed",
      sql`(SELECT * FROM interrupted WHERE is_standalone)`,
      null,
    )})`,
  isChanged: sql`(changed_without_token OR touched_without_token)`,
  isRecorded: IS_STANDALONE,
  // A message that is still to be sent or retried is kept.
  isOver: sql`due_at IS NULL`,
  large: true,
});

const { find } = messages;
const { find: findWithRun } = messages.reader<MessageRow & RunColumns>(
  sql`${MESSAGE_COLUMNS}, ${RUN_COLUMNS}`,
  { large: true },
);
export const { remove } = messages;

export interface MessageFilter {
  /** Only those whose URL contains this. */
  words?: string | undefined;
  /** Only those to this host, as `hostOf` returns it. */
  host?: string | undefined;
  /** Only failed messages, by whether they will be retried. */
  failed?: Failed | undefined;
  /** Only permanently failed messages that failed at this time or later. */
  since?: number | undefined;
  /** Only those of a bulk replay. */
  replayId?: string | undefined;
}

/** The messages of the caller's organization, newest first. Empty for anonymous callers. */
export function list(
  caller: Caller,
  listQuery: MessageListQuery,
  { words, host, failed, since, replayId }: MessageFilter = {},
): Promise<List<Message>> {
  const { status, external_id } = listQuery;
  const conditions: Sql[] = [];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (replayId !== undefined) {
    conditions.push(sql`webhook_replay_id = ${replayId}`);
    if (failed) conditions.push(thatFailed(failed));
  }
  if (host !== undefined) conditions.push(sql`host = ${host}`);
  const through = (organizationId: string) => {
    // Few messages share a replay or an external ID.
    if (replayId !== undefined) return undefined;
    if (failed) return inStatus(organizationId, "failed", failed, since);
    if (status === undefined || external_id !== undefined) return undefined;
    return inStatus(organizationId, status);
  };
  return messages.list(caller, listQuery, words, { conditions, through });
}

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Message> {
  return (await getWithRun(caller, id)).message;
}

/** Like `get`, with the schedule that created it. */
export async function getWithRun(
  caller: Caller,
  id: string,
): Promise<{ message: Message; run: RunColumns }> {
  const row = await findWithRun(caller, id);
  return { message: serializeMessage(row, caller), run: row };
}

/** Throws 404, 403, 412, and 400 unless the message is still scheduled. */
export async function update(
  caller: Caller,
  id: string,
  changes: MessageUpdate,
  precondition?: Precondition,
): Promise<Message> {
  const { url, headers, body } = changes;
  if (url !== undefined) assertReachable(caller, url);
  const written = {
    ...changes,
    host: url === undefined ? undefined : hostOf(url),
    headers: headers === null ? {} : headers,
    body: typeof body === "string" ? byteaOf(Buffer.from(body)) : body,
    // What somebody else wrote is not sent with the secret headers of a forward.
    takes_headers: [url, changes.method, headers, body].some((given) => given !== undefined)
      ? false
      : undefined,
    public_only: caller.foreignPage && Object.keys(changes).length > 0 ? true : undefined,
  };
  return updateMessage(caller, id, written, precondition);
}

/** Selects the new time from the changes, or the old value of the column. */
function newDueAt(column: Sql): Sql {
  return sql`coalesce((changes).scheduled_at,
    unix_now() + (item->>'delay_seconds')::bigint, ${column})`;
}

const TIME = { scheduled_at: true, delay_seconds: true } as const;
const fields = MessageUpdate.omit(TIME).keyof().options;

const updateMessage = messages.updater({
  assertUpdatable(row, caller) {
    if (!transitions.edit.allows(row)) throw transitions.edit.refusal(row);
    assertReachable(caller, row.url);
  },
  where: transitions.edit.condition,
  // A new time stops nothing: whenever the message is sent, the claimer signs what the creator
  // wrote. The claim still lists it as changed.
  unmarked: Object.keys(TIME),
  set: sql`${givenColumns("ScheduledMessage", [...fields, "host"])},
    scheduled_at = ${newDueAt(sql`scheduled_at`)}, due_at = ${newDueAt(sql`due_at`)},
    touched_without_token = touched_without_token
      OR (organization_id IS NULL AND NOT (item->>'by_creator')::boolean),
    takes_headers = takes_headers AND coalesce((changes).takes_headers, true),
    verbatim = verbatim AND item->'headers' IS NULL,
    public_only = public_only OR coalesce((changes).public_only, false)`,
});

/** Cancels a pending message. Idempotent. Throws 404, 403, and 400 when it is no longer pending. */
export function cancel(caller: Caller, id: string, commit: Commit): Promise<Message> {
  const set = sql`status = 'canceled', due_at = NULL`;
  return move(caller, id, { by: "cancel", action: "canceled", set, commit });
}

/** Sends a failed, canceled or held message now, with new attempts. Throws 404, 403 and 400. */
export async function retry(caller: Caller, id: string, commit: Commit): Promise<Message> {
  assertNoMessage(caller);
  const set = sql`status = 'scheduled', scheduled_at = unix_now(), due_at = unix_now(),
    attempts_before = attempts, last_attempt = false,
    public_only = public_only OR ${caller.foreignPage !== undefined}`;
  return move(caller, id, { by: "retry", action: "retried", set, commit });
}

interface Move {
  by: "cancel" | "retry";
  /** The change that is recorded. A message that already has this status stays as it is. */
  action: "canceled" | "retried";
  set: Sql;
  commit: Commit;
}

async function move(caller: Caller, id: string, wanted: Move): Promise<Message> {
  const { by, action, set, commit } = wanted;
  const row = await find(caller, id);
  if (row.status === action) return serializeMessage(row, caller);
  if (!transitions[by].allows(row)) throw transitions[by].refusal(row);
  assertReachable(caller, row.url);
  const byCreator = await isCreators(caller, id);
  const change = sql`
    WITH written AS (
      UPDATE scheduled_messages SET ${set}, updated_at = unix_now(), revision = revision + 1,
        ${markChange(sql`scheduled_messages`, byCreator)}
      WHERE id = ${id} AND ${transitions[by].condition} AND ${unchangedSinceRead(row, undefined)}
      RETURNING *
    ), recorded AS (${recordChanges(
      "messages",
      action,
      sql`(SELECT * FROM written WHERE ${IS_STANDALONE})`,
      actorOf(caller),
    )})
    SELECT ${MESSAGE_COLUMNS} FROM written`;
  const moved = await commit(async (db) => {
    const written = await queryOne<MessageRow>(change, db);
    return written ? serializeMessage(written, caller) : UNRECORDED;
  });
  // It was found in another state.
  return moved === UNRECORDED ? move(caller, id, wanted) : moved;
}

/** Delivery attempts, newest first. Throws 404 and 403. */
export async function listAttempts(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<MessageAttempt>> {
  await find(caller, id);
  return listNewest<AttemptRow, MessageAttempt>(
    {
      table: sql`message_attempts`,
      columns: ATTEMPT_COLUMNS,
      longTexts: ["response_body"],
      conditions: [sql`message_id = ${id}`],
      serialize: serializeAttempt,
    },
    listQuery,
  );
}
