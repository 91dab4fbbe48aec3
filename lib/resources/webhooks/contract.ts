import * as z from "zod";
import {
  created,
  externalId,
  externalIdFilter,
  idOf,
  NAME,
  objectType,
  resourceFields,
  text,
} from "@/lib/platform/http/fields";
import { AFTER, after, listQuery } from "@/lib/platform/lists/list";
import { endpointId, webhookKind } from "./kind";

export const MAX_EVENTS_DEFAULT = 100;

const DESCRIPTION = "A description, or null.";
const MAX_EVENTS = "How many of the newest events are kept.";

export const WebhookEndpoint = z
  .object({
    id: idOf(webhookKind.prefix),
    object: objectType("webhook_endpoint"),
    name: z.string().describe(NAME),
    description: z.string().nullable().describe(DESCRIPTION),
    url: z.string().describe("Captures every request to it or a path below it, without a key."),
    max_events: z.int().describe(MAX_EVENTS),
    event_count: z.int().optional().describe("How many events it has. Lists leave it out."),
    ...resourceFields,
  })
  .meta({
    id: "WebhookEndpoint",
    examples: [
      {
        name: "Payments",
        url: "https://agents.acme.dev/api/catch/wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        max_events: 100,
      },
    ],
  });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const CreatedWebhookEndpoint = created(
  WebhookEndpoint,
  "CreatedWebhookEndpoint",
  webhookKind.name,
);
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpoint>;

export const WebhookEndpointCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).describe(NAME),
    description: text({ max: 1000 }).nullable().optional().describe(DESCRIPTION),
    max_events: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .optional()
      .describe(`${MAX_EVENTS} Default, also for null: ${MAX_EVENTS_DEFAULT}.`),
    external_id: externalId.optional(),
  })
  .meta({ id: "WebhookEndpointCreate", examples: [{ name: "Payments" }] });
export type WebhookEndpointCreate = z.infer<typeof WebhookEndpointCreate>;

export const WebhookEndpointUpdate = WebhookEndpointCreate.partial().meta({
  id: "WebhookEndpointUpdate",
  examples: [{ max_events: 500 }],
});
export type WebhookEndpointUpdate = z.infer<typeof WebhookEndpointUpdate>;

export const WebhookEndpointListQuery = listQuery(webhookKind.prefix).extend({
  after: z
    .string()
    .transform(endpointId)
    .pipe(after(webhookKind.prefix))
    .optional()
    .describe(AFTER),
  external_id: externalIdFilter,
});
