import type { Pool } from "pg";
import { expect } from "playwright/test";

type Requests<Answers extends unknown[]> = {
  [Index in keyof Answers]: () => Promise<Answers[Index]>;
};

/**
 * Begins requests while a row is locked, each once the one before it waits or has been answered. Ends the
 * lock and returns the answers.
 */
export async function whileLocked<Answers extends unknown[]>(
  db: Pool,
  row: { table: string; id: string; key?: string },
  ...requests: Requests<Answers>
): Promise<Answers> {
  const lock = await db.connect();
  try {
    await lock.query("BEGIN");
    await lock.query(`SELECT FROM ${row.table} WHERE ${row.key ?? "id"} = $1 FOR UPDATE`, [row.id]);
    const { rows } = await lock.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const begun: Promise<unknown>[] = [];
    let answered = 0;
    const waiting = async () => {
      const found = await db.query<{ count: number }>(
        `WITH RECURSIVE waiting (pid) AS (
           SELECT $1::int UNION
           SELECT later.pid FROM pg_stat_activity AS later JOIN waiting
             ON waiting.pid = ANY (pg_blocking_pids(later.pid))
         ) SELECT count(*)::int - 1 AS count FROM waiting`,
        [rows[0]?.pid],
      );
      return found.rows[0]?.count ?? 0;
    };
    for (const begin of requests) {
      begun.push(
        begin().finally(() => {
          answered += 1;
        }),
      );
      await expect.poll(async () => (await waiting()) + answered).toBe(begun.length);
    }
    await lock.query("COMMIT");
    // In the order of the requests.
    return (await Promise.all(begun)) as Answers;
  } finally {
    // Also ends the transaction after a failure.
    lock.release(true);
  }
}
