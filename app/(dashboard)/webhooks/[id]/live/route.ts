import { sessionToken, visitor, visitorAddress } from "@/app/_shared/session";
import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { sessionCredential } from "@/lib/accounts/credential";
import { Answer } from "@/lib/http/answer";
import { queryDocument, validate } from "@/lib/http/validation";
import { occupy, whenEnded } from "@/lib/http/waiting";
import { endpointId } from "@/lib/webhooks/contract";
import { WebhookEventStreamQuery } from "@/lib/webhooks/events/contract";
import { startOf, streamEvents } from "@/lib/webhooks/events/stream";

/** Streams the IDs of new events. The page then fetches the rows it needs. */
export const GET = dashboardRoute<{ id: string }>(async (caller, { id }, request) => {
  const credential = sessionCredential(await sessionToken(), await visitor());
  const document = queryDocument(WebhookEventStreamQuery, new URL(request.url).search.slice(1));
  const filter = validate(WebhookEventStreamQuery, document);
  const start = startOf(request, filter);
  const leave = occupy({ kind: "stream", endpoint: endpointId(id) }, await visitorAddress());
  try {
    const events = await streamEvents(caller, id, filter, start, request.signal, credential);
    return new Answer(
      200,
      { "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform" },
      whenEnded(events, request.signal, leave).pipeThrough(withoutBodies()),
    );
  } catch (error) {
    leave();
    throw error;
  }
});

/** Seconds: streams end before. */
export const maxDuration = 300;

/** A chunk holds whole messages, and JSON has no line breaks. */
function withoutBodies() {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const messages = decoder.decode(chunk).replaceAll(/^data: .*$/gm, "data: captured");
      controller.enqueue(encoder.encode(messages));
    },
  });
}
