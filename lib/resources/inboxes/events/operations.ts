import { operation } from "@/lib/platform/http/operation";
import { HttpResponse } from "@/lib/platform/http/response";
import { listOf } from "@/lib/platform/lists/list";
import { replyUrlFor, replyUrlOf } from "@/lib/resources/inboxes/replies/reply-url";
import { readOf } from "@/lib/resources/run-headers";
import { acknowledgeOne } from "./acknowledge";
import { arrivalOf } from "./arrival";
import * as contract from "./consumer-contract";
import { EventListQuery, InboxEvent, IngestQuery, PurgeQuery, Receipt } from "./contract";
import { duplicateOf } from "./duplicate";
import { extend } from "./extend";
import { type Ingested, ingest } from "./ingest";
import { receive } from "./receive";
import { redrive, redriveDead } from "./redrive";
import { releaseOne } from "./release";
import * as events from "./service";
import { settle } from "./settle";

/** The members that the consumer of an event already has. */
const minimal = ["headers", "query_params", "body", "parsed_body"];

export const inboxEventOperations = {
  ingest: operation("POST /api/inboxes/{id}/events", {
    id: "ingestInboxEvent",
    summary: "Send an event to an inbox",
    description:
      "The body is the event. Its lifetime is `ttl_seconds`, the header `Inbox-TTL-Seconds`, a JSON object's `ttl_seconds` or the inbox's default, in this order. An `Idempotency-Key` adds it once while the key is kept, a `dedup_id` once while it is pending; a repeat gets 200. GET the `Reply-Url` for the reply. A full inbox: 429 `inbox_full`.",
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
  }),
  list: operation("GET /api/inboxes/{id}/events", {
    id: "listInboxEvents",
    summary: "List the events of an inbox",
    description: "Oldest first.",
    query: EventListQuery,
    searches: ({ state }) => state !== undefined,
    success: { status: 200, schema: listOf(InboxEvent) },
    handle: ({ caller, params, query }) => events.list(caller, params.id, query),
  }),
  purge: operation("DELETE /api/inboxes/{id}/events", {
    id: "purgeInboxEvents",
    summary: "Delete the events of an inbox",
    query: PurgeQuery,
    success: { status: 204 },
    untagged: true,
    deletesAll: true,
    handle: ({ caller, params, query }) => events.purge(caller, params.id, query.state),
  }),
  get: operation("GET /api/inboxes/{id}/events/{eventId}", {
    id: "getInboxEvent",
    summary: "Get an event of an inbox",
    success: { status: 200, schema: InboxEvent },
    conditional: true,
    async handle({ caller, params }) {
      const { event, run } = await events.getWithRun(caller, params.id, params.eventId);
      return readOf(event, run);
    },
  }),
  remove: operation("DELETE /api/inboxes/{id}/events/{eventId}", {
    id: "deleteInboxEvent",
    summary: "Delete an event without a lease",
    success: { status: 204 },
    handle: ({ caller, params, precondition }) =>
      events.remove(caller, params.id, params.eventId, precondition),
  }),
  getRaw: operation("GET /api/inboxes/{id}/events/{eventId}/raw", {
    id: "getInboxEventRaw",
    summary: "Get the raw body of an event",
    success: { status: 200, contentType: "application/octet-stream" },
    conditional: true,
    async handle({ caller, params }) {
      const { bytes } = await events.readBody(caller, params.id, params.eventId);
      // Untrusted content: browsers must not render it on our origin.
      const headers = {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${params.eventId}"`,
        "Content-Security-Policy": "sandbox",
        "X-Content-Type-Options": "nosniff",
      };
      return new HttpResponse(200, headers, new Uint8Array(bytes));
    },
  }),
  receive: operation("POST /api/inboxes/{id}/events/receive", {
    id: "receiveInboxEvents",
    summary: "Receive events",
    description:
      "Leases the events that have been ready longest. Acknowledge each with its `lease_id` before the lease ends, or it is redelivered; after too many deliveries it is dead.",
    body: contract.Receive,
    bodyOptional: true,
    finishesWork: true,
    success: { status: 200, schema: contract.Received },
    waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
    handle: ({ caller, params, body, request, commit }) =>
      receive(caller, params.id, body, request, commit),
  }),
  settle: operation("POST /api/inboxes/{id}/events/ack", {
    id: "settleInboxEvents",
    summary: "Acknowledge and nack many events",
    body: contract.Settle,
    texts: ({ nacks = [] }) => nacks.map(({ error }) => error),
    finishesWork: true,
    success: { status: 200, schema: contract.Settled },
    handle: ({ caller, params, body, commit }) => settle(caller, params.id, body, commit),
  }),
  redriveAll: operation("POST /api/inboxes/{id}/events/redrive", {
    id: "redriveInboxEvents",
    summary: "Redrive dead events",
    description: "Oldest first, as many as there is room for; 429 when there is none.",
    body: contract.RedriveAll,
    bodyOptional: true,
    success: { status: 200, schema: contract.Redriven },
    errors: ["inbox_full"],
    handle: ({ caller, params, body, commit }) =>
      redriveDead(caller, params.id, body.limit, commit),
  }),
  ack: operation("POST /api/inboxes/{id}/events/{eventId}/ack", {
    id: "ackInboxEvent",
    summary: "Acknowledge an event",
    description:
      "An expired lease is accepted until the event is delivered again; then 409 `lease_lost`.",
    body: contract.AckOne,
    errors: ["lease_lost"],
    success: { status: 204 },
    handle: ({ caller, params, body, commit }) =>
      commit((db) => acknowledgeOne(caller, params.id, params.eventId, body.lease_id, db)),
  }),
  nack: operation("POST /api/inboxes/{id}/events/{eventId}/nack", {
    id: "nackInboxEvent",
    summary: "Return an event for redelivery",
    description: "With `dead: true` it is not redelivered until it is redriven.",
    body: contract.NackOne,
    errors: ["lease_lost"],
    texts: ({ error }) => [error],
    finishesWork: true,
    success: { status: 200, schema: InboxEvent },
    minimal,
    handle: ({ caller, params, body, commit }) =>
      commit((db) => releaseOne(caller, params.id, params.eventId, body, db)),
  }),
  extend: operation("POST /api/inboxes/{id}/events/{eventId}/extend", {
    id: "extendInboxEvent",
    summary: "Extend the lease of an event",
    body: contract.Extend,
    errors: ["lease_lost"],
    finishesWork: true,
    success: { status: 200, schema: InboxEvent },
    minimal,
    handle: ({ caller, params, body, commit }) =>
      commit((db) => extend(caller, params.id, params.eventId, body, db)),
  }),
  redrive: operation("POST /api/inboxes/{id}/events/{eventId}/redrive", {
    id: "redriveInboxEvent",
    summary: "Redrive a dead event",
    description: "Makes it ready again. 400 when it is not dead; 429 when the inbox is full.",
    failures: [400],
    errors: ["inbox_full"],
    success: { status: 200, schema: InboxEvent },
    minimal,
    handle: ({ caller, params, commit }) => redrive(caller, params.id, params.eventId, commit),
  }),
};

function receiptWith({ receipt }: Ingested, replyUrl: string | undefined): HttpResponse {
  const headers = {
    "Content-Type": "application/json",
    Location: `/api/inboxes/${receipt.inbox_id}/events/${receipt.id}`,
    ...(replyUrl !== undefined && { "Reply-Url": replyUrl }),
  };
  return new HttpResponse(receipt.deduplicated ? 200 : 201, headers, JSON.stringify(receipt));
}
