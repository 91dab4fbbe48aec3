import { query, queryOne, sql } from "@/lib/db/sql";

/** A dispatcher that has not run for this long, while something is due, is worth a word. */
const OLD_DISPATCH_SECONDS = 300;
const LISTED = 10;

export interface DueMessage {
  id: string;
  method: string;
  url: string;
  due_at: number;
  attempts: number;
}

/** The messages that fire next, or are tried again. */
export async function dueNext(organizationId: string): Promise<DueMessage[]> {
  return query<DueMessage>(sql`
    SELECT id, method, url, due_at, attempts FROM scheduled_messages
    WHERE organization_id = ${organizationId} AND due_at IS NOT NULL AND status <> 'delivering'
    ORDER BY due_at, id LIMIT ${LISTED}`);
}

export interface FailedMessage {
  id: string;
  url: string;
  last_error: string | null;
}

/** Messages that failed for good in the last 24 hours, the latest first. */
export async function failedMessages(organizationId: string): Promise<FailedMessage[]> {
  return query<FailedMessage>(sql`
    SELECT id, url, last_error FROM scheduled_messages
    WHERE organization_id = ${organizationId} AND status = 'failed' AND due_at IS NULL
      AND delivered_at > unix_now() - 86400
    ORDER BY delivered_at DESC LIMIT ${LISTED}`);
}

export interface Dispatch {
  /** When the dispatcher ran last, Unix seconds; null: never. */
  last: number | null;
  /** Messages of the organization have been due for minutes, and it has not run. */
  isLate: boolean;
  /** Agents that registered for the organization, and that nobody has claimed yet. */
  unclaimedAgents: number;
}

/** Whether what should happen by itself does. */
export async function dispatchOf(organizationId: string): Promise<Dispatch> {
  const late = sql`unix_now() - ${OLD_DISPATCH_SECONDS}::bigint`;
  const row = await queryOne<Dispatch>(sql`
    SELECT last_dispatch_at AS last,
           coalesce(last_dispatch_at, 0) < ${late}
             AND EXISTS (SELECT FROM scheduled_messages
                         WHERE organization_id = ${organizationId} AND due_at < ${late}) AS "isLate",
           (SELECT count(*) FROM agent_registrations
            WHERE organization_id = ${organizationId} AND claimed_at IS NULL AND revoked_at IS NULL
              AND type <> 'agent-provider' AND claim_token_expires_at > unix_now()) AS "unclaimedAgents"
    FROM dispatch_state`);
  return row ?? { last: null, isLate: false, unclaimedAgents: 0 };
}
