import { queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";

/** The number of a replay's unfinished messages, in SQL. */
export function pendingOf(replayId: Sql): Sql {
  return sql`(SELECT count(*) FROM scheduled_messages m
              WHERE m.webhook_replay_id = ${replayId} AND m.due_at IS NOT NULL)`;
}

/** How many messages of a replay have finished, by outcome, and how many have not. */
export interface Ended {
  delivered: number;
  failed: number;
  canceled: number;
  pending: number;
}

export async function countEnded(replayId: string, db?: Transaction): Promise<Ended> {
  const row = await queryOne<Ended>(
    sql`SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered,
               count(*) FILTER (WHERE status = 'failed' AND due_at IS NULL) AS failed,
               count(*) FILTER (WHERE status = 'canceled') AS canceled,
               count(*) FILTER (WHERE due_at IS NOT NULL) AS pending
        FROM scheduled_messages WHERE webhook_replay_id = ${replayId}`,
    db,
  );
  return row ?? { delivered: 0, failed: 0, canceled: 0, pending: 0 };
}
