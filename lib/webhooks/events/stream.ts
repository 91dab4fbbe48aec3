import { credentialOf } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { looksLikeId } from "@/lib/db/ids";
import { invalidParam } from "@/lib/errors";
import { toJson } from "@/lib/http/json-text";
import type { HttpRequest } from "@/lib/http/request";
import { STREAM_MS_MAX } from "@/lib/http/waiting";
import { stopping } from "@/lib/process";
import { findEndpoint } from "@/lib/webhooks/service";
import type { WebhookEventStreamQuery } from "./contract";
import { awaitEvents, newestEvent } from "./watch";

const RETRY_MS = 1000;
const HEARTBEAT_MS = 15_000;
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
  callerGone: AbortSignal,
  credential = credentialOf(caller),
): Promise<ReadableStream<Uint8Array>> {
  const endpoint = await findEndpoint(caller, id);
  let since = position ?? (await newestEvent(endpoint.id));
  const cancelled = new AbortController();
  const signal = AbortSignal.any([callerGone, cancelled.signal]);
  const end = performance.now() + STREAM_MS_MAX;
  const encoder = new TextEncoder();
  let greeted = false;

  return new ReadableStream(
    {
      async pull(controller) {
        // Send the position first, so that a client that received no event can resume from it.
        if (!greeted) {
          greeted = true;
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\nid: ${since}\n\n`));
          return;
        }
        try {
          const newer = { ...filter, since, limit: PAGE_EVENTS };
          const page = await awaitEvents(caller, id, newer, {
            milliseconds: Math.min(HEARTBEAT_MS, end - performance.now()),
            signal,
            credential,
          });
          since = page.events.at(-1)?.id ?? page.next ?? since;
          const messages = page.events.map(
            (event) => `id: ${event.id}\ndata: ${oneLine(toJson(event))}\n\n`,
          );
          if (!signal.aborted) controller.enqueue(encoder.encode(messages.join("") || ": \n\n"));
          const over = callerGone.aborted || stopping().signal.aborted || performance.now() >= end;
          if (over && !cancelled.signal.aborted) controller.close();
        } catch {
          // The endpoint was deleted or claimed, the credential ended, or the database is down: the
          // client reconnects and gets the error.
          if (!cancelled.signal.aborted) controller.close();
        }
      },
      cancel() {
        cancelled.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

/** JSON line breaks are insignificant whitespace, but would end the SSE field. */
function oneLine(json: string): string {
  return json.replaceAll(/[\r\n]/g, " ");
}

/** Where a stream starts; a reconnecting client sends the last ID it received. */
export function startOf(
  request: HttpRequest,
  { since }: WebhookEventStreamQuery,
): string | undefined {
  const lastSeen = request.headers.get("last-event-id");
  if (lastSeen === null || lastSeen === "") return since;
  if (looksLikeId("wev", lastSeen)) return lastSeen;
  throw invalidParam("Last-Event-ID", "Last-Event-ID must be the ID of an event, wev_….");
}
