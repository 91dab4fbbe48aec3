import { operation } from "@/lib/platform/http/operation";
import { provenBy } from "@/lib/resources/claim-token";
import { creation } from "@/lib/resources/inboxes/service";
import { TARGET_ERRORS } from "@/lib/resources/messages/target";
import { WebhookForward, WebhookForwardPut, WebhookForwardToNew } from "./contract";
import * as forwards from "./service";

const path = "/api/webhooks/{id}/forward";
export const webhookForwardOperations = {
  put: operation(`PUT ${path}`, {
    id: "putWebhookForward",
    summary: "Forward captured events",
    description:
      "Later events go to an inbox, in the same write as the capture, or as messages to a URL; `forward` of an event says where. Events that fail verification stay. A full inbox holds events back.",
    takesClaimToken: true,
    body: WebhookForwardPut,
    errors: TARGET_ERRORS,
    success: { status: 200, schema: WebhookForward },
    handle: ({ caller, params, body, request, precondition }) =>
      forwards.put(provenBy(body.claim_token, caller, request), params.id, body, { precondition }),
  }),
  get: operation(`GET ${path}`, {
    id: "getWebhookForward",
    summary: "Get the forward of an endpoint",
    conditional: true,
    success: { status: 200, schema: WebhookForward },
    handle: ({ caller, params }) => forwards.get(caller, params.id),
  }),
  remove: operation(`DELETE ${path}`, {
    id: "deleteWebhookForward",
    summary: "Stop forwarding events",
    description: "Events that are held back stay in the endpoint.",
    takesClaimToken: true,
    success: { status: 204 },
    handle: ({ caller, params, precondition }) => forwards.remove(caller, params.id, precondition),
  }),
};

/**
 * Used only by the dashboard's form, so it is not in the registry: the API creates the inbox with a
 * request of its own.
 */
export const forwardToNewInbox = operation(`PUT ${path}`, {
  id: "forwardToNewInbox",
  summary: "Forward captured events to a new inbox",
  auth: "required",
  repeatable: true,
  body: WebhookForwardToNew,
  success: { status: 200, schema: WebhookForward },
  handle({ caller, params, body: { name, ...terms }, precondition, commit }) {
    const newInbox = creation(caller, { name });
    const input = { ...terms, inbox_id: newInbox.timeless().id };
    return forwards.put(caller, params.id, input, { newInbox, precondition, commit });
  },
});
