import * as z from "zod";
import { withAliases } from "@/lib/platform/http/aliases";
import { text } from "@/lib/platform/http/fields";
import { RECORDED_HEADERS_MAX } from "@/lib/platform/http/recorded-headers";
import { listQuery } from "@/lib/platform/lists/list";
import { TTL_SECONDS_MAX, TTL_SECONDS_MIN } from "@/lib/resources/inboxes/contract";

export const DELAY_SECONDS_MAX = 43_200;

export const eventStates = ["ready", "delayed", "leased", "dead"] as const;
export type EventState = (typeof eventStates)[number];

const eventId = z.string();
const receivedAt = z.int();
const expiresAt = z.int().describe("Unix seconds; then it is deleted");

/** The fields that an event and its receipt share. */
export const EventFields = z
  .object({
    id: eventId,
    object: z.literal("inbox_event"),
    inbox_id: z.string(),
    received_at: receivedAt,
    expires_at: expiresAt,
  })
  .meta({
    id: "InboxEventFields",
    examples: [
      {
        id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "inbox_event",
        inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        received_at: 1_767_225_600,
        expires_at: 1_767_312_000,
      },
    ],
  });

export const InboxEvent = z
  .object({
    id: eventId,
    object: z.literal("inbox_event"),
    inbox_id: z.string(),
    organization_id: z.string().nullable().describe("null means public"),
    state: z.enum(eventStates),
    content_type: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    headers_truncated: z
      .boolean()
      .describe(`Whether only the first ${RECORDED_HEADERS_MAX} were kept`),
    body: z.string().nullable(),
    body_encoding: z.enum(["utf8", "base64"]).nullable(),
    parsed_body: z.unknown().describe("The parsed body if it is JSON"),
    query_params: z.record(z.string(), z.string()),
    source_ip: z.string().nullable(),
    size_bytes: z.int(),
    dedup_id: z.string().nullable(),
    delivery_count: z.int(),
    consumer: z.string().nullable().describe("The last consumer to receive it"),
    leased_until: z.int().nullable().describe("Unix seconds; null unless it is leased"),
    last_error: z.string().nullable(),
    visible_at: z.int().nullable().describe("Unix seconds; null when it is dead"),
    received_at: receivedAt,
    expires_at: expiresAt,
  })
  .meta({
    id: "InboxEvent",
    examples: [
      {
        id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "inbox_event",
        inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        organization_id: null,
        state: "leased",
        content_type: "application/json",
        headers: {},
        headers_truncated: false,
        body: '{"order":7}',
        body_encoding: "utf8",
        parsed_body: { order: 7 },
        query_params: {},
        source_ip: "203.0.113.7",
        size_bytes: 11,
        dedup_id: null,
        delivery_count: 1,
        consumer: null,
        leased_until: 1_767_225_660,
        last_error: null,
        visible_at: 1_767_225_660,
        received_at: 1_767_225_600,
        expires_at: 1_767_312_000,
      },
    ],
  });
export type InboxEvent = z.infer<typeof InboxEvent>;

const leaseId = z
  .string()
  .describe("Needed to acknowledge, nack or extend this delivery")
  .meta({ examples: ["lse_034gM0Zr8oVbYwWk3nJ5cTqB2x"] });

export const LeasedEvent = InboxEvent.extend({ lease_id: leaseId }).meta({
  id: "LeasedInboxEvent",
});
export type LeasedEvent = z.infer<typeof LeasedEvent>;

export const Receipt = z
  .object({
    object: z.literal("inbox_event"),
    id: eventId,
    inbox_id: z.string(),
    state: z.enum(eventStates),
    received_at: receivedAt,
    expires_at: expiresAt,
    deduplicated: z.boolean().describe("True when it was already pending and nothing was added"),
    received: z.literal(true),
    event_id: eventId,
  })
  .meta({
    id: "InboxEventReceipt",
    examples: [
      {
        id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "inbox_event",
        inbox_id: "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q",
        state: "ready",
        received_at: 1_767_225_600,
        expires_at: 1_767_312_000,
        deduplicated: false,
        received: true,
        event_id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q",
      },
    ],
  });
export type Receipt = z.infer<typeof Receipt>;

export const EventListQuery = withAliases(
  listQuery("iev").extend({ state: z.enum(eventStates).optional() }),
  { status: "state" },
);
export type EventListQuery = z.infer<typeof EventListQuery>;

export const PurgeQuery = withAliases(
  z.object({
    state: z.enum(eventStates).optional().describe("Deletes only events in this state"),
  }),
  { status: "state" },
);

export const IngestQuery = z.object({
  ttl_seconds: seconds(TTL_SECONDS_MIN, TTL_SECONDS_MAX)
    .optional()
    .describe("Lifetime of the event"),
  delay_seconds: seconds(0, DELAY_SECONDS_MAX)
    .optional()
    .describe("Delay before the event can be received"),
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
