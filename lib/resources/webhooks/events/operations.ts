import { invalidParam } from "@/lib/platform/errors";
import { type Method, operation } from "@/lib/platform/http/operation";
import { assertNoMessage } from "@/lib/platform/http/relayed";
import type { HttpRequest } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { turnsOf } from "@/lib/platform/limits/search-gate";
import { listOf } from "@/lib/platform/lists/list";
import { CreatedMessage } from "@/lib/resources/messages/contract";
import { TARGET_ERRORS } from "@/lib/resources/messages/target";
import { endpointId } from "@/lib/resources/webhooks/kind";
import { capture } from "./capture";
import * as contract from "./contract";
import { replay } from "./replay";
import * as events from "./service";
import { startOf, streamEvents } from "./stream";

export const webhookEventOperations = {
  list: operation("GET /api/webhooks/{id}/events", {
    id: "listWebhookEvents",
    summary: "List captured events",
    description:
      "Newest first. With `since`, only newer events, oldest first; with `wait`, waits until there is one.",
    query: contract.WebhookEventListQuery,
    searches: ({ method }) => method !== undefined,
    success: { status: 200, schema: listOf(contract.WebhookEvent) },
    waits: ({ query }) => (query.wait ? { kind: "poll" } : undefined),
    handle: ({ caller, params, query, request }) =>
      events.list(caller, params.id, query, readerOf(request)),
  }),
  purge: operation("DELETE /api/webhooks/{id}/events", {
    id: "purgeWebhookEvents",
    summary: "Delete all events of a webhook endpoint",
    success: { status: 204 },
    untagged: true,
    deletesAll: true,
    handle: ({ caller, params }) => events.purge(caller, params.id),
  }),
  stream: operation("GET /api/webhooks/{id}/events/stream", {
    id: "streamWebhookEvents",
    summary: "Stream events as they are captured",
    description:
      "Server-sent events: `id` is the event's ID, `data` the event. Begins after `Last-Event-ID`, `since`, or now.",
    query: contract.WebhookEventStreamQuery,
    success: { status: 200, contentType: "text/event-stream" },
    waits: ({ params }) => ({ kind: "stream", endpoints: [endpointId(params.id)] }),
    handle: async ({ caller, params, query, request }) =>
      new HttpResponse(
        200,
        {
          "Content-Type": "text/event-stream; charset=utf-8",
          "Cache-Control": "no-store, no-transform",
        },
        await streamEvents(caller, params.id, query, startOf(request, query), readerOf(request)),
      ),
  }),
  get: operation("GET /api/webhooks/{id}/events/{eventId}", {
    id: "getWebhookEvent",
    summary: "Get a captured event",
    success: { status: 200, schema: contract.WebhookEvent },
    conditional: true,
    handle: ({ caller, params }) => events.get(caller, params.id, params.eventId),
  }),
  remove: operation("DELETE /api/webhooks/{id}/events/{eventId}", {
    id: "deleteWebhookEvent",
    summary: "Delete a captured event",
    success: { status: 204 },
    handle: ({ caller, params, precondition }) =>
      events.remove(caller, params.id, params.eventId, precondition),
  }),
  getRaw: operation("GET /api/webhooks/{id}/events/{eventId}/raw", {
    id: "getWebhookEventRaw",
    summary: "Get the raw body of an event",
    description: "`Body-Truncated: true` means that only the first part was kept.",
    success: { status: 200, contentType: "application/octet-stream" },
    conditional: true,
    handle: async ({ caller, params }) => {
      const event = await events.readEvent(caller, params.id, params.eventId);
      const headers = {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="webhook-event.bin"`,
        "Content-Security-Policy": "sandbox",
        ...(event.body_truncated && { "Body-Truncated": "true" }),
      };
      return new HttpResponse(200, headers, new Uint8Array(event.bytes));
    },
  }),
  replay: operation("POST /api/webhooks/{id}/events/{eventId}/replay", {
    id: "replayWebhookEvent",
    summary: "Replay a captured request",
    description:
      "Sends the request at once, as a message with one attempt; `Replay-Retry: true` retries failures. The sender's headers are kept but for `authorization` and `cookie`: to send credentials, set `headers`.",
    body: contract.WebhookReplay,
    success: { status: 201, schema: CreatedMessage, location: "/api/messages" },
    errors: TARGET_ERRORS,
    handle({ caller, params, body, request }) {
      assertNoMessage(caller);
      return replay(caller, params.id, params.eventId, body, {
        retry: wantsRetry(request),
      });
    },
  }),
};

function readerOf(request: HttpRequest) {
  return { signal: request.signal, inTurn: turnsOf(request) };
}

function wantsRetry(request: HttpRequest): boolean {
  const value = request.headers.get("replay-retry");
  if (value === null || value === "false") return false;
  if (value === "true") return true;
  throw invalidParam("Replay-Retry", "Replay-Retry must be true or false.");
}

const captured: Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** One per method: a capture URL and all paths below it record requests of these. */
export const captureOperations = captured.map((method) =>
  operation(`${method} /api/catch/{id}`, {
    id: `capture${method.charAt(0)}${method.slice(1).toLowerCase()}`,
    subpaths: true,
    ...(method === "OPTIONS" && { inPartOnly: true }),
    summary: `Capture a ${method} request`,
    description: "Records the request, with any body, here and at all paths below.",
    auth: "ignored",
    ...(!["GET", "OPTIONS"].includes(method) && { rawBody: { contentType: "*/*" } }),
    bodyOptional: true,
    anyQuery: true,
    repeatable: false,
    uploadSecondsMax: 300,
    takesArrivals: true,
    success: { status: 200, schema: contract.Capture },
    handle: ({ params, request }) => capture(params.id, request),
  }),
);
