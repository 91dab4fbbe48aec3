import type { Row } from "@/lib/platform/db/columns";
import { unseal } from "@/lib/platform/encryption";
import { hmacsOf } from "./signing";

/** How often an event is sent before its subscription is suspended. */
export const PUSH_ATTEMPTS_MAX = 5;
export const PUSH_DELAYS_SECONDS = [2, 10, 60, 300];
/** Statuses with which a client drops one event: it is gone, or too large. */
const REFUSALS = [410, 413];

export const SUBSCRIPTION_HEADER = "X-MCP-Subscription-Id";

/** The secrets that sign the events of a subscription; null if it has ended. */
export interface PushSecrets {
  push_secret: Uint8Array | null;
  push_previous_secret: Uint8Array | null;
}

/** Whether a message carries an event to a client of MCP Events. */
export function isPushedEvent<
  Given extends Pick<Row<"ScheduledMessage">, "subscription_id"> & { headers: object },
>(message: Given): message is Given & { subscription_id: string } {
  return message.subscription_id !== null && Object.hasOwn(message.headers, SUBSCRIPTION_HEADER);
}

/** Whether the client refused this event permanently. The subscription continues with the next. */
export function isRefusal(status: number | null): boolean {
  return status !== null && REFUSALS.includes(status);
}

/**
 * The secrets of a subscription: the current one and, while they overlap, the last. None if they were sealed
 * under another SERVER_SECRET.
 */
export function secretsOfPush(
  subscriptionId: string,
  { push_secret: current, push_previous_secret: previous }: PushSecrets,
): Uint8Array[] {
  return [current, previous].flatMap((sealed) => {
    const secret = sealed && unseal(subscriptionId, sealed);
    return secret ? [Buffer.from(secret.slice("whsec_".length), "base64")] : [];
  });
}

/** The headers of Standard Webhooks, signed by the secret that the client chose. */
export function signedHeaders(
  id: string,
  timestamp: number,
  body: Uint8Array | null,
  secrets: readonly Uint8Array[],
): [string, string][] {
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(timestamp)],
    ["webhook-signature", hmacsOf(id, timestamp, body, secrets).join(" ")],
  ];
}
