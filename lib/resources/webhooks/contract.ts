import * as z from "zod";
import { claimFields, externalId, resourceFields, text } from "@/lib/platform/http/fields";
import { after, listQuery } from "@/lib/platform/lists/list";
import { webhookKind } from "./kind";

export const MAX_EVENTS_DEFAULT = 100;

/** Normalizes an ID, since `whe_X` is an alias of `wh_X`. */
export function endpointId(given: string): string {
  return given.startsWith("whe_") ? `wh_${given.slice(4)}` : given;
}

export const WebhookEndpoint = z
  .object({
    id: z.string(),
    object: z.literal("webhook_endpoint"),
    name: z.string(),
    description: z.string().nullable(),
    url: z.string().describe("Captures every request sent to it"),
    max_events: z.int().describe("Number of events kept, newest first"),
    event_count: z.int().optional().describe("On single reads only"),
    ...resourceFields,
  })
  .meta({
    id: "WebhookEndpoint",
    examples: [
      {
        id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "webhook_endpoint",
        name: "Payments",
        description: null,
        url: "https://agents.acme.dev/api/catch/wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        max_events: 100,
        organization_id: null,
        external_id: "crm-4711",
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const CreatedWebhookEndpoint = WebhookEndpoint.extend(claimFields).meta({
  id: "CreatedWebhookEndpoint",
});
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpoint>;

export const WebhookEndpointCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }),
    description: text({ max: 1000 }).nullable().optional(),
    max_events: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .optional()
      .describe(`Default: ${MAX_EVENTS_DEFAULT}, also for null`),
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
    .describe("The ID of the previous page's last item; it may have been deleted."),
  external_id: text().optional(),
});
export type WebhookEndpointListQuery = z.infer<typeof WebhookEndpointListQuery>;
