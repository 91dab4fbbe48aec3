import { newId } from "@/lib/platform/db/ids";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import type { Arrival } from "./arrival";
import { insert, type Outcome } from "./insert";

interface Times {
  ttlSeconds?: number | undefined;
  delaySeconds?: number | undefined;
}

/** An event that the service itself makes, with headers in lower case. */
export function ownEvent(
  body: Buffer,
  headers: Record<string, string>,
  { ttlSeconds, delaySeconds }: Times = {},
): Arrival {
  return {
    id: newId("iev"),
    contentType: headers["content-type"] ?? null,
    headers: { whole: JSON.stringify(headers), redacted: null },
    body,
    queryString: "",
    sourceIp: null,
    countedFor: null,
    dedupId: null,
    isKeyed: false,
    ttlSeconds: ttlSeconds ?? null,
    delaySeconds: delaySeconds ?? 0,
  };
}

/**
 * Stores an event in an inbox, if it has this owner: who reads the inbox may read what made the
 * event. Without `frees`, makes no room in a full inbox, for which others would wait until `db`
 * ends.
 */
export async function sendToOwned(
  inboxId: string,
  owner: string | null,
  event: Arrival,
  db: Transaction,
  { frees }: { frees: boolean },
): Promise<Outcome | "other_owner"> {
  const inbox = sql`SELECT FROM inbox_state WHERE inbox_id = ${inboxId}`;
  // (a) Locked, so that a claim comes before or after. An inbox of another owner does not wait for this transaction.
  const isOwned = sql`AND organization_id IS NOT DISTINCT FROM ${owner} FOR NO KEY UPDATE`;
  if (!(await queryOne(sql`${inbox} ${isOwned}`, db))) {
    return (await queryOne(inbox, db)) ? "other_owner" : "unknown";
  }
  const [outcome = "unknown"] = await insert(inboxId, [event], db, frees);
  return outcome;
}
