import { operation } from "@/lib/http/operation";
import { acknowledge, acknowledgeOne } from "./acknowledge";
import {
  AckOne,
  Extend,
  InboxEvent,
  NackOne,
  Receive,
  Received,
  RedriveAll,
  Redriven,
  Settle,
  Settled,
} from "./event-contract";
import { extend } from "./extend";
import { receive } from "./receive";
import { redrive } from "./redrive";
import { redriveDead } from "./redrive-all";
import { release, releaseOne } from "./release";

export const receiveInboxEvents = operation({
  id: "receiveInboxEvents",
  method: "POST",
  path: "/api/inboxes/{id}/events/receive",
  tag: "Inboxes",
  summary: "Receive events",
  description:
    "Leases the events that have been ready longest: until `lease_seconds` are over, nobody else receives them. Acknowledge each with its `lease_id`, or it is delivered again; after too many deliveries it is dead. `has_more` is always false: receive again.",
  scope: "api.write",
  body: Receive,
  bodyOptional: true,
  success: { status: 200, schema: Received },
  waits: ({ body }) => (body.wait_seconds ? { kind: "poll" } : undefined),
  handle: ({ caller, params, body, request }) => receive(caller, params.id, body, request.signal),
});

export const settleInboxEvents = operation({
  id: "settleInboxEvents",
  method: "POST",
  path: "/api/inboxes/{id}/events/ack",
  tag: "Inboxes",
  summary: "Acknowledge and give back many events",
  description: "Each has an outcome of its own: one lost lease does not stop the others.",
  scope: "api.write",
  body: Settle,
  success: { status: 200, schema: Settled },
  async handle({ caller, params, body }): Promise<Settled> {
    return {
      object: "inbox_ack_result",
      acks: await acknowledge(caller, params.id, body.acks ?? []),
      nacks: await release(caller, params.id, body.nacks ?? []),
    };
  },
});

export const ackInboxEvent = operation({
  id: "ackInboxEvent",
  method: "POST",
  path: "/api/inboxes/{id}/events/{eventId}/ack",
  tag: "Inboxes",
  summary: "Acknowledge an event: its work is done",
  description:
    "Removes it for good. A lease that has ended still counts while nobody else holds the event; after that, 409 `lease_lost`.",
  scope: "api.write",
  body: AckOne,
  failures: [409],
  success: { status: 204 },
  handle: ({ caller, params, body }) =>
    acknowledgeOne(caller, params.id, params.eventId, body.lease_id),
});

export const nackInboxEvent = operation({
  id: "nackInboxEvent",
  method: "POST",
  path: "/api/inboxes/{id}/events/{eventId}/nack",
  tag: "Inboxes",
  summary: "Give an event back, to be received again",
  description: "With `dead: true` nobody receives it again until it is redriven.",
  scope: "api.write",
  body: NackOne,
  failures: [409],
  success: { status: 200, schema: InboxEvent },
  handle: ({ caller, params, body }) => releaseOne(caller, params.id, params.eventId, body),
});

export const extendInboxEvent = operation({
  id: "extendInboxEvent",
  method: "POST",
  path: "/api/inboxes/{id}/events/{eventId}/extend",
  tag: "Inboxes",
  summary: "Hold an event for longer",
  scope: "api.write",
  body: Extend,
  failures: [409],
  success: { status: 200, schema: InboxEvent },
  handle: ({ caller, params, body }) => extend(caller, params.id, params.eventId, body),
});

export const redriveInboxEvent = operation({
  id: "redriveInboxEvent",
  method: "POST",
  path: "/api/inboxes/{id}/events/{eventId}/redrive",
  tag: "Inboxes",
  summary: "Make a dead event ready again",
  description:
    "With all its deliveries before it. An event that is not dead: 400. It takes room again: in a full inbox, 429.",
  scope: "api.write",
  failures: [400, 429],
  success: { status: 200, schema: InboxEvent },
  handle: ({ caller, params }) => redrive(caller, params.id, params.eventId),
});

export const redriveInboxEvents = operation({
  id: "redriveInboxEvents",
  method: "POST",
  path: "/api/inboxes/{id}/events/redrive",
  tag: "Inboxes",
  summary: "Make dead events ready again",
  description:
    "The oldest first, as many as there is room for. `remaining` says how many are still dead. When there is room for none: 429.",
  scope: "api.write",
  body: RedriveAll,
  bodyOptional: true,
  success: { status: 200, schema: Redriven },
  failures: [429],
  handle: ({ caller, params, body }) => redriveDead(caller, params.id, body.limit),
});
