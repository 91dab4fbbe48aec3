import * as z from "zod";
import { withAliases } from "@/lib/platform/http/aliases";
import { clampedText, text } from "@/lib/platform/http/fields";
import { RECORDED_HEADERS_MAX } from "@/lib/platform/http/recorded-headers";
import { cursor, listQuery } from "@/lib/platform/lists/list";
import { methods } from "@/lib/resources/messages/contract";
import { targetHeaders, targetUrl } from "@/lib/resources/messages/target";

export const WAIT_SECONDS_MAX = 25;

export const WebhookEvent = z
  .object({
    id: z.string(),
    object: z.literal("webhook_event"),
    endpoint_id: z.string(),
    organization_id: z.string().nullable().describe("The endpoint's; null means public"),
    method: z.string(),
    path: z.string(),
    headers: z
      .record(z.string(), z.string())
      .describe("Lower-case names; on public endpoints, credentials are `[redacted]`"),
    headers_truncated: z
      .boolean()
      .describe(`Whether only the first ${RECORDED_HEADERS_MAX} were kept`),
    body: z.string().nullable().describe("Text, or base64 if not UTF-8"),
    body_encoding: z.enum(["utf8", "base64"]).nullable(),
    body_truncated: z.boolean().describe("Whether only the first part of the body was kept"),
    parsed_body: z.unknown().describe("The parsed body if it is JSON"),
    query_params: z.record(z.string(), z.string()).describe("The last value of a repeated key"),
    query_string: z.string().describe("Without the question mark"),
    source_ip: z.string().nullable(),
    size_bytes: z.int().nullable().describe("The size of the whole body"),
    received_at: z.int().nullable(),
    verified: z
      .boolean()
      .nullable()
      .describe("Whether its signature is valid; null if the endpoint had no verification"),
    verification_reason: z.string().describe("`signature_valid`, `signature_mismatch`, …"),
    forward: z
      .object({
        status: z.enum(["held", "forwarded", "skipped", "failed"]),
        reason: z.string().nullable().describe("`inbox_full`, `not_verified`, `no_match`, …"),
        inbox_id: z.string().nullable(),
        inbox_event_id: z.string().nullable(),
        message_id: z.string().nullable(),
      })
      .nullable()
      .describe("Where it went; null if the endpoint had no forward"),
  })
  .meta({
    id: "WebhookEvent",
    examples: [
      {
        id: "wev_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "webhook_event",
        endpoint_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        organization_id: null,
        method: "POST",
        path: "/api/catch/wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        headers: { "content-type": "application/json" },
        headers_truncated: false,
        body: '{"paid":true}',
        body_encoding: "utf8",
        body_truncated: false,
        parsed_body: { paid: true },
        query_params: {},
        query_string: "",
        source_ip: "203.0.113.7",
        size_bytes: 13,
        received_at: 1_767_225_600,
        verified: true,
        verification_reason: "signature_valid",
        forward: null,
      },
    ],
  });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** The filters of a list or stream of events. */
export const EVENT_FILTERS = {
  method: text()
    .transform((method) => method.toUpperCase())
    .optional()
    .describe("HTTP method."),
  q: text({ max: 200 }).optional().describe("Text in body, path or query string, case-sensitive."),
  header: text({ max: 200 })
    .optional()
    .describe("Text in a header's name or value, or `name: text`, ignoring case."),
  since: cursor("wev")
    .optional()
    .describe("An event's ID: only newer events, oldest first. `wev_0` precedes all."),
};

const eventListQuery = listQuery("wev").extend({
  ...EVENT_FILTERS,
  wait: clampedText(0, WAIT_SECONDS_MAX)
    .optional()
    .describe("With `since`: seconds to wait for an event.")
    .meta({ query: { type: "integer", minimum: 0, maximum: WAIT_SECONDS_MAX } }),
});
export const WebhookEventListQuery = withAliases(eventListQuery, { wait_seconds: "wait" });
export type WebhookEventListQuery = z.infer<typeof WebhookEventListQuery>;

export const WebhookEventStreamQuery = z.object(EVENT_FILTERS);
export type WebhookEventStreamQuery = z.infer<typeof WebhookEventStreamQuery>;

export const WebhookReplay = z
  .strictObject({
    url: targetUrl,
    method: z.enum(methods).optional().describe("Default: the event's"),
    headers: targetHeaders.optional().describe("The event's when left out"),
  })
  .meta({ id: "WebhookReplay", examples: [{ url: "https://example.com/hook" }] });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

export const Capture = z
  .object({
    received: z.literal(true),
    event_id: z.string(),
  })
  .meta({
    id: "Capture",
    examples: [{ received: true, event_id: "wev_034gLHnnT5MH2Sbz6VPrmYvR1q" }],
  });
export type Capture = z.infer<typeof Capture>;
