import { query, queryOne, sql } from "@/lib/db/sql";
import { ALIVE, DEAD, PENDING } from "@/lib/inboxes/state";

/** A dispatcher that has not run for this long, while something is due, is worth a word. */
const OLD_DISPATCH_SECONDS = 300;
/** An inbox that is this full will soon refuse. */
const FULL_SHARE = 0.9;
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
    WHERE organization_id = ${organizationId} AND status IN ('scheduled', 'failed')
      AND due_at IS NOT NULL
    ORDER BY due_at, id LIMIT ${LISTED}`);
}

export interface Attention {
  /** Messages that failed for good in the last 24 hours. */
  failedMessages: { id: string; url: string; last_error: string | null }[];
  inboxes: { id: string; name: string; dead: number; pending: number; max_events: number }[];
  /** Of all inboxes: since when the oldest event that is ready waits, Unix seconds. */
  oldestWaiting: { inbox_id: string; name: string; since: number } | null;
  /** When the dispatcher ran last, where that is too long ago; 0: never. */
  oldDispatch: number | null;
  unclaimedAgents: number;
}

/** What a person should look at first. */
export async function attentionOf(organizationId: string): Promise<Attention> {
  const [failedMessages, inboxes, oldestWaiting, dispatch, agents] = await Promise.all([
    query<Attention["failedMessages"][number]>(sql`
      SELECT id, url, last_error FROM scheduled_messages
      WHERE organization_id = ${organizationId} AND status = 'failed' AND due_at IS NULL
        AND delivered_at > unix_now() - 86400
      ORDER BY delivered_at DESC LIMIT ${LISTED}`),
    query<Attention["inboxes"][number]>(sql`
      SELECT inbox.id, inbox.name, inbox.max_events,
             count(*) FILTER (WHERE ${DEAD} AND ${ALIVE}) AS dead,
             count(*) FILTER (WHERE ${PENDING}) AS pending
      FROM inboxes AS inbox JOIN inbox_events AS event ON event.inbox_id = inbox.id
      WHERE inbox.organization_id = ${organizationId}
      GROUP BY inbox.id
      HAVING count(*) FILTER (WHERE ${DEAD} AND ${ALIVE}) > 0
          OR count(*) FILTER (WHERE ${PENDING}) >= inbox.max_events * ${FULL_SHARE}::float
      ORDER BY dead DESC, inbox.id LIMIT ${LISTED}`),
    queryOne<{ inbox_id: string; name: string; since: number }>(sql`
      SELECT inbox.id AS inbox_id, inbox.name, floor(extract(epoch FROM event.visible_at))::bigint AS since
      FROM inboxes AS inbox JOIN inbox_events AS event ON event.inbox_id = inbox.id
      WHERE inbox.organization_id = ${organizationId} AND ${PENDING} AND event.visible_at <= now()
      ORDER BY event.visible_at LIMIT 1`),
    queryOne<{ last: number }>(sql`
      SELECT coalesce(last_dispatch_at, 0) AS last FROM dispatch_state
      WHERE coalesce(last_dispatch_at, 0) < unix_now() - ${OLD_DISPATCH_SECONDS}::bigint
        AND EXISTS (SELECT FROM scheduled_messages WHERE organization_id = ${organizationId}
                      AND due_at < unix_now() - ${OLD_DISPATCH_SECONDS}::bigint)`),
    queryOne<{ count: number }>(sql`
      SELECT count(*) FROM agent_registrations
      WHERE organization_id = ${organizationId} AND claimed_at IS NULL AND revoked_at IS NULL
        AND type <> 'agent-provider' AND claim_token_expires_at > unix_now()`),
  ]);
  return {
    failedMessages,
    inboxes,
    oldestWaiting: oldestWaiting ?? null,
    oldDispatch: dispatch?.last ?? null,
    unclaimedAgents: agents?.count ?? 0,
  };
}
