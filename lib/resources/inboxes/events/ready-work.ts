import { queryOne, sql } from "@/lib/platform/db/sql";
import { PENDING, queueOf } from "./state";

/**
 * How many events of an inbox can be received now, up to `max`, and when the newest became ready, in
 * microseconds.
 */
export async function readyInInbox(inboxId: string, max: number) {
  const row = await queryOne<{ count: number; newest: number | null }>(sql`
    SELECT count(*), floor(extract(epoch FROM max(visible_at)) * 1000000)::bigint AS newest
    FROM (SELECT visible_at FROM inbox_events AS event
          WHERE ${queueOf(inboxId)} AND event.visible_at <= now() AND ${PENDING}
          ORDER BY event.visible_at DESC LIMIT ${max}) AS ready`);
  return { count: row?.count ?? 0, newest: row?.newest ?? 0 };
}
