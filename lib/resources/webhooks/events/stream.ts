import { credentialOf } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { looksLikeId } from "@/lib/platform/db/ids";
import { invalidParam } from "@/lib/platform/errors";
import { eventStream } from "@/lib/platform/http/event-stream";
import { toJsonLine } from "@/lib/platform/http/json-text";
import type { HttpRequest } from "@/lib/platform/http/request";
import { atOnce, type InTurn } from "@/lib/platform/limits/search-gate";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import type { WebhookEventStreamQuery } from "./contract";
import { takesTurn } from "./filter";
import { newestEvent, waitForEvents } from "./wait";

const PAGE_EVENTS = 100;

/**
 * The endpoint's events after `position` (default: now) as server-sent events, each once and in
 * order. Reads only on demand. Throws 404 and 403.
 */
export async function streamEvents(
  caller: Caller,
  id: string,
  filter: WebhookEventStreamQuery,
  position: string | undefined,
  reader: { signal: AbortSignal; inTurn: InTurn },
): Promise<ReadableStream<Uint8Array>> {
  const endpoint = await findEndpoint(caller, id);
  const { signal } = reader;
  const inTurn = takesTurn(filter) ? reader.inTurn : atOnce;
  const credential = credentialOf(caller);
  let since = position ?? (await newestEvent(endpoint));
  return eventStream(since, signal, async (wait) => {
    const newer = { ...filter, since, limit: PAGE_EVENTS };
    const page = await waitForEvents(caller, id, newer, { ...wait, credential, inTurn });
    since = page.reached;
    const messages = page.events.map((event) => `id: ${event.id}\ndata: ${toJsonLine(event)}\n\n`);
    return messages.join("") || ": \n\n";
  });
}

/** Where a stream starts. A reconnecting client sends the last ID it received. */
export function startOf(
  request: HttpRequest,
  { since }: WebhookEventStreamQuery,
): string | undefined {
  const lastSeen = request.headers.get("last-event-id");
  if (lastSeen === null || lastSeen === "") return since;
  if (looksLikeId("wev", lastSeen)) return lastSeen;
  throw invalidParam("Last-Event-ID", "Last-Event-ID must be the ID of an event, wev_….");
}
