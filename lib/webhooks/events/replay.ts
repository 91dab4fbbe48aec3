import type { Caller } from "@/lib/caller";
import { invalidParam } from "@/lib/errors";
import type { CreatedMessage } from "@/lib/messages/contract";
import { immediate } from "@/lib/messages/service";
import type { Insertion } from "@/lib/resources/insertion";
import { FORWARDED_HEADER } from "@/lib/webhooks/flow";
import type { WebhookReplay } from "./contract";
import { sendableHeaders, sendableMethod } from "./sendable";
import { readEvent } from "./service";

/**
 * A message, due now, that replays a captured request. Method and headers default to the event's,
 * without reserved headers and without credentials, which were meant for the endpoint and not for
 * `url`. A replay that a forwarded event asked for is marked like it, so that forwards do not lead
 * back to their endpoint forever. Throws 404, 403, and 400 for a truncated event.
 */
export async function replay(
  caller: Caller,
  id: string,
  eventId: string,
  input: WebhookReplay,
  { isForwarded = false } = {},
): Promise<Insertion<CreatedMessage>> {
  const { event, bytes } = await readEvent(caller, id, eventId);
  if (event.body_truncated) {
    throw invalidParam("eventId", "This event's body was truncated.");
  }
  const {
    url,
    method = sendableMethod(event.method),
    headers = sendableHeaders(event.headers),
  } = input;
  const sent = isForwarded ? { ...headers, [FORWARDED_HEADER]: "1" } : headers;
  return immediate(caller, { url, method, headers: sent }, bytes.length === 0 ? null : bytes);
}
