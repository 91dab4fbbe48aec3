import type { Row } from "@/lib/platform/db/columns";
import type { Delivery } from "@/lib/resources/messages/deliveries";

/** Where an event went, and its outcome there. */
export type Forwarded = Row<"WebhookEvent", "forward_status"> & {
  to_inbox: boolean;
  /** Of the message. Null for an inbox, and if the message was deleted or has another owner. */
  delivery: Delivery | null;
};

/**
 * The current stage of an event. `unknown`: the message that forwarded it was deleted, or has
 * another owner. Null: it was not meant to be forwarded.
 */
export function stateOf({ forward_status, to_inbox, delivery }: Forwarded) {
  if (forward_status !== "forwarded") return forward_status;
  if (to_inbox) return "delivered";
  if (delivery === null) return "unknown";
  if (delivery.next_attempt_at !== null) return "retrying";
  const { status } = delivery;
  return status === "scheduled" || status === "delivering" ? "queued" : status;
}

/** Why the last attempt failed, such as `500` or `timeout`; null if none has failed. */
export function causeOf(delivery: Delivery | null): string | null {
  if (!delivery?.last_error) return null;
  return String(delivery.response_status ?? delivery.last_error.split(/[: ]/)[0]);
}

/** Whether the outcome may still change without a request. */
export function isUnderWay(forwarded: Forwarded): boolean {
  return ["held", "queued", "retrying"].includes(stateOf(forwarded) ?? "");
}
