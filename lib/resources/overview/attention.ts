import { IS_UNCLAIMED } from "@/lib/identity/agents/registrations";
import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { type Sql, sql } from "@/lib/platform/db/sql";
import type { KindName } from "@/lib/resources/kinds";
import { inStatus } from "@/lib/resources/messages/listing";
import type { ScheduleRun } from "@/lib/resources/schedules/contract";
import { schedules } from "@/lib/resources/schedules/service";
import { kindsOf } from "./made-kinds";
import { eachOpenTask } from "./open-tasks";
import {
  type FailingSignatures,
  failingSignatures,
  type HeldForward,
  type HeldSubscription,
  heldForwards,
  heldSubscriptions,
  type MissedRun,
  missedOf,
  ROWS,
  type Unrun,
  unrunSchedules,
} from "./troubles";

/** Warns if messages are due and the dispatcher has not run for this long. */
const LATE_DISPATCH_SECONDS = 300;
const DAY_SECONDS = 86_400;
const KEY_WARNING_DAYS = 7;
/** One group counts at most so many rows; the overview then says "1,000 or more". */
export const COUNTED_MAX = 1000;
const COUNTED = sql`1000`;

export interface DispatchStatus {
  /** When the dispatcher last ran, in Unix seconds; null for never. */
  last: number | null;
  /** True if the organization's messages are overdue and the dispatcher has not run. */
  isLate: boolean;
}

/** A host that refuses messages, or does not answer. */
export interface FailingHost {
  host: string;
  /** Messages that failed permanently in the last 24 hours. */
  failed: number;
  /** When the first of them did so, in Unix seconds. */
  failed_since: number | null;
  /** Failed messages that will be sent again. */
  retrying: number;
  /** The error of the newest of these attempts. */
  last_error: string | null;
  /** The oldest of these attempts, in Unix seconds. */
  since: number;
}

/** Several tasks with the same problem, and the first of them. */
interface TaskGroup {
  count: number;
  id: string;
  name: string;
  since: number;
}

/** What may need the attention of an organization's members. */
export interface Attention {
  dispatch: DispatchStatus;
  hosts: FailingHost[];
  /** Open tasks whose due date has passed. */
  overdue: TaskGroup | null;
  /** Tasks in progress whose lease has ended. */
  abandoned: TaskGroup | null;
  /** Schedules whose last run failed. */
  schedules: { id: string; name: string; reason: ScheduleRun["reason"]; since: number }[];
  missed: MissedRun[];
  signatures: FailingSignatures[];
  held: HeldForward[];
  subscriptions: HeldSubscription[];
  /** API keys that expire within a week, the first one first. */
  keys: { id: string; name: string; expires_at: number }[];
  /** The number of unclaimed agent registrations. */
  unclaimedAgents: number;
  /** The kinds of resources that the organization has. */
  made: KindName[];
  /** Whether it has ever had a key. */
  hasKey: boolean;
  /** When a message last failed permanently, in Unix seconds; null for never. */
  lastFailure: number | null;
}

export async function loadAttention(organizationId: string): Promise<Attention> {
  const owned = sql`organization_id = ${hiddenFromPlanner(organizationId)}`;
  const late = sql`unix_now() - ${LATE_DISPATCH_SECONDS}::bigint`;
  // A query of its own: a distributed database has these rows on other nodes than the rest.
  const holding = queryShown<HeldForward>(heldForwards(owned));
  const reading = queryShownOne<
    DispatchStatus & Omit<Attention, "dispatch" | "missed" | "held"> & { unrun: Unrun[] }
  >(sql`
    SELECT last_dispatch_at AS last,
           coalesce(last_dispatch_at, 0) < ${late}
             AND coalesce((SELECT due_at FROM scheduled_messages
                           WHERE ${owned} AND due_at IS NOT NULL
                           ORDER BY due_at LIMIT 1) < ${late}, false) AS "isLate",
           (SELECT coalesce(json_agg(one), '[]') FROM (${failingHosts(organizationId)}) AS one) AS hosts,
           (SELECT to_json(one) FROM (${groupOf(overdueTasks(owned))}) AS one) AS overdue,
           (SELECT to_json(one) FROM (${groupOf(abandonedTasks(owned))}) AS one) AS abandoned,
           (SELECT coalesce(json_agg(one), '[]') FROM (${failedSchedules(owned)}) AS one) AS schedules,
           (SELECT coalesce(json_agg(one), '[]') FROM (${unrunSchedules(owned)}) AS one) AS unrun,
           (SELECT coalesce(json_agg(one), '[]') FROM (${failingSignatures(owned)}) AS one) AS signatures,
           (SELECT coalesce(json_agg(one), '[]') FROM (${heldSubscriptions(owned)}) AS one) AS subscriptions,
           (SELECT coalesce(json_agg(one), '[]') FROM (
              SELECT id, name, expires_at FROM api_keys
              WHERE ${owned} AND kind = 'api_key' AND revoked_at IS NULL AND replaced_by_id IS NULL
                AND expires_at BETWEEN unix_now() AND unix_now() + ${KEY_WARNING_DAYS * DAY_SECONDS}::bigint
              ORDER BY expires_at, id LIMIT ${ROWS}) AS one) AS keys,
           (SELECT count(*) FROM agent_registrations
            WHERE ${owned} AND ${IS_UNCLAIMED}) AS "unclaimedAgents",
           ${kindsOf(organizationId)} AS made,
           EXISTS (SELECT FROM api_keys WHERE ${owned}) AS "hasKey",
           (SELECT delivered_at FROM scheduled_messages
            WHERE ${owned} AND status = 'failed' AND due_at IS NULL
            ORDER BY delivered_at DESC NULLS LAST LIMIT 1) AS "lastFailure"
    FROM dispatch_state`);
  const [row, held] = await Promise.all([reading, holding]);
  if (!row) throw new Error("dispatch_state has no row.");
  const { last, isLate, unrun, ...issues } = row;
  return { dispatch: { last, isLate }, missed: missedOf(unrun), held, ...issues };
}

function failingHosts(organizationId: string): Sql {
  const owned = sql`organization_id = ${hiddenFromPlanner(organizationId)}`;
  const retrying = inStatus(organizationId, "failed", "retrying");
  return sql`
    SELECT host, count(*) FILTER (WHERE due_at IS NULL)::int AS failed,
           min(delivered_at) FILTER (WHERE due_at IS NULL) AS failed_since,
           count(due_at)::int AS retrying, min(delivered_at) AS since,
           (array_agg(last_error ORDER BY delivered_at DESC))[1] AS last_error
    FROM ((SELECT host, due_at, delivered_at, last_error FROM scheduled_messages
           WHERE ${owned} AND status = 'failed' AND due_at IS NULL
             AND delivered_at > unix_now() - ${DAY_SECONDS}::bigint
           ORDER BY delivered_at DESC LIMIT ${COUNTED})
          UNION ALL
          (SELECT host, due_at, delivered_at, last_error FROM ${retrying.source}
           ORDER BY ${retrying.id} DESC LIMIT ${COUNTED})) AS attempted
    GROUP BY host ORDER BY failed DESC, retrying DESC, host LIMIT ${ROWS}`;
}

function overdueTasks(owned: Sql): Sql {
  return eachOpenTask(
    sql`id, name, due_at AS since`,
    sql`${owned} AND due_at < unix_now()`,
    sql`due_at`,
    COUNTED,
  );
}

/** Looks only at the most urgent open tasks. A lease that ended leaves its task as it was. */
function abandonedTasks(owned: Sql): Sql {
  const columns = sql`id, name, lease_expires_at AS since, labels`;
  return sql`
    SELECT * FROM (${eachOpenTask(columns, owned, sql`due_at, id`, sql`100`)}) AS urgent
    WHERE since < unix_now() AND labels @> '{in-progress}'`;
}

/** One row for all of them, or none. */
function groupOf(tasks: Sql): Sql {
  return sql`
    SELECT least(count(*) OVER (), ${COUNTED})::int AS count, id, name, since
    FROM (${tasks}) AS troubled ORDER BY since, id LIMIT 1`;
}

function failedSchedules(owned: Sql): Sql {
  return sql`
    SELECT id, ${schedules.title} AS name, reason, since
    FROM (SELECT * FROM schedules WHERE ${owned} AND NOT paused
          ORDER BY organization_id, id DESC LIMIT ${COUNTED}) AS newest
    CROSS JOIN LATERAL (
      SELECT reason, scheduled_for AS since FROM schedule_runs
      WHERE schedule_id = newest.id ORDER BY schedule_runs.id DESC LIMIT 1) AS run
    WHERE reason IS NOT NULL ORDER BY since DESC, id LIMIT ${ROWS}`;
}
