import type { StoredBody } from "@/lib/platform/bodies/responses";
import type { Caller } from "@/lib/platform/caller";
import * as events from "@/lib/resources/webhooks/events/service";

/** The body of a captured request. Throws 404 and 403. */
export async function readStoredBody(
  caller: Caller,
  { id, eventId }: { id: string; eventId: string },
): Promise<StoredBody> {
  const { headers, bytes } = await events.readEvent(caller, id, eventId);
  return {
    bytes,
    contentType: headers["content-type"] ?? null,
    contentEncoding: headers["content-encoding"] ?? null,
  };
}
