import type { Transaction } from "@/lib/platform/db/sql";
import { FORWARDED_HEADER } from "@/lib/platform/http/relayed";
import { insert } from "@/lib/resources/inboxes/events/insert";
import { ownEvent } from "@/lib/resources/inboxes/events/send";
import type { Enqueued } from "@/lib/resources/messages/enqueue";
import { changedText } from "@/lib/resources/messages/text-request";
import type { Occurrence } from "./events/source";

/**
 * The header in which an inbox event carries its subscription. The database's function
 * `record_dead_events` reads it.
 */
const SUBSCRIPTION_HEADER = "subscription-id";

/** The request that a URL gets. */
export function requestOf(
  { id, text_field }: { id: string; text_field: string | null },
  { data }: Occurrence,
): Pick<Enqueued, "method" | "headers" | "body"> {
  if (text_field !== null) {
    return changedText(text_field, id, { type: typeOf(data), id: String(data.resource_id) });
  }
  return {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Subscription-Id": id,
      [FORWARDED_HEADER]: "1",
    },
    body: bodyOf(data),
  };
}

/** Puts changes into an inbox, in order, as many as it takes. Returns how many. */
export async function intoInbox(
  id: string,
  inboxId: string,
  changes: readonly Occurrence[],
  db: Transaction,
): Promise<number> {
  const headers = { "content-type": "application/json", [SUBSCRIPTION_HEADER]: id };
  const arrivals = changes.map(({ data }) => ownEvent(bodyOf(data), headers));
  const outcomes = await insert(inboxId, arrivals, db);
  return outcomes.filter((outcome) => typeof outcome === "object").length;
}

function bodyOf(change: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify({ type: typeOf(change), data: change }));
}

function typeOf({ kind, action }: Record<string, unknown>): string {
  return `${kind}.${action}`;
}
