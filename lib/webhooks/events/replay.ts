import type { Caller } from "@/lib/caller";
import type { Db } from "@/lib/db/sql";
import { invalidParam } from "@/lib/errors";
import { isCredential, REDACTED } from "@/lib/http/recorded-headers";
import { type CreatedMessage, methods } from "@/lib/messages/contract";
import { createImmediate } from "@/lib/messages/service";
import { targetHeaders } from "@/lib/messages/target";
import type { WebhookReplay } from "./contract";
import { readEvent } from "./service";

/**
 * Sends a captured request again, byte for byte, as a scheduled message that is due now. Method and
 * headers are the event's unless the caller gives others; what a message may not carry, such as
 * `host`, is left out, and so are credentials: the sender gave them to the endpoint, not to `url`. Throws 404, 403, and 400 for an event of which only a part was kept.
 */
export async function replay(
  caller: Caller,
  id: string,
  eventId: string,
  input: WebhookReplay,
  db?: Db,
): Promise<CreatedMessage> {
  const { event, bytes } = await readEvent(caller, id, eventId, db);
  if (event.body_truncated) {
    throw invalidParam("eventId", "Only the first part of this event's body was kept.");
  }
  const { url, method = sendableMethod(event.method), headers = sendable(event.headers) } = input;
  return createImmediate(caller, { url, method, headers }, bytes.length === 0 ? null : bytes, db);
}

/** A message has fewer methods than a capture: what is none of them becomes a POST. */
function sendableMethod(method: string) {
  return methods.find((known) => known === method) ?? "POST";
}

/** The recorded headers that a message may carry, in order, as many as fit. */
function sendable(recorded: Record<string, string>): Record<string, string> {
  let headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(recorded)) {
    if (isCredential(name) || value.includes(REDACTED)) continue;
    const more = Object.fromEntries([...Object.entries(headers), [name, value]]);
    if (targetHeaders.safeParse(more).success) headers = more;
  }
  return headers;
}
