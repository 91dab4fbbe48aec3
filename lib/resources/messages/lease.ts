import { config } from "@/lib/platform/config/config";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { query, type Sql, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { recordChanges } from "@/lib/resources/change";
import { DISPATCH_IS_OFF } from "@/lib/resources/messages/dispatch-off";
import { RUN_COLUMNS, type RunColumns } from "@/lib/resources/run-headers";
import type { Message } from "./contract";
import { countAttempts, SOURCE } from "./delivery-hours";
import { headsOf, oldestDue, probes, type Queue, queuesAfter, type Walked } from "./due";
import type { PushSecrets } from "./pushed-event";
import { type OwnSecretVersion, SECRET_COLUMNS } from "./signing-secret";
import { type Busy, busyWith, type Queued, turns } from "./turns";
import { type HeldQueue, heldQueues } from "./unreachable-hosts";

/** Well above the 15 seconds that an attempt may take. */
export const LEASE_SECONDS = 90;
/**
 * The minimum number of the oldest due messages that a lease considers before falling back to the
 * head of every queue. Ranking them is most of a lease's cost.
 */
const HEAD_SIZE_MIN = 100;
/** About 10 ms. */
const QUEUES_PER_WALK = 1000;

/** A message that only this process may deliver until the lease expires. */
export type LeasedMessage = Queued &
  Row<"ScheduledMessage", "id" | "attempts"> &
  RunColumns &
  OwnSecretVersion &
  PushSecrets &
  RowOf<typeof LEASED_COLUMNS> & {
    /** Unaffected by a claim. */
    created_without_key: boolean;
    is_replay: boolean;
    /** The headers that the forward or subscription adds for this URL. */
    sealed_headers: Uint8Array | null;
    /** Set if this URL takes a text. */
    text_field: string | null;
    /** Never null, since the lease sets it. */
    lease_token: string;
    /** The database's time of the lease, in Unix seconds. */
    leased_at: number;
    prior_status: Message["status"];
    /** Never null, since it was due. */
    prior_due_at: number;
  };

const LEASED_COLUMNS = columns(
  "ScheduledMessage",
  `url, method, headers, body, public_only, traceparent, attempts_before, attempts_max, verbatim,
   subscription_id, webhook_endpoint_id, webhook_event_id, created_at`,
);

export interface Lease {
  messages: LeasedMessage[];
  /** More may be due: others leased some of the candidates, or not all queues were looked at. */
  isIncomplete: boolean;
  /** More are due, and wait for deliveries that are running. */
  isLimited: boolean;
}

const last = oncePerProcess("messages.last-lease", () => ({
  /**
   * Whether the oldest messages took every slot in the last lease, or wait for one: alone they
   * would take every slot again.
   */
  headsFirst: false,
  /** The queue to resume after. */
  queue: null as Queue | null,
}));

/**
 * Leases as many due messages as there are free slots, in turn between lanes and, within each,
 * between hosts. Counts the attempt at once, so that a message that crashes the process is not
 * retried forever. When `probing`, one retry to each unreachable host tests whether it is back.
 */
export async function lease(busy: Busy, graceSeconds: number, probing: boolean): Promise<Lease> {
  const slots = config().deliveriesMax - busy.total;
  const headSize = Math.max(HEAD_SIZE_MIN, 2 * slots);
  const held = heldQueues();
  // A running request to a host shows as much as a probe would.
  const idle = probing ? held.filter(({ host }) => !busy.hosts.has(host)) : [];
  const withProbes = (due: Sql) =>
    idle.length === 0 ? due : sql`(${due}) UNION ALL (${probes(idle)})`;
  const { headsFirst } = last;
  last.headsFirst = false;
  const heads = headsFirst ? await leaseHeads(busy, held, graceSeconds, withProbes) : undefined;
  if (heads && heads.messages.length > 0) return heads;
  const head = await leaseFrom(withProbes(oldestDue(graceSeconds, headSize)), busy, held);
  if (head.considered < headSize) return head;
  const isFull = head.messages.length >= slots;
  last.headsFirst = isFull || head.isLimited;
  if (isFull) return head;
  const more = busyWith(busy, head.messages);
  const others =
    heads ??
    (await leaseHeads(more, held, graceSeconds).catch((error): Lease => {
      // The messages of the head are leased already: nobody else would deliver them.
      if (head.messages.length === 0) throw error;
      logError("The heads of queues could not be leased:", error);
      return { messages: [], isIncomplete: false, isLimited: false };
    }));
  return {
    messages: [...head.messages, ...others.messages],
    isIncomplete: head.isIncomplete || others.isIncomplete,
    isLimited: head.isLimited || others.isLimited,
  };
}

/**
 * Leases from the heads of the next queues, from where the last call ended: with many queues, most
 * have only messages for later.
 */
async function leaseHeads(
  busy: Busy,
  held: HeldQueue[],
  graceSeconds: number,
  withProbes = (due: Sql) => due,
): Promise<Lease> {
  const walked = await query<Walked>(queuesAfter(last.queue, graceSeconds, QUEUES_PER_WALK));
  last.queue = walked.find(({ is_last }) => is_last) ?? null;
  const due = walked.filter(({ is_due }) => is_due);
  const heads = withProbes(headsOf(due, graceSeconds));
  const leased = due.length > 0 ? await leaseFrom(heads, busy, held) : undefined;
  return {
    messages: leased?.messages ?? [],
    isIncomplete: last.queue !== null || (leased?.isIncomplete ?? false),
    isLimited: leased?.isLimited ?? false,
  };
}

/**
 * Like `lease`, from messages that `candidates` selects. A single statement, since a SELECT followed by
 * an UPDATE would let two dispatchers lease the same message. SKIP LOCKED keeps them from waiting for
 * each other; a row that another has leased is no longer due.
 */
export async function leaseFrom(
  candidates: Sql,
  busy: Busy,
  held = heldQueues(),
): Promise<Lease & { considered: number }> {
  const { messageMaxAttempts } = config();
  const token = newId("lse");
  const rows = await query<
    Record<"considered" | "waiting" | "wanted" | "found", number> & (LeasedMessage | { id: null })
  >(sql`
    WITH considered AS MATERIALIZED (
      SELECT * FROM (${candidates}) AS due WHERE NOT ${DISPATCH_IS_OFF}
    ),
    ${turns(busy, held)},
    locked AS (
      SELECT id, organization_id, host AS target, ${SOURCE} AS source, status, due_at, attempts,
             status = 'delivering' AND lease_token IS NOT NULL AS died,
             last_attempt
               OR attempts - attempts_before >= coalesce(attempts_max, ${messageMaxAttempts}::int) AS used_up
      FROM scheduled_messages
      WHERE id IN (SELECT id FROM chosen) AND due_at <= unix_now()
      FOR UPDATE SKIP LOCKED
    ),
    interrupted AS (
      INSERT INTO message_attempts (id, message_id, attempt, started_at, error)
      SELECT ${attemptId(sql`id`, sql`attempts`)}, id, attempts, due_at - ${LEASE_SECONDS}::bigint,
             ${INTERRUPTED}
      FROM locked WHERE died
      ON CONFLICT DO NOTHING
    ),
    ${countAttempts(sql`
      SELECT organization_id, source, target AS host, false AS delivered, NULL::int AS latency
      FROM locked WHERE died`)},
    over AS (
      UPDATE scheduled_messages AS message SET
        status = 'failed', due_at = NULL, lease_token = NULL, response_status = NULL,
        last_error = ${INTERRUPTED}, delivered_at = locked.due_at - ${LEASE_SECONDS}::bigint,
        updated_at = unix_now(), revision = revision + 1
      FROM locked WHERE message.id = locked.id AND died AND used_up
      RETURNING message.id, message.organization_id, ${IS_STANDALONE} AS is_standalone
    ),
    recorded AS (${recordChanges(
      "messages",
      "failed",
      sql`(SELECT * FROM over WHERE is_standalone)`,
      null,
    )}),
    leased AS (
      UPDATE scheduled_messages AS message SET
        status = 'delivering', due_at = unix_now() + ${LEASE_SECONDS}::bigint,
        lease_token = ${token}, attempts = message.attempts + 1,
        updated_at = unix_now(), revision = revision + 1
      FROM locked WHERE message.id = locked.id AND NOT (died AND used_up)
      RETURNING message.id, claim_token_digest IS NOT NULL AS created_without_key,
        message.organization_id, COALESCE(message.organization_id, network, '') AS lane, host,
        ${LEASED_COLUMNS}, takes_headers, ${RUN_COLUMNS}, message.attempts, replayed_event_id IS NOT NULL AS is_replay,
        lease_token, unix_now() AS leased_at, locked.status AS prior_status,
        locked.due_at AS prior_due_at
    )
    SELECT (SELECT count(*) FROM considered) AS considered, (SELECT count(*) FROM in_queue) AS waiting,
           (SELECT count(*) FROM chosen) AS wanted, (SELECT count(*) FROM locked) AS found, leased.*,
           ${SECRET_COLUMNS}, push.secret AS push_secret,
           CASE WHEN push.previous_until > unix_now() THEN push.previous_secret END
             AS push_previous_secret,
           CASE WHEN leased.takes_headers THEN coalesce(forward.sealed_headers, push.sealed_headers)
             END AS sealed_headers,
           CASE WHEN leased.takes_headers THEN coalesce(forward.text_field, push.text_field)
             END AS text_field
    FROM (SELECT 1) AS always LEFT JOIN leased ON true
    LEFT JOIN organizations ON organizations.id = leased.organization_id
    LEFT JOIN subscriptions AS push ON push.id = leased.subscription_id
      -- A subscription that a client makes again has the ID of the last, but not its messages.
      AND (push.event IS NULL OR push.message_id = leased.id OR push.created_at < leased.created_at)
    LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = leased.webhook_endpoint_id
      AND endpoint.organization_id IS NOT DISTINCT FROM leased.organization_id
    LEFT JOIN webhook_forwards AS forward ON forward.endpoint_id = endpoint.id
      AND forward.url = leased.url`);
  return {
    messages: rows.filter((row) => row.id !== null),
    considered: rows[0]?.considered ?? 0,
    isIncomplete: (rows[0]?.wanted ?? 0) > (rows[0]?.found ?? 0),
    isLimited: busy.total > 0 && (rows[0]?.waiting ?? 0) > (rows[0]?.wanted ?? 0),
  };
}

/** Whether a message is in the feed: not from a forward, a subscription or a bulk replay. */
export const IS_STANDALONE = sql`(
  webhook_endpoint_id IS NULL AND subscription_id IS NULL AND webhook_replay_id IS NULL)`;

const INTERRUPTED = "interrupted: The process ended during the attempt.";

/** A deterministic ID for each attempt of a message, in order of attempts. */
export function attemptId(messageId: Sql, attempt: Sql): Sql {
  return sql`'att_' || substr(${messageId}, 5) || lpad(${attempt}::text, 6, '0')`;
}
