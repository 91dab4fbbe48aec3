import * as z from "zod";
import {
  extended,
  idOf,
  objectType,
  organizationId,
  reference,
  text,
  time,
  timeOrNull,
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
import { TTL_SECONDS_MAX, TTL_SECONDS_MIN } from "@/lib/resources/inboxes/contract";

export const DELAY_SECONDS_MAX = 43_200;

export const eventStates = ["ready", "delayed", "leased", "dead"] as const;
export type EventState = (typeof eventStates)[number];

const eventFields = {
  id: idOf("iev"),
  object: objectType("inbox_event"),
  inbox_id: reference("inbox", "The inbox that has it."),
  state: z.enum(eventStates).describe("Whether it can be received: only if it is `ready`."),
  received_at: time("When it was added, in Unix seconds."),
  expires_at: z.int().describe("When it is deleted if nobody acknowledges it, in Unix seconds."),
};

export const InboxEvent = z
  .object({
    ...eventFields,
    organization_id: organizationId,
    content_type: z.string().nullable().describe("The sender's `Content-Type`; null without one."),
    headers: z
      .record(z.string(), z.string())
      .describe("By lower-case name. Public inboxes show credentials as `[redacted]`."),
    headers_truncated: headersTruncated,
    body: recordedText,
    body_encoding: bodyEncoding,
    parsed_body: parsedBody,
    query_params: queryParams,
    source_ip: sourceIp,
    size_bytes: z.int().describe("The size of its body, in bytes."),
    dedup_id: z.string().nullable().describe("The `dedup_id` that it was sent with, if any."),
    delivery_count: z.int().describe("Number of deliveries."),
    consumer: z.string().nullable().describe("The last consumer to receive it, if it has a name."),
    leased_until: timeOrNull("When its lease ends, in Unix seconds; null unless it is leased."),
    last_error: z.string().nullable().describe("The `error` of its last nack, or null."),
    visible_at: timeOrNull("When it can be received, in Unix seconds; null if it is dead."),
  })
  .meta({
    id: "InboxEvent",
    examples: [
      {
        state: "leased",
        content_type: "application/json",
        body: '{"order":7}',
        body_encoding: "utf8",
        parsed_body: { order: 7 },
        source_ip: "203.0.113.7",
        size_bytes: 11,
        delivery_count: 1,
        leased_until: 1_767_225_660,
        visible_at: 1_767_225_660,
        expires_at: 1_767_312_000,
      },
    ],
  });
export type InboxEvent = z.infer<typeof InboxEvent>;

export const LeasedEvent = extended(
  InboxEvent,
  "LeasedInboxEvent",
  { lease_id: z.string().describe("Acknowledges, nacks, extends or replies to this delivery.") },
  () => ({ lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x" }),
);

export const Receipt = z
  .object({
    ...eventFields,
    deduplicated: z.boolean().describe("Whether it was pending already, and nothing was added."),
    received: z.literal(true).describe("Always true: the event is stored."),
    event_id: reference("iev", "The same as `id`."),
  })
  .meta({ id: "InboxEventReceipt", examples: [{ expires_at: 1_767_312_000 }] });
export type Receipt = z.infer<typeof Receipt>;

export const EventListQuery = listQuery("iev").extend({
  state: z.enum(eventStates).optional().describe("Only events in this state."),
});
export type EventListQuery = z.infer<typeof EventListQuery>;

export const PurgeQuery = z.object({
  state: z.enum(eventStates).optional().describe("Deletes only events in this state."),
});

/** The sentences about an event that is sent, by a request or a schedule. */
export const TTL = "How long the event lives, in seconds. Default: that of the inbox.";
export const DELAY = "Seconds until it can be received: less than its TTL. Default: 0.";

export const IngestQuery = z.object({
  ttl_seconds: seconds(TTL_SECONDS_MIN, TTL_SECONDS_MAX).optional().describe(TTL),
  delay_seconds: seconds(0, DELAY_SECONDS_MAX).optional().describe(DELAY),
  dedup_id: text({ min: 1, max: 255 })
    .optional()
    .describe("Adds nothing while an event with this ID is pending."),
});

export const IngestHeaders = z.object({
  "Inbox-TTL-Seconds": seconds(TTL_SECONDS_MIN, TTL_SECONDS_MAX).optional(),
});

/** Seconds in a query parameter or a header. */
function seconds(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,10}$/, `must be an integer from ${minimum} to ${maximum}`)
    .transform(Number)
    .refine(
      (value) => value >= minimum && value <= maximum,
      `must be an integer from ${minimum} to ${maximum}`,
    )
    .meta({ query: { type: "integer", minimum, maximum } });
}
