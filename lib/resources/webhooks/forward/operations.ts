import { operation } from "@/lib/platform/http/operation";
import { provenBy } from "@/lib/resources/claim-token";
import { WebhookForward, WebhookForwardPut } from "./contract";
import * as forwards from "./service";

const path = "/api/webhooks/{id}/forward";
const tag = "Webhooks";

export const putWebhookForward = operation({
  id: "putWebhookForward",
  method: "PUT",
  path,
  tag,
  summary: "Forward captured events",
  description:
    "Later events go to an inbox, within the capture, or as messages to a URL; `forward` of an event says where it went. Events that fail verification stay. A full inbox holds events back.",
  scope: "api.write",
  takesClaimToken: true,
  body: WebhookForwardPut,
  success: { status: 200, schema: WebhookForward },
  handle: ({ caller, params, body, request }) =>
    forwards.put(provenBy(body.claim_token, caller, request), params.id, body),
});

export const getWebhookForward = operation({
  id: "getWebhookForward",
  method: "GET",
  path,
  tag,
  summary: "Get where events are forwarded",
  scope: "api.read",
  conditional: true,
  success: { status: 200, schema: WebhookForward },
  handle: ({ caller, params }) => forwards.get(caller, params.id),
});

export const deleteWebhookForward = operation({
  id: "deleteWebhookForward",
  method: "DELETE",
  path,
  tag,
  summary: "Stop forwarding events",
  description: "Events that are held back stay in the endpoint.",
  scope: "api.write",
  takesClaimToken: true,
  success: { status: 204 },
  handle: ({ caller, params, precondition }) => forwards.remove(caller, params.id, precondition),
});

export const webhookForwardOperations = [
  putWebhookForward,
  getWebhookForward,
  deleteWebhookForward,
];
