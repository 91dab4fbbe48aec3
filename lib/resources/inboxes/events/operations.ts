import { operation } from "@/lib/platform/http/operation";
import { HttpResponse } from "@/lib/platform/http/response";
import { listOf } from "@/lib/platform/lists/list";
import { replyUrlFor, replyUrlOf } from "@/lib/resources/inboxes/replies/reply-url";
import { readOf } from "@/lib/resources/run-headers";
import { arrivalOf } from "./arrival";
import { EventListQuery, InboxEvent, IngestQuery, PurgeQuery, Receipt } from "./contract";
import { type Ingested, ingest } from "./ingest";
import { duplicateOf } from "./repeated";
import * as events from "./service";

export const ingestEvent = operation("POST /api/inboxes/{id}/events", {
  id: "ingestInboxEvent",
  summary: "Send an event to an inbox",
  description:
    "The body is the event. Its lifetime is `ttl_seconds`, the header `Inbox-TTL-Seconds`, the member `ttl_seconds` of a JSON object, or the inbox's default, in this order. An `Idempotency-Key` adds it once in 24 hours, a `dedup_id` once while it is pending; a repeat gets 200. GET the `Reply-Url` of the response for the reply. A full inbox answers 429 `inbox_full`.",
  auth: "ignored",
  takesArrivals: true,
  rawBody: { contentType: "*/*" },
  bodyOptional: true,
  query: IngestQuery,
  anyQuery: true,
  failures: [413],
  errors: ["inbox_full"],
  success: { status: 201, schema: Receipt },
  async handle({ params, query, request, commit }) {
    const arrival = await arrivalOf(params.id, request, query);
    const ingested = await ingest(params.id, arrival, commit, (stored) =>
      receiptWith(stored, replyUrlOf(stored)),
    );
    return receiptWith(ingested, await replyUrlFor(ingested, arrival));
  },
  async repeated({ headers, body }) {
    const receipt = await duplicateOf(Receipt.parse(JSON.parse(String(body))));
    return new HttpResponse(200, headers, JSON.stringify(receipt));
  },
});

function receiptWith({ receipt }: Ingested, replyUrl: string | undefined): HttpResponse {
  const headers = {
    "Content-Type": "application/json",
    Location: `/api/inboxes/${receipt.inbox_id}/events/${receipt.id}`,
    ...(replyUrl !== undefined && { "Reply-Url": replyUrl }),
  };
  return new HttpResponse(receipt.deduplicated ? 200 : 201, headers, JSON.stringify(receipt));
}

export const listInboxEvents = operation("GET /api/inboxes/{id}/events", {
  id: "listInboxEvents",
  summary: "List the events of an inbox",
  description: "Oldest first.",
  query: EventListQuery,
  success: { status: 200, schema: listOf(InboxEvent) },
  handle: ({ caller, params, query }) => events.list(caller, params.id, query),
});

export const purgeInboxEvents = operation("DELETE /api/inboxes/{id}/events", {
  id: "purgeInboxEvents",
  summary: "Delete the events of an inbox",
  query: PurgeQuery,
  success: { status: 204 },
  handle: ({ caller, params, query }) => events.purge(caller, params.id, query.state),
});

export const getInboxEvent = operation("GET /api/inboxes/{id}/events/{eventId}", {
  id: "getInboxEvent",
  summary: "Get an event of an inbox",
  success: { status: 200, schema: InboxEvent },
  conditional: true,
  async handle({ caller, params }) {
    const { event, run } = await events.getWithRun(caller, params.id, params.eventId);
    return readOf(event, run);
  },
});

export const deleteInboxEvent = operation("DELETE /api/inboxes/{id}/events/{eventId}", {
  id: "deleteInboxEvent",
  summary: "Delete an event without a lease",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) =>
    events.remove(caller, params.id, params.eventId, precondition),
});

export const getInboxEventRaw = operation("GET /api/inboxes/{id}/events/{eventId}/raw", {
  id: "getInboxEventRaw",
  summary: "Get the raw body of an event",
  success: { status: 200, contentType: "application/octet-stream" },
  conditional: true,
  async handle({ caller, params }) {
    const body = await events.readBody(caller, params.id, params.eventId);
    // Untrusted content: browsers must not render it on our origin.
    const headers = {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${params.eventId}"`,
      "Content-Security-Policy": "sandbox",
      "X-Content-Type-Options": "nosniff",
    };
    return new HttpResponse(200, headers, new Uint8Array(body));
  },
});

export const inboxEventOperations = [
  ingestEvent,
  listInboxEvents,
  purgeInboxEvents,
  getInboxEvent,
  deleteInboxEvent,
  getInboxEventRaw,
];
