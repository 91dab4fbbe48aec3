import { createHmac, timingSafeEqual } from "node:crypto";
import { config } from "@/lib/config/config";
import type { Arrival } from "@/lib/inboxes/events/arrival";
import type { Receipt } from "@/lib/inboxes/events/contract";
import { hasBody } from "@/lib/inboxes/events/ingest";

const SIGNATURE_LENGTH = 32; // hex digits: 128 bits

/** The URL at which the sender of an event reads the reply. Nothing is stored for it. */
export function replyUrl(inboxId: string, eventId: string): string {
  const secret = secretOf(inboxId, eventId);
  return `${config().baseUrl}/api/inboxes/${inboxId}/events/${eventId}/reply/${secret}`;
}

/** Whether the secret is the one in the event's reply URL. */
export function isReplySecret(inboxId: string, eventId: string, secret: string): boolean {
  const given = Buffer.from(secret);
  const expected = Buffer.from(secretOf(inboxId, eventId));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * The reply URL for the sender of an arrival, or undefined. Anyone may send an event with a known
 * `dedup_id`: only one who knows the body, too, may read the reply to the first event.
 */
export async function replyUrlFor(receipt: Receipt, arrival: Arrival): Promise<string | undefined> {
  const { inbox_id, id, deduplicated } = receipt;
  if (deduplicated && !(await hasBody(inbox_id, id, arrival.body))) return undefined;
  return replyUrl(inbox_id, id);
}

function secretOf(inboxId: string, eventId: string): string {
  return createHmac("sha256", config().serverSecret)
    .update(`inbox-reply:${inboxId}/${eventId}`)
    .digest("hex")
    .slice(0, SIGNATURE_LENGTH);
}
