import { config } from "@/lib/platform/config/config";
import { isSameSecret } from "@/lib/platform/secrets";
import { signatureOf } from "@/lib/platform/signed-id";
import type { Arrival } from "@/lib/resources/inboxes/events/arrival";
import { hasBody } from "@/lib/resources/inboxes/events/duplicate";
import type { Ingested } from "@/lib/resources/inboxes/events/ingest";

/**
 * The URL at which the sender of an event reads the reply. Nothing is stored for it. A claim of the
 * inbox changes it, since anyone with the ID of a public inbox can get the URL of each event.
 */
export function replyUrl(inboxId: string, eventId: string, isClaimed: boolean): string {
  const secret = secretOf(inboxId, eventId, isClaimed);
  return `${config().baseUrl}/api/inboxes/${inboxId}/events/${eventId}/reply/${secret}`;
}

/**
 * Whether the inbox is claimed, if the secret in the event's reply URL is valid; otherwise
 * undefined.
 */
export function stateOfSecret(
  inboxId: string,
  eventId: string,
  secret: string,
): { isClaimed: boolean } | undefined {
  const isClaimed = [false, true].find((claimed) =>
    isSameSecret(secret, secretOf(inboxId, eventId, claimed)),
  );
  return isClaimed === undefined ? undefined : { isClaimed };
}

/** The reply URL of an event that this request has stored. */
export function replyUrlOf({ receipt: { inbox_id, id }, isClaimed }: Ingested): string {
  return replyUrl(inbox_id, id, isClaimed);
}

/**
 * The reply URL for the sender of an arrival, or undefined. Anyone may repeat a known `dedup_id`.
 * Only a sender who also knows the body may read the reply to the first event; after a claim nobody
 * who repeats one may, since strangers could read the bodies before it.
 */
export async function replyUrlFor(
  ingested: Ingested,
  { body }: Arrival,
): Promise<string | undefined> {
  const { receipt, isClaimed } = ingested;
  const { inbox_id, id, deduplicated } = receipt;
  if (deduplicated && (isClaimed || !(await hasBody(inbox_id, id, body)))) return undefined;
  return replyUrlOf(ingested);
}

function secretOf(inboxId: string, eventId: string, isClaimed: boolean): string {
  return signatureOf("inbox-reply", `${inboxId}/${eventId}${isClaimed ? "/claimed" : ""}`);
}
