import * as z from "zod";
import { looksLikeId } from "@/lib/platform/db/ids";
import {
  idOf,
  objectType,
  organizationId,
  reference,
  text,
  time,
  wait,
} from "@/lib/platform/http/fields";
import {
  bodyEncoding,
  headersTruncated,
  parsedBody,
  queryParams,
  recordedText,
  sourceIp,
} from "@/lib/platform/http/recorded-fields";
import { listQuery } from "@/lib/platform/lists/list";
import { methods } from "@/lib/resources/messages/contract";
import { targetHeaders, targetUrl } from "@/lib/resources/messages/target";

export const WebhookEvent = z
  .object({
    id: idOf("wev"),
    object: objectType("webhook_event"),
    endpoint_id: reference("wh", "The endpoint that captured it."),
    organization_id: organizationId,
    method: z.string().describe("The HTTP method of the request."),
    path: z.string().describe("The path of the request, without the query."),
    headers: z
      .record(z.string(), z.string())
      .describe("By lower-case name. Public endpoints show credentials as `[redacted]`."),
    headers_truncated: headersTruncated,
    body: recordedText,
    body_encoding: bodyEncoding,
    body_truncated: z.boolean().describe("Whether only the beginning of the body was kept."),
    parsed_body: parsedBody,
    query_params: queryParams,
    query_string: z.string().describe("The query as it was sent, without the question mark."),
    source_ip: sourceIp,
    size_bytes: z.int().describe("The size of the whole body, in bytes."),
    received_at: time("When it was captured, in Unix seconds."),
    verified: z
      .boolean()
      .nullable()
      .describe("Whether its signature is valid; null if the endpoint verified none."),
    verification_reason: z
      .string()
      .describe("Why: `signature_valid`, `signature_mismatch`, `not_configured` and others."),
    forward: z
      .object({
        status: z
          .enum(["held", "forwarded", "skipped", "failed"])
          .describe("What became of it. What is `held` is forwarded later."),
        reason: z
          .string()
          .nullable()
          .describe("Why: `inbox_full`, `not_verified`, `no_match` and others, or null."),
        inbox_id: z.string().nullable().describe("The inbox that it went to, if any."),
        inbox_event_id: z.string().nullable().describe("The event that it became there, if any."),
        message_id: z.string().nullable().describe("The message to a URL that sends it, if any."),
      })
      .meta({ id: "WebhookEventForward" })
      .nullable()
      .describe("Where it went; null if the endpoint forwarded nothing."),
  })
  .meta({
    id: "WebhookEvent",
    examples: [
      {
        method: "POST",
        path: "/api/catch/wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        headers: { "content-type": "application/json" },
        body: '{"paid":true}',
        body_encoding: "utf8",
        parsed_body: { paid: true },
        query_string: "",
        source_ip: "203.0.113.7",
        size_bytes: 13,
        verified: true,
        verification_reason: "signature_valid",
        forward: null,
      },
    ],
  });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** The sentences about filters, in requests and in a replay that applies them. */
export const FILTERS = {
  method: "Only requests with this HTTP method.",
  q: "Only those with this text in body, path or query. Case matters.",
  header: "Only those with this text in a header, or with `name: text`. Case is ignored.",
};

/** The filters of a list or stream of events. */
export const EVENT_FILTERS = {
  method: text()
    .transform((method) => method.toUpperCase())
    .optional()
    .describe(FILTERS.method),
  q: text({ max: 200 }).optional().describe(FILTERS.q),
  header: text({ max: 200 }).optional().describe(FILTERS.header),
  // The whole form is checked, since a long poll on an impossible ID would never end.
  since: z
    .string()
    .refine(
      (id) => looksLikeId("wev", id),
      "must be an ID that begins with wev_, as returned by the API",
    )
    .optional()
    .describe("Only events after the one with this ID, oldest first. `wev_0` precedes all."),
};

export const WebhookEventListQuery = listQuery("wev").extend({
  ...EVENT_FILTERS,
  wait: wait("With `since`, how many seconds to wait for an event."),
});
export type WebhookEventListQuery = z.infer<typeof WebhookEventListQuery>;

export const WebhookEventStreamQuery = z.object(EVENT_FILTERS);
export type WebhookEventStreamQuery = z.infer<typeof WebhookEventStreamQuery>;

export const WebhookReplay = z
  .strictObject({
    url: targetUrl,
    method: z.enum(methods).optional().describe("The HTTP method. Default: the event's."),
    headers: targetHeaders.optional().describe("Headers to send instead of the event's."),
  })
  .meta({ id: "WebhookReplay", examples: [{ url: "https://example.com/hook" }] });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

export const Capture = z
  .object({
    received: z.literal(true).describe("Always true: the event is stored."),
    event_id: reference("wev", "The ID of the event."),
    challenge: z.string().optional().describe("Only for Slack's `url_verification`."),
  })
  .meta({ id: "Capture", examples: [{}] });
export type Capture = z.infer<typeof Capture>;
