import type { Enqueued } from "@/lib/resources/messages/enqueue";
import { PUSH_ATTEMPTS_MAX, SUBSCRIPTION_HEADER } from "@/lib/resources/messages/pushed-event";
import { type Occurrence, occurrenceOf } from "./events/source";

interface Subscription {
  id: string;
  organization_id: string;
  url: string | null;
  public_only: boolean;
  event: string | null;
}

/** The message that takes an event to the callback of its subscription. */
export function callbackMessage(
  { id, organization_id, url, public_only, event: name }: Subscription,
  event: Occurrence,
): Enqueued {
  if (name === null || url === null) throw new Error("Events go to a callback.");
  const body = { ...occurrenceOf(name, event), cursor: event.cursor };
  return {
    subscription_id: id,
    organization_id,
    url,
    method: "POST",
    public_only,
    attempts_max: PUSH_ATTEMPTS_MAX,
    headers: {
      "Content-Type": "application/json",
      [SUBSCRIPTION_HEADER]: id,
      // What the clients compare with the body's `eventId`.
      "webhook-id": event.eventId,
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}
