import { config } from "@/lib/platform/config/config";
import { type Sql, sql } from "@/lib/platform/db/sql";
import type { HeldQueue } from "./unreachable-hosts";

/*
 * Queries for due messages, from which a lease chooses. `graceSeconds` excludes those that became
 * due, or were written, less than that long ago.
 */

const REPLAYS_LOOKED_AT_MAX = 1000;

/** The lane in which a message takes turns: its organization, or its public creator's network. */
const LANE = sql`COALESCE(organization_id, network, '')`;

/** Retries form a queue of their own, since they wait while a host is unreachable. */
const IS_RETRY = sql`(attempts > attempts_before)`;

const COLUMNS = columns(IS_RETRY);

function columns(waits: Sql): Sql {
  return sql`id, ${LANE} AS lane, organization_id IS NULL AS is_public, host, ${waits} AS is_retry,
    due_at`;
}

/** The messages that have been due longest. */
export function oldestDue(graceSeconds: number, limit: number): Sql {
  return sql`
    SELECT ${COLUMNS} FROM scheduled_messages WHERE ${isDue(graceSeconds)}
    ORDER BY due_at, id LIMIT ${limit}`;
}

/** The messages of a lane to one host; retries form a queue of their own. */
export interface Queue {
  lane: string;
  host: string;
  is_retry: boolean;
}

export type Walked = Queue & { is_due: boolean; is_last: boolean };

/**
 * Walks over the next `limit` queues after this one, or over the first ones, by a skip scan: one
 * backlog neither slows it down nor hides the others. Returns those with a due message and, as
 * `is_last`, the one where it ended early.
 */
export function queuesAfter(after: Queue | null, graceSeconds: number, limit: number): Sql {
  const next = (after: Sql) => sql`
    SELECT ${LANE} AS lane, host, ${IS_RETRY} AS is_retry FROM scheduled_messages
    WHERE due_at IS NOT NULL ${after} ORDER BY ${LANE}, host, ${IS_RETRY} LIMIT 1`;
  const key = sql`(${LANE}, host, ${IS_RETRY})`;
  const start = after
    ? sql`AND ${key} > (${after.lane}::text, ${after.host}::text, ${after.is_retry}::boolean)`
    : sql``;
  return sql`
    WITH RECURSIVE queues AS (
      SELECT first.*, 1 AS place FROM (${next(start)}) AS first
      UNION ALL
      SELECT next.*, queues.place + 1 FROM queues CROSS JOIN LATERAL (
        ${next(sql`AND ${key} > (queues.lane, queues.host, queues.is_retry)`)}
      ) AS next WHERE queues.place < ${limit}::int
    )
    SELECT * FROM (
      SELECT lane, host, is_retry, place = ${limit}::int AS is_last, EXISTS (
        SELECT FROM scheduled_messages
        WHERE ${LANE} = queues.lane AND host = queues.host AND ${IS_RETRY} = queues.is_retry
          AND ${isDue(graceSeconds)}
      ) AS is_due FROM queues
    ) AS walked WHERE is_due OR is_last`;
}

/** The first due messages of these queues. */
export function headsOf(queues: Queue[], graceSeconds: number): Sql {
  return sql`
    SELECT first.*
    FROM unnest(${queues.map(({ lane }) => lane)}::text[], ${queues.map(({ host }) => host)}::text[],
                ${queues.map(({ is_retry }) => is_retry)}::boolean[])
      AS queue (lane, host, is_retry)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM scheduled_messages
      WHERE ${LANE} = queue.lane AND host = queue.host AND ${IS_RETRY} = queue.is_retry
        AND ${isDue(graceSeconds)}
      ORDER BY due_at, id LIMIT ${config().deliveriesPerHostMax}
    ) AS first`;
}

/**
 * For each host, the retry that tests whether it is back: in the first of its queues that has one,
 * the retry that became due last. It does not count as a retry, so it is not held.
 */
export function probes(queues: HeldQueue[]): Sql {
  return sql`
    SELECT DISTINCT ON (newest.host) newest.*
    FROM unnest(${queues.map(({ host }) => host)}::text[], ${queues.map(({ lane }) => lane)}::text[])
      WITH ORDINALITY AS queue (host, lane, place)
    CROSS JOIN LATERAL (
      SELECT ${columns(sql`false`)} FROM scheduled_messages
      WHERE ${LANE} = queue.lane AND host = queue.host AND ${IS_RETRY} = true AND ${isDue(0)}
      ORDER BY due_at DESC, id DESC LIMIT 1
    ) AS newest
    ORDER BY newest.host, place`;
}

/** The messages that replay events and have been due longest. Few of them are due at any time. */
export function oldestReplays(): Sql {
  return sql`
    SELECT ${COLUMNS} FROM scheduled_messages
    WHERE replayed_endpoint_id IS NOT NULL AND ${isDue(0)}
    ORDER BY due_at, id LIMIT ${REPLAYS_LOOKED_AT_MAX}`;
}

/**
 * The first due messages of each of these subscriptions. `+ 0` keeps the planner off the indexes on `due_at`,
 * where it would read everything due once per subscription.
 */
export function oldestPushes(subscriptionIds: readonly string[]): Sql {
  return sql`
    SELECT first.*
    FROM unnest(${subscriptionIds}::text[]) AS pushing (id)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM scheduled_messages
      WHERE subscription_id = pushing.id AND due_at + 0 <= unix_now()
      ORDER BY due_at + 0, id LIMIT ${config().deliveriesPerHostMax}
    ) AS first`;
}

function isDue(graceSeconds: number): Sql {
  if (graceSeconds === 0) return sql`due_at <= unix_now()`;
  const latest = sql`unix_now() - ${graceSeconds}::bigint`;
  return sql`due_at <= ${latest} AND updated_at <= ${latest}`;
}
