import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShownOne } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";

/** Warns if messages are due and the dispatcher has not run for this long. */
const LATE_DISPATCH_SECONDS = 300;
/** Part of the text, since the planner would guess the value of a parameter. */
const ROWS_MAX = sql`10`;

export interface DueMessage {
  id: string;
  method: string;
  url: string;
  due_at: number;
  attempts: number;
}

interface FailedMessage {
  id: string;
  url: string;
  last_error: string | null;
}

export interface DispatchStatus {
  /** When the dispatcher last ran, in Unix seconds; null for never. */
  last: number | null;
  /** True if the organization's messages are overdue and the dispatcher has not run. */
  isLate: boolean;
  /** The number of the organization's unclaimed agent registrations. */
  unclaimedAgents: number;
}

/** Problems that may need the attention of an organization's members. */
export interface Attention {
  dispatch: DispatchStatus;
  /** Messages that failed permanently in the last 24 hours, latest first. */
  failed: FailedMessage[];
  /** The next messages to be sent or retried. */
  due: DueMessage[];
}

export async function loadAttention(organizationId: string): Promise<Attention> {
  const owned = sql`organization_id = ${hiddenFromPlanner(organizationId)}`;
  const late = sql`unix_now() - ${LATE_DISPATCH_SECONDS}::bigint`;
  const row = await queryShownOne<DispatchStatus & Omit<Attention, "dispatch">>(sql`
    SELECT last_dispatch_at AS last,
           coalesce(last_dispatch_at, 0) < ${late}
             AND coalesce((SELECT due_at FROM scheduled_messages
                           WHERE ${owned} AND due_at IS NOT NULL
                           ORDER BY due_at LIMIT 1) < ${late}, false) AS "isLate",
           (SELECT count(*) FROM agent_registrations
            WHERE ${owned} AND claimed_at IS NULL AND revoked_at IS NULL
              AND type <> 'agent-provider' AND claim_token_expires_at > unix_now()) AS "unclaimedAgents",
           (SELECT coalesce(json_agg(one), '[]') FROM (
              SELECT id, url, last_error FROM scheduled_messages
              WHERE ${owned} AND status = 'failed' AND due_at IS NULL
                AND delivered_at > unix_now() - 86400
              ORDER BY delivered_at DESC LIMIT ${ROWS_MAX}) AS one) AS failed,
           (SELECT coalesce(json_agg(one), '[]') FROM (
              SELECT id, method, url, due_at, attempts FROM scheduled_messages
              WHERE ${owned} AND due_at IS NOT NULL
                AND status <> 'delivering'
              ORDER BY due_at, id LIMIT ${ROWS_MAX}) AS one) AS due
    FROM dispatch_state`);
  if (!row) throw new Error("dispatch_state has no row.");
  const { failed, due, ...dispatch } = row;
  return { dispatch, failed, due };
}
