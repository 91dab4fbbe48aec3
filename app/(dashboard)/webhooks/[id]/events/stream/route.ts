import { ownAnswer } from "@/app/own-route";
import { visitor } from "@/app/session";
import { Answer } from "@/lib/http/operation";
import { queryDocument, validate } from "@/lib/http/validation";
import { WebhookEventStreamQuery } from "@/lib/webhooks/contract";
import { startOf, streamEvents } from "@/lib/webhooks/stream";

interface Context {
  params: Promise<{ id: string }>;
}

/** New events as they come, for the page that shows their endpoint. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await visitor();
    const search = new URL(request.url).searchParams.toString();
    const query = validate(WebhookEventStreamQuery, queryDocument(WebhookEventStreamQuery, search));
    const { id } = await params;
    return new Answer(
      200,
      { "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform" },
      await streamEvents(caller, id, query, startOf(request, query), request.signal),
    );
  });
}
