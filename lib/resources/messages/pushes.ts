import { newId } from "@/lib/platform/db/ids";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { messageKind } from "./kind";
import { countPending } from "./pending";
import { hostOf } from "./target";

/** Messages that push changes to a subscription's URL. */
export interface Push {
  subscriptionId: string;
  organizationId: string;
  url: string;
  headers: Record<string, string>;
  bodies: Buffer[];
  publicOnly: boolean;
}

/** Stores a message for each body, due now. */
export async function insertPushes(push: Push, db: Transaction): Promise<void> {
  await query(
    sql`INSERT INTO scheduled_messages
          (id, subscription_id, organization_id, url, host, method, headers, body, public_only,
           scheduled_at, due_at)
        SELECT given.id, ${push.subscriptionId}, ${push.organizationId}, ${push.url},
               ${hostOf(push.url)}, 'POST', ${JSON.stringify(push.headers)}::json, given.body,
               ${push.publicOnly}, unix_now(), unix_now()
        FROM unnest(${push.bodies.map(() => newId(messageKind.prefix))}::text[], ${push.bodies}::bytea[])
          AS given (id, body)`,
    db,
  );
}

/** Counts a subscription's unfinished messages, up to `max`. */
export function countPendingPushes(
  subscriptionId: string,
  max: number,
  db: Transaction,
): Promise<number> {
  return countPending(sql`subscription_id = ${subscriptionId}`, max, db);
}
