import { setTimeout as pause } from "node:timers/promises";
import { inBatches } from "@/lib/platform/db/batches";
import { isDatabaseDown, isLockTimeout } from "@/lib/platform/db/failures";
import { query, SHORT_WAITS, sql } from "@/lib/platform/db/sql";
import { bytesOf } from "@/lib/platform/http/acceptance";
import { recordedResponseHeaders } from "@/lib/platform/http/recorded-headers";
import { recordChanges } from "@/lib/resources/change";
import { countStored, isStorageFull } from "@/lib/resources/storage/stored-bytes";
import { PART_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import type { DispatchResult } from "./contract";
import { countAttempts, SOURCE } from "./delivery-hours";
import { attemptId, IS_STANDALONE, type LeasedMessage } from "./lease";
import type { Outcome } from "./outcome";

const BATCH_MAX = 100;
/** Shorter than the lease, and long enough for a result to survive a restart of the database. */
const RETRY_MS = 60_000;

type Result = DispatchResult["results"][number] & { id: string };

interface Entry {
  message: LeasedMessage;
  outcome: Outcome;
  /** The target's headers and the beginning of its body, if they are kept. */
  headers: string | null;
  body: string | null;
  /** Set once its message was locked: from then on it is written alone, and no longer after this time. */
  until?: number;
}

/**
 * Records the outcome of an attempt and returns it for the dispatch result. Returns undefined,
 * without writing, if the lease was lost or the message deleted. Outcomes that arrive during a
 * write are batched into the next statement. What the target answered counts as stored by the
 * message's creator, and is left out once the storage is used up.
 */
export async function record(
  message: LeasedMessage,
  outcome: Outcome,
): Promise<Result | undefined> {
  const { organization_id: owner, lane } = message;
  const network = owner === null ? lane || null : null;
  const { responseHeaders, responseBody } = isStorageFull(owner, network) ? NOTHING : outcome;
  const headers = responseHeaders && recordedResponseHeaders(responseHeaders);
  const result = await recordInBatches("", { message, outcome, headers, body: responseBody });
  if (result) countStored(owner, network, bytesOf([headers, responseBody]) + PART_BYTES);
  return result;
}

const NOTHING = { responseHeaders: null, responseBody: null };

const recordInBatches = inBatches<Entry, Result | undefined | Promise<Result | undefined>>(
  async (_key, entries) => {
    try {
      const results = new Map((await writeWithRetry(entries)).map((result) => [result.id, result]));
      return entries.map(({ message }) => results.get(message.id));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // A message is being changed or claimed, perhaps with thousands of others.
      return entries.map((entry) => recordAlone(entry, error));
    }
  },
  // The number of concurrent deliveries already bounds the queue.
  {
    weightOf: ({ until }) => (until === undefined ? 1 : BATCH_MAX),
    batchWeightMax: BATCH_MAX,
    queuedWeightMax: Number.POSITIVE_INFINITY,
    concurrencyMax: 1,
  },
);

/** Writes a result in turn with others of its lane. Those of other lanes do not wait for its lock. */
async function recordAlone(entry: Entry, error: unknown): Promise<Result | undefined> {
  const { message, until = performance.now() + RETRY_MS } = entry;
  if (performance.now() > until) throw error;
  return await recordInBatches(`lane ${message.lane}`, { ...entry, until });
}

async function writeWithRetry(entries: Entry[]): Promise<Result[]> {
  const deadline = performance.now() + RETRY_MS;
  for (;;) {
    try {
      return await write(entries);
    } catch (error) {
      const mayPass = isDatabaseDown(error) && !isLockTimeout(error);
      if (!mayPass || performance.now() > deadline) throw error;
      await pause(250);
    }
  }
}

/** Writes only if the lease is still held. */
function write(entries: Entry[]): Promise<Result[]> {
  const column = <Value>(of: (entry: Entry) => Value) => entries.map(of);
  return query<Result>(sql`
    WITH outcome AS (
      SELECT *, ${SHORT_WAITS} FROM unnest(
        ${column(({ message }) => message.id)}::text[],
        ${column(({ message }) => message.lease_token)}::text[],
        ${column(({ message }) => message.leased_at)}::bigint[],
        ${column(({ outcome }) => outcome.delivered)}::boolean[],
        ${column(({ outcome }) => outcome.responseStatus)}::int[],
        ${column(({ outcome }) => outcome.error)}::text[],
        ${column(({ outcome }) => outcome.retryIn)}::bigint[],
        ${column(({ outcome }) => outcome.durationMs)}::int[],
        ${column(({ headers }) => headers)}::json[],
        ${column(({ body }) => body)}::text[]
      ) AS given (id, lease_token, leased_at, delivered, response_status, error, retry_in,
                  duration_ms, response_headers, response_body)
    ),
    written AS (
      UPDATE scheduled_messages AS message SET
        status = CASE WHEN delivered THEN 'delivered'::message_status ELSE 'failed' END,
        response_status = outcome.response_status, last_error = error,
        delivered_at = unix_now(), lease_token = NULL,
        due_at = CASE WHEN NOT last_attempt THEN unix_now() + retry_in END,
        updated_at = unix_now(), revision = revision + 1
      FROM outcome
      WHERE message.id = outcome.id AND message.lease_token = outcome.lease_token
        AND message.status = 'delivering'
      RETURNING message.id, message.status, message.attempts, message.response_status, message.due_at,
                message.organization_id, message.host, ${SOURCE} AS source,
                ${IS_STANDALONE} AS is_standalone
    ),
    -- Failures are recorded only after the last attempt.
    recorded AS (${recordChanges(
      "messages",
      sql`changed.status`,
      sql`(SELECT * FROM written WHERE due_at IS NULL AND is_standalone)`,
      null,
    )}),
    noted AS (
      INSERT INTO message_attempts (id, message_id, attempt, started_at, duration_ms,
                                    response_status, response_headers, response_body, error)
      SELECT ${attemptId(sql`id`, sql`attempts`)}, id, attempts, leased_at, duration_ms,
             outcome.response_status, response_headers, response_body, error
      FROM written JOIN outcome USING (id)
    ),
    ${countAttempts(sql`
      SELECT organization_id, source, host, delivered,
             CASE WHEN outcome.response_status IS NOT NULL THEN duration_ms END AS latency
      FROM written JOIN outcome USING (id)`)}
    SELECT id, status, attempts, written.response_status, error, due_at AS next_attempt_at
    FROM written JOIN outcome USING (id)`);
}
