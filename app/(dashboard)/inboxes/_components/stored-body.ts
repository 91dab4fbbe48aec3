import type { StoredBody } from "@/lib/platform/bodies/responses";
import type { Caller } from "@/lib/platform/caller";
import { notFound } from "@/lib/platform/errors";
import * as events from "@/lib/resources/inboxes/events/service";
import * as replies from "@/lib/resources/inboxes/replies/service";

interface Params {
  id: string;
  eventId: string;
}

/** The body of an event. Throws 404 and 403. */
export async function readEventBody(caller: Caller, { id, eventId }: Params): Promise<StoredBody> {
  const { bytes, contentType, headers } = await events.readBody(caller, id, eventId);
  return { bytes, contentType, contentEncoding: headers["content-encoding"] ?? null };
}

/** The body of the reply to an event. Throws 404 and 403. */
export async function readReplyBody(caller: Caller, { id, eventId }: Params): Promise<StoredBody> {
  const reply = await replies.find(caller, id, eventId);
  if (!reply) throw notFound("reply in this inbox", eventId);
  return { bytes: reply.bytes, contentType: reply.content_type, contentEncoding: null };
}
