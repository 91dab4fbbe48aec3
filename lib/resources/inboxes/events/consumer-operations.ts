import { operation } from "@/lib/platform/http/operation";
import { acknowledge, acknowledgeOne } from "./acknowledge";
import * as contract from "./consumer-contract";
import { InboxEvent } from "./contract";
import { extend } from "./extend";
import { receive } from "./receive";
import { redrive, redriveDead } from "./redrive";
import { release, releaseOne } from "./release";

/** What the consumer of an event has already. */
const minimal = ["headers", "query_params", "body", "parsed_body"];

export const receiveInboxEvents = operation("POST /api/inboxes/{id}/events/receive", {
  id: "receiveInboxEvents",
  summary: "Receive events",
  description:
    "Leases the events that have been ready longest. Acknowledge each with its `lease_id` before the lease expires, or it is redelivered; after too many deliveries it is dead.",
  body: contract.Receive,
  bodyOptional: true,
  success: { status: 200, schema: contract.Received },
  waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
  handle: ({ caller, params, body, request, commit }) =>
    receive(caller, params.id, body, request, commit),
});

export const settleInboxEvents = operation("POST /api/inboxes/{id}/events/ack", {
  id: "settleInboxEvents",
  summary: "Acknowledge and nack many events",
  body: contract.Settle,
  success: { status: 200, schema: contract.Settled },
  handle: ({ caller, params, body, commit }): Promise<contract.Settled> =>
    commit(async (db) => ({
      object: "inbox_ack_result",
      acks: await acknowledge(caller, params.id, body.acks ?? [], db),
      nacks: await release(caller, params.id, body.nacks ?? [], db),
    })),
});

export const ackInboxEvent = operation("POST /api/inboxes/{id}/events/{eventId}/ack", {
  id: "ackInboxEvent",
  summary: "Acknowledge an event",
  description:
    "An expired lease is accepted until the event is delivered again; then 409 `lease_lost`.",
  body: contract.AckOne,
  errors: ["lease_lost"],
  success: { status: 204 },
  handle: ({ caller, params, body, commit }) =>
    commit((db) => acknowledgeOne(caller, params.id, params.eventId, body.lease_id, db)),
});

export const nackInboxEvent = operation("POST /api/inboxes/{id}/events/{eventId}/nack", {
  id: "nackInboxEvent",
  summary: "Return an event for redelivery",
  description: "With `dead: true` it is not redelivered until it is redriven.",
  body: contract.NackOne,
  errors: ["lease_lost"],
  success: { status: 200, schema: InboxEvent },
  minimal,
  handle: ({ caller, params, body, commit }) =>
    commit((db) => releaseOne(caller, params.id, params.eventId, body, db)),
});

export const extendInboxEvent = operation("POST /api/inboxes/{id}/events/{eventId}/extend", {
  id: "extendInboxEvent",
  summary: "Extend the lease of an event",
  body: contract.Extend,
  errors: ["lease_lost"],
  success: { status: 200, schema: InboxEvent },
  minimal,
  handle: ({ caller, params, body, commit }) =>
    commit((db) => extend(caller, params.id, params.eventId, body, db)),
});

export const redriveInboxEvent = operation("POST /api/inboxes/{id}/events/{eventId}/redrive", {
  id: "redriveInboxEvent",
  summary: "Redrive a dead event",
  description: "Makes it ready again. 400 when it is not dead; 429 when the inbox is full.",
  failures: [400],
  errors: ["inbox_full"],
  success: { status: 200, schema: InboxEvent },
  minimal,
  handle: ({ caller, params, commit }) => redrive(caller, params.id, params.eventId, commit),
});

export const redriveInboxEvents = operation("POST /api/inboxes/{id}/events/redrive", {
  id: "redriveInboxEvents",
  summary: "Redrive dead events",
  description: "Oldest first, as many as there is room for; 429 when there is none.",
  body: contract.RedriveAll,
  bodyOptional: true,
  success: { status: 200, schema: contract.Redriven },
  errors: ["inbox_full"],
  handle: ({ caller, params, body, commit }) => redriveDead(caller, params.id, body.limit, commit),
});

export const consumerOperations = [
  receiveInboxEvents,
  settleInboxEvents,
  redriveInboxEvents,
  ackInboxEvent,
  nackInboxEvent,
  extendInboxEvent,
  redriveInboxEvent,
];
