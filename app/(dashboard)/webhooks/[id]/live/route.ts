import { refusal } from "@/app/refusal";
import { visitor } from "@/app/session";
import { queryDocument, validate } from "@/lib/http/validation";
import { WebhookEventStreamQuery } from "@/lib/webhooks/contract";
import { startOf, streamEvents } from "@/lib/webhooks/stream";

/** Tells a page of each event that is captured, by its ID: the page fetches what it shows. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ id: string }> },
): Promise<Response> {
  try {
    const { id } = await params;
    const { caller } = await visitor();
    const { search } = new URL(request.url);
    const filter = validate(
      WebhookEventStreamQuery,
      queryDocument(WebhookEventStreamQuery, search.slice(1)),
    );
    const start = startOf(request, filter);
    const events = await streamEvents(caller, id, filter, start, request.signal);
    return new Response(events.pipeThrough(withoutBodies()), {
      headers: {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store, no-transform",
      },
    });
  } catch (error) {
    return refusal(error);
  }
}

/** Each chunk of the stream is whole messages, and JSON has no line breaks. */
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
