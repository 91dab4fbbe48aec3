import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { isRevoked } from "@/lib/identity/keys/live-key";
import { isDeleted } from "@/lib/identity/organizations/deleted";
import { coalesced } from "@/lib/platform/background/coalesced";
import { onLeader } from "@/lib/platform/background/leader";
import { columnsOf, type Row, type RowOf } from "@/lib/platform/db/columns";
import { isDatabaseDown, isDatabaseGone } from "@/lib/platform/db/failures";
import { afterCommit, query, queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { readHeaders } from "@/lib/platform/http/recorded-headers";
import { logError } from "@/lib/platform/telemetry/log";
import { backgroundEnd, isStopping } from "@/lib/resources/messages/dispatch";
import { isDispatchOff } from "@/lib/resources/messages/dispatch-off";
import { dispatchReplaysSoon } from "@/lib/resources/messages/dispatch-replays";
import { cancelPending, type Enqueued, enqueue } from "@/lib/resources/messages/enqueue";
import { countEnded, NONE_ENDED } from "@/lib/resources/messages/replays";
import { countStored, isStorageFull } from "@/lib/resources/storage/stored-bytes";
import { RESOURCE_BYTES } from "@/lib/resources/storage/stored-bytes-sum";
import { matching, matchingWithinBudget } from "@/lib/resources/webhooks/events/filter";
import { sendableMethod, sendersHeaders } from "@/lib/resources/webhooks/events/sendable";

/** The maximum number of one replay's unfinished messages. More are made when half have finished. */
export const UNENDED_MAX = 50;
const BYTES_PER_STEP = 4_000_000;
const PAUSE_MS = 200;
/** The scheduler sends a message that is due later. */
const SOON_SECONDS = 5;
const REPLAYS_PER_ROUND = 1000;
/** A replay that fails may take a tenth of the time. */
const RETRY_FACTOR = 10;

/** When replays that failed are tried again, by `performance.now()`. */
const retryAt = new Map<string, number>();

const COLUMNS = columnsOf(
  "r",
  "WebhookReplay",
  `id, organization_id, endpoint_id, url, retry, public_only, method, q, header, up_to, position,
   status`,
);

type Replay = RowOf<typeof COLUMNS> & {
  pending: number;
  /** Pending messages that are being delivered, or due in a moment. Retries wait for the scheduler, or a host. */
  moving: number;
  is_over: boolean;
};

/**
 * Whether the key of replay `r` was revoked, its endpoint deleted, or the membership behind it
 * ended. A membership that began after the replay does not count.
 */
const IS_OVER = sql`(${isRevoked(sql`r.key_id`)}
  OR NOT EXISTS (SELECT FROM webhook_endpoints WHERE id = r.endpoint_id)
  OR r.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM members
       WHERE organization_id = r.organization_id AND user_id = r.user_id
         AND members.created_at <= r.created_at))`;

type Event = Row<"WebhookEvent", "id" | "method" | "headers" | "body" | "size_bytes"> & {
  is_last: boolean;
};

/** Advances all replays in the background. If the server stops first, the scheduler continues them. */
export function runReplaysSoon(): void {
  waitUntil(runReplays().catch(() => {}));
}

/** Advances replays for the scheduler, if there are any. */
export async function continueReplays(): Promise<void> {
  // (c) The scheduler runs it in every round.
  const unended = await queryOne(sql`SELECT 1 FROM webhook_replays WHERE ended_at IS NULL LIMIT 1`);
  if (unended) runReplaysSoon();
}

/** Makes no more messages, and cancels those that have not been sent. Returns whether the replay was running. */
export function cancelReplay(id: string): Promise<boolean> {
  return transaction(async (db) => {
    // Locked before its messages, in the order of a step that makes more of them.
    const { count } = await db.webhookReplay.updateMany({
      where: { id, status: "running" },
      data: { status: "canceled" },
    });
    if (count > 0) await cancelPending("webhook_replay_id", id, db);
    return count > 0;
  });
}

/** Advances all replays in the leader, until none moves or the time is up (`backgroundEnd`). */
const runReplays = onLeader(
  "runReplays",
  coalesced("runReplays", async () => {
    const end = backgroundEnd();
    try {
      while (!isStopping() && (await advanceAll()) && performance.now() < end) {
        await pause(PAUSE_MS, undefined, { ref: false });
      }
    } catch (error) {
      if (!isDatabaseDown(error)) logError("Replays could not be run:", error);
    }
  }),
);

/** Returns whether a replay may move again soon. */
async function advanceAll(): Promise<boolean> {
  const replays = (await isDispatchOff()) ? [] : await unended();
  for (const [id, at] of retryAt) if (at < performance.now()) retryAt.delete(id);
  let mayMove = false;
  // In sequence: a step may search many bytes, and shares the database with requests.
  for (const replay of replays) if (await step(replay)) mayMove = true;
  if (replays.every(({ moving }) => moving === 0)) return mayMove;
  // Messages may have found no free slot before.
  dispatchReplaysSoon();
  return true;
}

/**
 * The replays that have not ended, except those of deleted organizations. (d) In random order, so
 * that no replay is always first.
 */
function unended(): Promise<Replay[]> {
  return query<Replay>(sql`
    SELECT ${COLUMNS}, sent.*, ${IS_OVER} AS is_over
    FROM webhook_replays r CROSS JOIN LATERAL (
      SELECT count(*) AS pending, count(*) FILTER (WHERE status = 'delivering'
               OR attempts = attempts_before AND due_at < unix_now() + ${SOON_SECONDS}::bigint) AS moving
      FROM scheduled_messages WHERE webhook_replay_id = r.id AND due_at IS NOT NULL
    ) AS sent
    WHERE r.ended_at IS NULL AND NOT ${isDeleted(sql`r.organization_id`)}
    ORDER BY random() LIMIT ${REPLAYS_PER_ROUND}`);
}

/** Makes more messages, cancels or ends the replay. Returns whether there was anything to do. */
async function step(replay: Replay): Promise<boolean> {
  const { id, status, position, up_to, pending, is_over } = replay;
  const begun = performance.now();
  if (begun < (retryAt.get(id) ?? 0)) return false;
  try {
    if (status === "running" && is_over) return await cancelReplay(id);
    if (status === "running" && position < up_to) {
      if (pending > UNENDED_MAX / 2 || isStorageFull(replay.organization_id, null)) return false;
      await makeMessages(replay);
      dispatchReplaysSoon();
      return true;
    }
    if (status === "running" && pending > 0) return false;
    return await end(replay);
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    logError("A replay could not be advanced:", error);
    const now = performance.now();
    retryAt.set(id, now + RETRY_FACTOR * (now - begun));
    return false;
  }
}

async function makeMessages(replay: Replay): Promise<void> {
  const { id, endpoint_id, organization_id, position, up_to, pending, method, q, header } = replay;
  const endpoint = { id: endpoint_id, organization_id };
  const filter = {
    since: position,
    method: method ?? undefined,
    q: q ?? undefined,
    header: header ?? undefined,
  };
  const { matches, stop } = await matchingWithinBudget(endpoint, filter);
  const searchedTo = stop !== undefined && stop < up_to ? stop : up_to;
  await transaction(async (db) => {
    // (a) Another process may have made this step, or the replay may have been canceled or be over.
    const locked = await queryOne(
      sql`SELECT id FROM webhook_replays AS r
          WHERE id = ${id} AND status = 'running' AND position = ${position} AND NOT ${IS_OVER}
          FOR NO KEY UPDATE`,
      db,
    );
    if (!locked) return;
    const limit = UNENDED_MAX - pending;
    const events = await query<Event>(
      sql`SELECT *, place = found AND found <= ${limit} AS is_last FROM (
            SELECT id, method, headers, body, size_bytes, row_number() OVER upto AS place,
                   count(*) OVER () AS found,
                   sum(octet_length(body) + octet_length(headers)) OVER upto AS bytes
            FROM (SELECT * FROM webhook_events WHERE ${matches} AND id <= ${searchedTo}
                  ORDER BY id LIMIT ${limit + 1}) AS next
            WINDOW upto AS (ORDER BY id)
          ) AS measured
          WHERE place <= ${limit} AND (place = 1 OR bytes <= ${BYTES_PER_STEP}) ORDER BY place`,
      db,
    );
    const last = events.at(-1);
    const newPosition = last && !last.is_last ? last.id : searchedTo;
    const whole = events.filter(({ body, size_bytes }) => body.length === size_bytes);
    if (whole.length > 0) {
      await enqueue(messagesOf(replay, whole), db);
      const bytes = whole.reduce((sum, { size_bytes }) => sum + size_bytes + RESOURCE_BYTES, 0);
      afterCommit(db, () => countStored(organization_id, null, bytes));
    }
    const passed = matching(endpoint, { since: position, method: filter.method });
    await query(
      sql`UPDATE webhook_replays SET position = ${newPosition},
                 searched = searched + (SELECT count(*) FROM webhook_events
                                        WHERE ${passed} AND id <= ${newPosition}),
                 made = made + ${whole.length}, skipped = skipped + ${events.length - whole.length}
          WHERE id = ${id}`,
      db,
    );
  });
}

/** The events as messages with the headers of their own senders. */
function messagesOf(replay: Replay, events: Event[]): Enqueued[] {
  const { id, endpoint_id, organization_id, url, retry, public_only } = replay;
  return events.map((event) => ({
    webhook_replay_id: id,
    replayed_endpoint_id: endpoint_id,
    replayed_event_id: event.id,
    organization_id,
    url,
    method: sendableMethod(event.method),
    headers: sendersHeaders(readHeaders(event.headers).headers),
    body: event.body,
    public_only,
    verbatim: true,
    attempts_max: retry ? null : 1,
  }));
}

/** Records the outcomes of the messages once all have finished. Returns whether they have. */
function end({ id }: Replay): Promise<boolean> {
  return transaction(async (db) => {
    // (a) A step of another process comes before or after.
    await query(sql`SELECT FROM webhook_replays WHERE id = ${id} FOR NO KEY UPDATE`, db);
    // In one statement: a delivery that ends between two would be in neither count.
    const counts = (await countEnded([id], db)).get(id) ?? NONE_ENDED;
    const { delivered, failed, canceled, pending } = counts;
    if (pending > 0) return false;
    const ended = await queryOne(
      sql`UPDATE webhook_replays SET ended_at = unix_now(), delivered = ${delivered},
                 failed = ${failed}, canceled = ${canceled},
                 status = CASE WHEN status = 'running' THEN 'completed' ELSE status END
          WHERE id = ${id} AND ended_at IS NULL AND (status <> 'running' OR position >= up_to)
          RETURNING id`,
      db,
    );
    return ended !== undefined;
  });
}
