import { standardOperations } from "@/lib/resources/standard-operations";
import * as contract from "./contract";
import { webhookKind } from "./kind";
import { creation, get, list, load, remove, update } from "./service";

export const webhookOperations = standardOperations({
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
  service: { list, creation, get, update, remove, prefetch: load },
  update: { description: "A lower `max_events` deletes the oldest events at once." },
  remove: { summary: "Delete a webhook endpoint and its events" },
});
