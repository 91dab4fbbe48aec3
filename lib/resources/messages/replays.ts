import { query, sql, type Transaction } from "@/lib/platform/db/sql";

/** How many messages of a replay have finished, by outcome, and how many have not. */
export interface Ended {
  delivered: number;
  failed: number;
  canceled: number;
  pending: number;
}

export const NONE_ENDED: Ended = { delivered: 0, failed: 0, canceled: 0, pending: 0 };

/** Counts the messages of these replays, by the replay's ID; one without messages is left out. */
export async function countEnded(
  replayIds: string[],
  db?: Transaction,
): Promise<Map<string, Ended>> {
  if (replayIds.length === 0) return new Map();
  const rows = await query<Ended & { id: string }>(
    sql`SELECT webhook_replay_id AS id,
               count(*) FILTER (WHERE status = 'delivered') AS delivered,
               count(*) FILTER (WHERE status = 'failed' AND due_at IS NULL) AS failed,
               count(*) FILTER (WHERE status = 'canceled') AS canceled,
               count(*) FILTER (WHERE due_at IS NOT NULL) AS pending
        FROM scheduled_messages WHERE webhook_replay_id = ANY (${replayIds}::text[])
        GROUP BY webhook_replay_id`,
    db,
  );
  return new Map(rows.map(({ id, ...ended }) => [id, ended]));
}
