import { standardOperations } from "@/lib/resources/standard-operations";
import { webhookEventOperations } from "@/lib/resources/webhooks/events/operations";
import { webhookForwardOperations } from "@/lib/resources/webhooks/forward/operations";
import { webhookReplayOperations } from "@/lib/resources/webhooks/replays/operations";
import { webhookVerificationOperations } from "@/lib/resources/webhooks/verification/operations";
import * as contract from "./contract";
import { webhookKind } from "./kind";
import { creation, get, list, load, remove, update } from "./service";

const standard = standardOperations({
  kind: webhookKind,
  id: "Webhook",
  nouns: ["a webhook endpoint", "webhook endpoints"],
  schemas: {
    resource: contract.WebhookEndpoint,
    created: contract.CreatedWebhookEndpoint,
    query: contract.WebhookEndpointListQuery,
    create: contract.WebhookEndpointCreate,
    update: contract.WebhookEndpointUpdate,
  },
  service: { list, creation, get, update, remove, load },
  update: { description: "A lower `max_events` deletes the oldest events at once." },
  remove: { summary: "Delete a webhook endpoint and its events" },
});

export const {
  list: listWebhooks,
  create: createWebhook,
  get: getWebhook,
  update: updateWebhook,
  remove: deleteWebhook,
} = standard;

export const webhookOperations = [
  ...Object.values(standard),
  ...webhookVerificationOperations,
  ...webhookForwardOperations,
  ...webhookEventOperations,
  ...webhookReplayOperations,
];
