import { z } from "zod";
import { withAliases } from "@/lib/http/aliases";
import { claimFields, clampedText, externalId, resourceFields, text } from "@/lib/http/fields";
import { after, cursor, listQuery } from "@/lib/http/list";
import { methods } from "@/lib/messages/contract";
import { targetHeaders, targetUrl } from "@/lib/messages/target";
import { endpointId } from "./endpoint-id";

export const WAIT_SECONDS_MAX = 25;

export const MAX_EVENTS_DEFAULT = 100;

export const WebhookEndpoint = z.object({
  id: z.string().describe("Begins with wh_; whe_ in its place means the same"),
  object: z.literal("webhook_endpoint"),
  name: z.string(),
  description: z.string().nullable(),
  url: z.string().describe("Whatever is sent here is captured"),
  max_events: z.int().describe("The newest so many events are kept"),
  event_count: z.int().optional().describe("Present when one endpoint is read"),
  ...resourceFields,
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const CreatedWebhookEndpoint = WebhookEndpoint.extend(claimFields);
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpoint>;

export const WebhookEndpointCreate = z.strictObject({
  name: text({ min: 1, max: 200 }),
  description: text({ max: 1000 }).nullable().optional(),
  max_events: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .optional()
    .describe(`${MAX_EVENTS_DEFAULT} when left out or null`),
  external_id: externalId.optional(),
});
export type WebhookEndpointCreate = z.infer<typeof WebhookEndpointCreate>;

export const WebhookEndpointUpdate = WebhookEndpointCreate.partial();
export type WebhookEndpointUpdate = z.infer<typeof WebhookEndpointUpdate>;

export const WebhookEndpointListQuery = listQuery("wh").extend({
  after: z
    .string()
    .transform(endpointId)
    .pipe(after("wh"))
    .optional()
    .describe("The ID of the last item of the page before; it need not exist any more."),
  external_id: text().optional(),
});
export type WebhookEndpointListQuery = z.infer<typeof WebhookEndpointListQuery>;

export const WebhookEvent = z.object({
  id: z.string().describe("Begins with wev_"),
  object: z.literal("webhook_event"),
  endpoint_id: z.string(),
  organization_id: z.string().nullable().describe("The endpoint's; null means public"),
  method: z.string(),
  path: z.string().describe("The full path, as sent"),
  headers: z
    .record(z.string(), z.string())
    .describe(
      "Names in lower case. Of a public endpoint without credentials: `authorization`, `proxy-authorization` and `cookie` are `[redacted]`",
    ),
  body: z.string().nullable().describe("Text, or base64 where the bytes are not UTF-8"),
  body_encoding: z.enum(["utf8", "base64"]).nullable().describe("null when there is no body"),
  body_truncated: z.boolean().describe("Only the first part of the body was kept"),
  parsed_body: z.unknown().describe("The body's value when it is JSON, else null"),
  query_params: z.record(z.string(), z.string()).describe("The last value of a repeated key"),
  query_string: z.string().describe("The query as sent, without the question mark"),
  source_ip: z.string().nullable(),
  size_bytes: z.int().nullable().describe("The size of the whole body"),
  received_at: z.int().nullable().describe("Unix seconds"),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** What narrows a list or stream of events. */
const filters = {
  method: text()
    .transform((method) => method.toUpperCase())
    .optional()
    .describe("Only events of this HTTP method."),
  q: text({ max: 200 })
    .optional()
    .describe("Only events with this text, letter for letter, in body, path or query string."),
  since: cursor("wev")
    .optional()
    .describe(
      "An event's ID, which need not exist any more: newer events only, oldest first. `wev_0` is before all.",
    ),
};

const eventListQuery = listQuery("wev").extend({
  ...filters,
  wait: clampedText(0, WAIT_SECONDS_MAX)
    .optional()
    .describe(
      "With `since`: how many seconds to wait for an event when there is none yet. A longer wait counts as the longest.",
    )
    .meta({ query: { type: "integer", minimum: 0, maximum: WAIT_SECONDS_MAX } }),
});
export const WebhookEventListQuery = withAliases(eventListQuery, { wait_seconds: "wait" });
export type WebhookEventListQuery = z.infer<typeof WebhookEventListQuery>;

export const WebhookEventStreamQuery = z.object(filters);
export type WebhookEventStreamQuery = z.infer<typeof WebhookEventStreamQuery>;

export const WebhookReplay = z.strictObject({
  url: targetUrl,
  method: z.enum(methods).optional().describe("The event's when left out"),
  headers: targetHeaders
    .optional()
    .describe("The event's, as far as a message may carry them, when left out"),
});
export type WebhookReplay = z.infer<typeof WebhookReplay>;

export const Capture = z.object({
  received: z.literal(true),
  event_id: z.string(),
});
export type Capture = z.infer<typeof Capture>;
