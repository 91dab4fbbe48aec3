import type { Caller } from "@/lib/platform/caller";
import { invalidParam } from "@/lib/platform/errors";
import type { Insertion } from "@/lib/resources/insertion";
import type { CreatedMessage } from "@/lib/resources/messages/contract";
import { schedule } from "@/lib/resources/messages/creation";
import { dispatchReplaysSoon } from "@/lib/resources/messages/dispatch-replays";
import type { WebhookReplay } from "./contract";
import { sendableMethod, sendersHeaders } from "./sendable";
import { readEvent } from "./service";

/**
 * A message that replays a captured request at once, with one attempt or, with `retry`, as many as
 * other messages have. By default it sends the original headers only, so that the sender's
 * signature verifies at `url`; credentials were meant for the endpoint and are left out. Throws
 * 404, 403, and 400 for a truncated event.
 */
export async function replay(
  caller: Caller,
  id: string,
  eventId: string,
  input: WebhookReplay,
  { retry }: { retry: boolean },
): Promise<Insertion<CreatedMessage>> {
  const event = await readEvent(caller, id, eventId);
  if (event.body_truncated) {
    throw invalidParam("eventId", "This event's body was truncated.");
  }
  const { url, method = sendableMethod(event.method) } = input;
  const headers = input.headers ?? sendersHeaders(event.headers);
  const body = event.bytes.length === 0 ? null : event.bytes;
  return schedule(caller, { url, method, headers, body })
    .withColumns({
      attempts_max: retry ? null : 1,
      verbatim: input.headers === undefined,
      replayed_endpoint_id: event.endpoint_id,
      replayed_event_id: event.id,
    })
    .followedBy(dispatchReplaysSoon);
}
