import { operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { upsertOperation } from "@/lib/resources/upsert-operation";
import { webhookEventOperations } from "@/lib/resources/webhooks/events/operations";
import { webhookForwardOperations } from "@/lib/resources/webhooks/forward/operations";
import { webhookReplayOperations } from "@/lib/resources/webhooks/replays/operations";
import { webhookVerificationOperations } from "@/lib/resources/webhooks/verification/operations";
import {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointListQuery,
  WebhookEndpointUpdate,
} from "./contract";
import { webhookKind } from "./kind";
import * as webhooks from "./service";

export const listWebhooks = operation({
  id: "listWebhooks",
  method: "GET",
  path: "/api/webhooks",
  tag: "Webhooks",
  summary: "List webhook endpoints",
  scope: "api.read",
  query: WebhookEndpointListQuery,
  success: { status: 200, schema: listOf(WebhookEndpoint) },
  handle: ({ caller, query }) => webhooks.list(caller, query),
});

export const createWebhook = operation({
  id: "createWebhook",
  method: "POST",
  path: "/api/webhooks",
  tag: "Webhooks",
  summary: "Create a webhook endpoint",
  scope: "api.write",
  body: WebhookEndpointCreate,
  success: { status: 201, schema: CreatedWebhookEndpoint },
  handle: ({ caller, body }) => webhooks.creation(caller, body),
});

export const getWebhook = operation({
  id: "getWebhook",
  method: "GET",
  path: "/api/webhooks/{id}",
  tag: "Webhooks",
  summary: "Get a webhook endpoint",
  scope: "api.read",
  success: { status: 200, schema: WebhookEndpoint },
  conditional: true,
  load: webhooks.load,
  handle: ({ caller, params, loading }) => webhooks.get(caller, params.id, loading),
});

export const updateWebhook = operation({
  id: "updateWebhook",
  method: "PATCH",
  path: "/api/webhooks/{id}",
  tag: "Webhooks",
  summary: "Update a webhook endpoint",
  description: "A lower `max_events` deletes the oldest events at once.",
  scope: "api.write",
  takesClaimToken: true,
  body: WebhookEndpointUpdate,
  success: { status: 200, schema: WebhookEndpoint },
  handle: ({ caller, params, body, precondition }) =>
    webhooks.update(caller, params.id, body, precondition),
});

export const upsertWebhook = upsertOperation({
  id: "upsertWebhook",
  kind: webhookKind,
  body: WebhookEndpointCreate,
  schema: WebhookEndpoint,
  create: webhooks.create,
  update: webhooks.update,
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/webhooks/{id}",
  tag: "Webhooks",
  summary: "Delete a webhook endpoint and its events",
  scope: "api.write",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) => webhooks.remove(caller, params.id, precondition),
});

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  upsertWebhook,
  deleteWebhook,
  ...webhookVerificationOperations,
  ...webhookForwardOperations,
  ...webhookEventOperations,
  ...webhookReplayOperations,
];
