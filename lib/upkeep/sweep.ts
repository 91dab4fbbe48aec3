import { setTimeout as pause } from "node:timers/promises";
import { removeEndedRegistrations } from "@/lib/identity/agents/registrations";
import { removeOldRevocations } from "@/lib/identity/agents/revoked-subjects";
import { removeOldAuditEvents } from "@/lib/identity/audit/audit";
import { removeUnusedClients } from "@/lib/identity/oauth/clients";
import { removeEndedGrants } from "@/lib/identity/oauth/grant";
import { removeExpiredInvitations } from "@/lib/identity/organizations/invitations";
import { organizationsAfter } from "@/lib/identity/organizations/unclaimed";
import { removeOldCodes } from "@/lib/identity/people/prepare-code";
import { removeEndedSessions } from "@/lib/identity/sessions/sessions";
import { config } from "@/lib/platform/config/config";
import { isDatabaseGone } from "@/lib/platform/db/failures";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { queryOne, raw, sql } from "@/lib/platform/db/sql";
import { removeExpiredResponses } from "@/lib/platform/http/response-records";
import { removeOldCounters } from "@/lib/platform/limits/fixed-window";
import { stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { metrics } from "@/lib/platform/telemetry/metrics";
import { removeEndedShares } from "@/lib/resources/artifacts/shares";
import { removeOldContents } from "@/lib/resources/artifacts/versions";
import { removeOldChanges } from "@/lib/resources/changes/remove-old";
import { removeExpiredEvents } from "@/lib/resources/inboxes/events/expire";
import { removeOldReplies } from "@/lib/resources/inboxes/replies/service";
import { removeFinishedMessages, removeOldOf } from "@/lib/resources/messages/retention";
import { rollUpHours } from "@/lib/resources/overview/roll-up";
import { sendPendingReplies } from "@/lib/resources/questions/reply";
import { expireQuestions } from "@/lib/resources/questions/service";
import { resources } from "@/lib/resources/registry";
import { unclaimedOwners } from "@/lib/resources/storage/public-owners";
import { type Walked, walk } from "@/lib/resources/walk";
import { removeEvictedEvents } from "@/lib/resources/webhooks/events/trim";
import { RUNNING_REPLAYS, removeOldReplays } from "@/lib/resources/webhooks/replays/retention";
import { removeDeletedOrganizations } from "./remove-organizations";

const INTERVAL_SECONDS = 60;
/** Shorter than the interval, so that two sweeps never overlap. */
export const SWEEP_BUDGET_MS = 50_000;
export const BATCH = 1000;
/** A small organization is gone before the page responds; the sweep removes a large one. */
const REMOVAL_MS = 1500;
const SECONDS_PER_DAY = 86_400;
const UNCLAIMED_INTERVAL_MS = 3_600_000;

/** Deletes up to `limit` expired rows. Returns their number, 0 if none is left, or how far a walk has come. */
type Remove = (limit: number) => Promise<number | Walked>;
/** Deletes up to `limit` rows older than `ageSeconds` and returns their number. */
type RemoveOlder = (ageSeconds: number, limit: number) => Promise<number>;

const sweepers: Record<string, Remove> = {
  deleted_organizations: removeDeletedOrganizations,
  ...Object.fromEntries(
    resources.map(({ kind, removeUnclaimed }) => [
      `unclaimed ${kind.prefix}`,
      unlessKept(() => config().publicResourceTtlDays, removeUnclaimed),
    ]),
  ),
  unclaimed_organizations: removeOfUnclaimed(),
  expired_questions: expireQuestions,
  changes: removeOldChanges,
  webhook_events: removeEvictedEvents,
  inbox_events: removeExpiredEvents,
  // After the events whose place they take.
  question_replies: sendPendingReplies,
  inbox_replies: removeOldReplies,
  artifact_shares: removeEndedShares,
  artifact_contents: removeOldContents,
  forwards: removeOldOf("webhook_endpoint_id"),
  pushes: removeOldOf("subscription_id"),
  replayed_messages: removeOldOf("webhook_replay_id", RUNNING_REPLAYS),
  replays: removeOldReplays,
  scheduled_messages: unlessKept(() => config().messageRetentionDays, removeFinishedMessages),
  delivery_hours: keptForHours(31 * 24, "delivery_hours"),
  delivery_flows: keptForHours(48, "delivery_flows", "source, host"),
  signature_failures: keptForHours(48, "signature_failures", "endpoint_id"),
  organization_hours: rollUpHours,
  old_organization_hours: keptForHours(31 * 24, "organization_hours"),
  audit_events: keptFor(() => config().auditRetentionDays, removeOldAuditEvents),
  agent_registrations: keptFor(() => config().registrationRetentionDays, removeEndedRegistrations),
  revoked_subjects: removeOldRevocations,
  invitations: removeExpiredInvitations,
  sessions: removeEndedSessions,
  one_time_codes: removeOldCodes,
  oauth_grants: removeEndedGrants,
  oauth_clients: removeUnusedClients,
  idempotency_records: removeExpiredResponses,
  usage_counters: removeOldCounters,
};

/** Removes what is older than this number of days; 0 keeps everything. */
function keptFor(days: () => number, remove: RemoveOlder): Remove {
  return unlessKept(days, (limit) => remove(days() * SECONDS_PER_DAY, limit));
}

/** `remove` knows the number of days; 0 keeps everything. */
function unlessKept(days: () => number, remove: Remove): Remove {
  return async (limit) => (days() === 0 ? 0 : remove(limit));
}

/**
 * Makes the function that removes what organizations have not used for as long as public resources live, if nobody
 * answers for them. It keeps the organizations and the keys of their agents. At most once an hour, since it reads all
 * organizations.
 */
function removeOfUnclaimed(): Remove {
  const remove = walk("Resources of unclaimed organizations could not be removed", {
    page: organizationsAfter,
    due: unclaimedOwners,
    async work({ id }, limit) {
      let removed = 0;
      for (const { removeUnusedOf } of resources) {
        if (removed < limit) removed += await removeUnusedOf(id, limit - removed);
      }
      return removed;
    },
  });
  let next = 0;
  return async (limit) => {
    if (config().publicResourceTtlDays === 0 || config().localMode || performance.now() < next)
      return 0;
    const walked = await remove(limit);
    if (walked.isOver) next = performance.now() + UNCLAIMED_INTERVAL_MS;
    return walked;
  };
}

/** Removes counts of an organization in an hour. `more` are further columns of the table's key. */
function keptForHours(hours: number, table: string, ...more: string[]): Remove {
  const key = raw(["organization_id", "hour", ...more].join());
  const where = sql`hour < unix_now() / 3600 - ${hours}::bigint`;
  return (limit) => removeRows({ table: raw(table), key, where }, limit);
}

/**
 * Deletes expired rows, at most once a minute across all instances. Cycles through all kinds until
 * nothing is left or the budget is spent. Each batch is followed by a pause of its own length, so
 * that other writes keep half of the database's time.
 */
export async function sweep(budgetMs: number): Promise<void> {
  const turn = await queryOne(sql`
    UPDATE dispatch_state SET last_sweep_at = unix_now()
    WHERE last_sweep_at IS NULL OR last_sweep_at <= unix_now() - ${INTERVAL_SECONDS}
      -- The clock was set back.
      OR last_sweep_at > unix_now() + ${INTERVAL_SECONDS}
    RETURNING id`);
  if (!turn) return;
  const { signal } = stopping;
  const end = performance.now() + budgetMs;
  let unfinished = Object.entries(sweepers);
  while (unfinished.length > 0) {
    const next: typeof unfinished = [];
    for (const [what, remove] of unfinished) {
      const started = performance.now();
      if (started >= end || signal.aborted) return metrics().unfinishedSweeps.inc();
      const { count, isOver } = await removeBatch(what, remove);
      metrics().swept.inc({ kind: what }, count);
      if (isOver) continue;
      next.push([what, remove]);
      await pause(performance.now() - started, undefined, { signal }).catch(() => {});
    }
    unfinished = next;
  }
}

/** Removes the rows of organizations that have just been deleted, until the time is up. */
export async function removeDeletedNow(): Promise<void> {
  const end = performance.now() + REMOVAL_MS;
  while (performance.now() < end) {
    if ((await removeBatch("deleted_organizations", removeDeletedOrganizations)).isOver) return;
  }
}

/** A failure ends only this kind's turn: the next sweep tries again. */
async function removeBatch(what: string, remove: Remove): Promise<Walked> {
  try {
    const removed = await remove(BATCH);
    return typeof removed === "number" ? { count: removed, isOver: removed === 0 } : removed;
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    logError(`Sweeping ${what} failed:`, error);
    return { count: 0, isOver: true };
  }
}
