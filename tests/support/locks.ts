import type { Pool } from "pg";
import { expect } from "playwright/test";
import { pause } from "./servers";

type Requests<Answers extends unknown[]> = {
  [Index in keyof Answers]: () => Promise<Answers[Index]>;
};

/**
 * Begins requests while a row is locked, each once the one before it waits or has been answered. Ends the
 * lock and returns the answers.
 */
export async function whileLocked<Answers extends unknown[]>(
  db: Pool,
  row: { table: string; id: string; key?: string; strength?: string },
  ...requests: Requests<Answers>
): Promise<Answers> {
  const lock = await db.connect();
  try {
    await lock.query("BEGIN");
    const { table, id, key = "id", strength = "UPDATE" } = row;
    await lock.query(`SELECT FROM ${table} WHERE ${key} = $1 FOR ${strength}`, [id]);
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
      // Others may wait as well, such as captures.
      await expect
        .poll(async () => (await waiting()) + answered, { intervals: [20] })
        .toBeGreaterThanOrEqual(begun.length);
    }
    await lock.query("COMMIT");
    // In the order of the requests.
    return (await Promise.all(begun)) as Answers;
  } finally {
    // Also ends the transaction after a failure.
    lock.release(true);
  }
}

/** Holds the locks of a statement while `work` runs, or until it ends them, and ends them after a failure. */
export async function whileHeld<Result>(
  db: Pool,
  statement: string,
  work: (end: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const lock = await db.connect();
  try {
    await lock.query(`BEGIN; ${statement}`);
    return await work(() => lock.query("COMMIT"));
  } finally {
    // Also ends the transaction.
    lock.release(true);
  }
}

/** How many statements that contain `text` wait for a lock. */
export async function lockWaits(db: Pool, text = ""): Promise<number> {
  const { rowCount } = await db.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND position($1 IN query) > 0`,
    [text],
  );
  return rowCount ?? 0;
}

/**
 * Runs statements in a transaction, begins a call, commits once a statement that contains `waiter` waits for
 * the transaction, and returns the response. Throws if the call is answered without that wait.
 */
export async function whileUncommitted<Answer>(
  db: Pool,
  statements: string[],
  waiter: string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const client = await db.connect();
  try {
    await client.query("BEGIN");
    for (const statement of statements) await client.query(statement);
    const { rows } = await client.query<{ id: string }>(`SELECT ${BACKEND} AS id`);
    let isAnswered = false;
    const answering = call().finally(() => {
      isAnswered = true;
    });
    const isWaiting = async () => (await db.query(WAITING, [rows[0]?.id, waiter])).rowCount !== 0;
    while (!(await isWaiting())) {
      if (isAnswered) throw new Error(`Nothing with “${waiter}” waited for the transaction.`);
      await pause(10);
    }
    await client.query("COMMIT");
    return await answering;
  } finally {
    // Also ends the transaction after a failure.
    client.release(true);
  }
}

/**
 * Others may wait for the same rows, such as a dispatch. On a Citus cluster the call may wait on another
 * node.
 */
const [BACKEND, WAITING] = process.env.TEST_CITUS_URL
  ? [
      "citus_backend_gpid()",
      `SELECT FROM citus_lock_waits
       WHERE blocking_gpid = $1 AND position($2 IN blocked_statement) > 0`,
    ]
  : [
      "pg_backend_pid()",
      `SELECT FROM pg_stat_activity
       WHERE $1 = ANY (pg_blocking_pids(pid)) AND position($2 IN query) > 0`,
    ];
