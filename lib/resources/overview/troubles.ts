import { raw, type Sql, sql } from "@/lib/platform/db/sql";
import { MISSED_AFTER_SECONDS } from "@/lib/resources/schedules/contract";
import { schedules } from "@/lib/resources/schedules/service";
import { type Timing, timesAfter } from "@/lib/resources/schedules/timing";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { LASTS } from "@/lib/resources/subscriptions/quota";

/** The overview reads at most so many rows of one cause. */
export const ROWS_MAX = 10;
/** Part of the text, since the planner would guess the value of a parameter. */
export const ROWS = raw(String(ROWS_MAX));
const SIGNATURE_HOURS = 24;

/** An endpoint that got requests with invalid signatures in the last day. */
export interface FailingSignatures {
  id: string;
  name: string;
  count: number;
  /** Why the latest failed. */
  reason: string;
  /** The start of the first hour with one, or of the endpoint. */
  since: number;
}

/** An endpoint whose events wait because its forward cannot take them. */
export interface HeldForward {
  id: string;
  name: string;
  obstacle: "inbox_full" | "other_owner" | "too_many_pending";
}

/** A subscription that pushes nothing. */
export interface HeldSubscription {
  id: string;
  /** Its URL, or the name of its inbox. */
  name: string;
  obstacle: NonNullable<Subscription["held_reason"]>;
  /** Null if it is not known. */
  since: number | null;
}

/** A schedule that has not run since one of its times passed. */
export interface MissedRun {
  id: string;
  name: string;
  since: number;
}

/** A schedule that was checked without a run. */
export type Unrun = Timing & { id: string; name: string; checked_until: number; ran_until: number };

/** Endpoints with failing signatures, from their counters. */
export function failingSignatures(owned: Sql): Sql {
  return sql`
    SELECT endpoint.id, endpoint.name, failed.count, failed.reason,
           greatest(failed.since, endpoint.created_at) AS since
    FROM (SELECT endpoint_id, sum(count)::bigint AS count, min(hour) * 3600 AS since,
                 (array_agg(reason ORDER BY hour DESC))[1] AS reason
          FROM signature_failures
          WHERE ${owned} AND hour > unix_now() / 3600 - ${SIGNATURE_HOURS}::bigint
          GROUP BY endpoint_id ORDER BY count DESC LIMIT ${ROWS}) AS failed
    JOIN webhook_endpoints AS endpoint ON endpoint.id = failed.endpoint_id
    ORDER BY failed.count DESC, endpoint.id`;
}

/**
 * Joins the row `state` of `endpoint_state` with one event that its endpoint holds back. Only the next forwarded
 * event clears an obstacle, so an obstacle may outlive the events.
 */
export const HELD_EVENT = sql`LATERAL (
  SELECT v.endpoint_id FROM webhook_events AS v
  WHERE state.obstacle IS NOT NULL AND v.endpoint_id = state.endpoint_id
    AND v.forward_status = 'held' AND v.id > state.gone_up_to
  ORDER BY v.id LIMIT 1) AS held ON held.endpoint_id = state.endpoint_id`;

/** Endpoints whose forward holds events back. */
export function heldForwards(owned: Sql): Sql {
  return sql`
    SELECT /* asks every node */ endpoint.id, endpoint.name, state.obstacle
    FROM (SELECT id, name FROM webhook_endpoints WHERE ${owned}) AS endpoint
    JOIN webhook_forwards AS forward ON forward.endpoint_id = endpoint.id
    JOIN endpoint_state AS state ON state.endpoint_id = endpoint.id
    JOIN ${HELD_EVENT}
    WHERE state.obstacle IS NOT NULL ORDER BY endpoint.id DESC LIMIT ${ROWS}`;
}

/** Subscriptions that hold changes or events back. */
export function heldSubscriptions(owned: Sql): Sql {
  return sql`
    SELECT held.id, coalesce(held.url, inbox.name) AS name, held.suspended_at AS since,
           CASE WHEN held.suspended_at IS NULL THEN held.obstacle::text
                ELSE 'callback_failed' END AS obstacle
    FROM (SELECT * FROM subscriptions
          WHERE ${owned} AND (obstacle IS NOT NULL OR suspended_at IS NOT NULL)
            AND ${LASTS}
          ORDER BY organization_id, id DESC LIMIT ${ROWS}) AS held
    LEFT JOIN inboxes AS inbox ON inbox.id = held.inbox_id ORDER BY held.id DESC`;
}

/** Schedules that were checked long after they last ran or changed, unless one run stands for all missed times. */
export function unrunSchedules(owned: Sql): Sql {
  return sql`
    SELECT id, ${schedules.title} AS name, cron, timezone, every_seconds, starts_at, ends_at,
           created_at, checked_until, ran_until
    FROM schedules CROSS JOIN LATERAL (
      SELECT greatest(coalesce(last_run_at, 0), updated_at) AS ran_until) AS ran
    WHERE ${owned} AND NOT paused AND catch_up = 'skip'
      AND checked_until > ran_until + ${MISSED_AFTER_SECONDS}::bigint
    ORDER BY organization_id, id DESC LIMIT ${ROWS}`;
}

/** The schedules that have missed one of their times. */
export function missedOf(unrun: Unrun[]): MissedRun[] {
  return unrun.flatMap(({ id, name, checked_until, ran_until, ...timing }) => {
    const [since] = timesAfter(timing, ran_until, 1);
    return since !== undefined && since <= checked_until ? [{ id, name, since }] : [];
  });
}
