import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { type Range, shownRows, versionOf } from "@/lib/resources/list-version";
import type { Message } from "./contract";

/** Whether a failed message has failed permanently or will be retried. */
export type Failed = "final" | "retrying";

interface ListPage extends Range {
  status: Message["status"] | undefined;
  failed: Failed | undefined;
}

/** A tag that changes whenever a row of the list does; the counts may be older. */
export function messageListVersion(
  caller: Caller,
  { status, failed, ...range }: ListPage,
): Promise<string> {
  const conditions = [
    status === undefined ? [] : sql`status = ${status}`,
    failed === undefined ? [] : thatFailed(failed),
  ].flat();
  const columns = sql`id, revision FROM scheduled_messages`;
  return versionOf(shownRows(caller, range, columns, conditions));
}

/**
 * The number of messages in each status, in total or for one bulk replay. Statuses without messages
 * are omitted. `failed` counts those that failed permanently.
 */
export async function countByStatus(
  caller: Caller,
  replayId?: string,
): Promise<Partial<Record<Message["status"] | "retrying", number>>> {
  const organizationId = organizationOf(caller);
  const inReplay = replayId === undefined ? sql`` : sql`AND webhook_replay_id = ${replayId}`;
  const [rows, retrying] = await Promise.all([
    queryShown<{ status: Message["status"]; count: number }>(sql`
      SELECT status, count(*) FROM scheduled_messages
      WHERE organization_id = ${organizationId} ${inReplay} GROUP BY status`),
    queryShownOne<{ count: number }>(sql`
      SELECT count(*) FROM scheduled_messages
      WHERE organization_id = ${organizationId} ${inReplay} AND ${thatFailed("retrying")}`),
  ]);
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  const { count = 0 } = retrying ?? {};
  return { ...counts, failed: Math.max((counts.failed ?? 0) - count, 0), retrying: count };
}

/**
 * The messages of an organization with a status, ordered by `id`. The IDs come from the index
 * alone: for whole rows, the planner may walk all of the organization's messages if others have
 * many with the status.
 */
export function inStatus(
  organizationId: string,
  status: Message["status"],
  failed?: Failed,
  since?: number,
): { source: Sql; id: Sql } {
  const matching = failed ? thatFailed(failed) : sql`status = ${status}`;
  // Written as in the index on the times of failed messages.
  const recent = since === undefined ? sql`` : sql`AND due_at IS NULL AND delivered_at >= ${since}`;
  return {
    source: sql`
      (SELECT id AS listed_id FROM scheduled_messages
       WHERE organization_id = ${organizationId} AND ${matching} ${recent}) AS listed
      CROSS JOIN LATERAL
      (SELECT * FROM scheduled_messages WHERE id = listed_id OFFSET 0) AS scheduled_messages`,
    id: sql`listed_id`,
  };
}

/** Written as in the index on failed messages. */
export function thatFailed(failed: Failed): Sql {
  const isFinal = failed === "final" ? sql`1` : sql`0`;
  return sql`status = 'failed' AND (due_at IS NULL)::integer = ${isFinal}`;
}
