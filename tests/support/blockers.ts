import type { Pool } from "pg";
import { expectStatus } from "./expectations";
import type { Api, Body } from "./http";
import { jsonOf } from "./inboxes";
import { pause } from "./servers";

/** A client for what finishes a task; `key` is sent with every call. */
export function finishClient(api: Api, key?: string) {
  const path = (id: string, rest: string) => `/api/tasks/${id}/${rest}`;
  const tryBlock = (id: string, by: string) => api("PUT", path(id, `blockers/${by}`), { key });
  return {
    tryBlock,
    async block(id: string, by: string) {
      expectStatus(await tryBlock(id, by), 204);
    },
    unblock: (id: string, by: string) => api("DELETE", path(id, `blockers/${by}`), { key }),
    async blockers(id: string): Promise<string[]> {
      const response = await api("GET", path(id, "blockers"), { key });
      expectStatus(response, 200);
      return response.body.data.map((blocker) => blocker.id);
    },
    complete: (id: string, body: object = {}) => api("POST", path(id, "complete"), { key, body }),
    addNote: (id: string, body: unknown) => api("POST", path(id, "notes"), { key, body: { body } }),
    async notes(id: string): Promise<Note[]> {
      const response = await api("GET", path(id, "notes"), { key, query: { limit: 100 } });
      expectStatus(response, 200);
      return jsonOf<{ data: Note[] }>(response).data;
    },
    async listed(query: Record<string, string>): Promise<Body[]> {
      const response = await api("GET", "/api/tasks", { key, query: { limit: 100, ...query } });
      expectStatus(response, 200);
      return response.body.data;
    },
  };
}

/**
 * Runs statements in a transaction, begins a call, commits once the call waits for the transaction
 * or has been answered, and returns the response.
 */
export async function whileUncommitted<Answer>(
  db: Pool,
  statements: string[],
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
    const isWaiting = async () => (await db.query(WAITING, [rows[0]?.id])).rowCount !== 0;
    while (!isAnswered && !(await isWaiting())) await pause(10);
    await client.query("COMMIT");
    return await answering;
  } finally {
    client.release();
  }
}

/** On a Citus cluster the call may wait on another node. */
const [BACKEND, WAITING] = process.env.TEST_CITUS_URL
  ? ["citus_backend_gpid()", "SELECT FROM citus_lock_waits WHERE blocking_gpid = $1"]
  : ["pg_backend_pid()", "SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))"];

interface Note {
  id: string;
  object: string;
  task_id: string;
  author: string | null;
  body: string;
  created_at: number;
}
