import { IS_UNCLAIMED } from "@/lib/identity/agents/registrations";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { queryOne, sql } from "@/lib/platform/db/sql";
import { DEPTH_COLUMNS, DEPTH_JOINS, NEARLY_FULL } from "@/lib/resources/inboxes/depths";

/** Events of the last seconds wait for the next check: their transactions may not have ended. */
const SETTLED_SECONDS = 10;
/** An attempt whose process died is recorded later, under the time of its start. */
const LATE_SECONDS = 3600;
const COUNT_MAX = 1000;
const LISTED_MAX = 10;
const INBOXES_MAX = 100;
const INBOXES_SEARCHED_MAX = 10_000;

export const SETTING_COLUMNS = columns(
  "NoticeSetting",
  "id, organization_id, user_id, kinds, reported_until, full_inboxes, last_sent_at",
);

/** A due setting. `due_at` is the end of the lease, before which no other process takes it. */
export type DueSetting = RowOf<typeof SETTING_COLUMNS> & { due_at: number };

export interface Digest {
  organization_name: string;
  /** Null if the member has no verified address. */
  email: string | null;
  /** The last second that the digest covers. */
  until: number;
  /** At most `COUNT_MAX + 1`. */
  failed_count: number;
  failed: Row<"ScheduledMessage", "id" | "method" | "host" | "last_error">[];
  /** All inboxes that are nearly full now. */
  full: (Row<"Inbox", "id" | "name" | "max_events"> & { pending: number })[];
  waiting_agents: number;
  /**
   * True if the member chose failed messages only, and none can have failed: nothing was sent
   * lately.
   */
  is_quiet: boolean;
}

/** What has happened in the organization since the last check, of the kinds of the setting. */
export function readDigest(setting: DueSetting): Promise<Digest | undefined> {
  const { organization_id: owner, user_id: user, kinds, reported_until: since } = setting;
  const until = sql`(unix_now() - ${SETTLED_SECONDS}::bigint)`;
  const failed = sql`
    SELECT id, method, host, last_error, delivered_at FROM scheduled_messages
    WHERE ${kinds.includes("messages")} AND organization_id = ${owner}
      AND status = 'failed' AND due_at IS NULL
      AND delivered_at > ${since}::bigint - ${LATE_SECONDS}::bigint
      AND CASE WHEN last_error LIKE 'interrupted:%' THEN updated_at ELSE delivered_at END > ${since}::bigint
      AND CASE WHEN last_error LIKE 'interrupted:%' THEN updated_at ELSE delivered_at END <= ${until}`;
  const waiting = sql`
    ${IS_UNCLAIMED} AND created_at > ${since}::bigint AND created_at <= ${until}`;
  // (d) Reads everything in one snapshot.
  return queryOne<Digest>(sql`
    SELECT organizations.name AS organization_name,
      (SELECT email FROM users WHERE id = ${user} AND email_verified_at IS NOT NULL) AS email,
      greatest(${since}::bigint, ${until}) AS until,
      (SELECT count(*) FROM (${failed} LIMIT ${COUNT_MAX + 1}) AS one) AS failed_count,
      (SELECT coalesce(json_agg(one), '[]')
       FROM (${failed} ORDER BY delivered_at DESC LIMIT ${LISTED_MAX}) AS one) AS failed,
      (SELECT coalesce(json_agg(json_build_object('id', inbox_id, 'name', name, 'pending', pending,
                'max_events', max_events)), '[]')
       FROM (SELECT * FROM (
             SELECT /* asks every node */ inbox.inbox_id, inbox.name, inbox.max_events, ${DEPTH_COLUMNS}
             FROM (SELECT state.*, newest.name FROM (
                     SELECT id, name FROM inboxes
                     WHERE ${kinds.includes("inboxes")} AND organization_id = ${owner}
                     ORDER BY organization_id, id DESC LIMIT ${INBOXES_SEARCHED_MAX}) AS newest
                   JOIN inbox_state AS state ON state.inbox_id = newest.id
                   WHERE occupied >= state.max_events * ${NEARLY_FULL}::float) AS inbox
             ${DEPTH_JOINS}) AS depth
             WHERE pending >= max_events * ${NEARLY_FULL}::float
             ORDER BY inbox_id DESC LIMIT ${INBOXES_MAX}) AS nearly_full) AS full,
      (SELECT count(*) FROM (
         SELECT 1 FROM agent_registrations
         WHERE ${kinds.includes("agents")} AND organization_id = ${owner} AND ${waiting}
         UNION ALL
         -- Agents that named this address belong to no organization, so only one setting of the
         -- person reports them.
         SELECT 1 FROM agent_registrations
         WHERE ${kinds.includes("agents")} AND organization_id IS NULL AND ${waiting}
           AND login_hint = (SELECT email FROM users WHERE id = ${user})
           AND NOT EXISTS (SELECT 1 FROM notice_settings AS other
                           WHERE other.user_id = ${user} AND 'agents' = ANY (other.kinds)
                             AND other.organization_id < ${owner})
         LIMIT ${COUNT_MAX + 1}) AS agents) AS waiting_agents,
      ${kinds.every((kind) => kind === "messages")} AND NOT EXISTS (
        -- Citus takes no subquery without a column here.
        SELECT 1 FROM delivery_hours
        WHERE organization_id = ${owner} AND hour >= unix_now() / 3600 - 1) AS is_quiet
    FROM organizations WHERE organizations.id = ${owner}`);
}
