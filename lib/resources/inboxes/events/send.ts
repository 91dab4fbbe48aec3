import type { Row } from "@/lib/platform/db/columns";
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
 * Stores an event in an inbox that has this owner: who reads the inbox may read what made it. Frees no quota if
 * others wait for the transaction `db`.
 */
export async function sendToOwned(
  inboxId: string,
  owner: string | null,
  event: Arrival,
  db: Transaction,
  { frees }: { frees: boolean },
): Promise<Outcome | "other_owner"> {
  // (a) Locked, so that a claim comes before or after.
  const inbox = await queryOne<Row<"InboxState", "organization_id">>(
    sql`SELECT organization_id FROM inbox_state WHERE inbox_id = ${inboxId} FOR NO KEY UPDATE`,
    db,
  );
  if (!inbox) return "unknown";
  if (inbox.organization_id !== owner) return "other_owner";
  const [outcome = "unknown"] = await insert(inboxId, [event], db, frees);
  return outcome;
}
