import * as z from "zod";
import { createdAt, idOf, objectType, reference, timeOrNull } from "@/lib/platform/http/fields";
import { Message, methods, RESPONSE_CHARACTERS_MAX } from "@/lib/resources/messages/contract";
import { targetUrl } from "@/lib/resources/messages/target";
import { EVENT_FILTERS, FILTERS } from "@/lib/resources/webhooks/events/contract";

/** How many bulk replays an organization can run at the same time. */
export const REPLAYS_AT_ONCE_MAX = 3;
/** How many events an organization can replay in bulk in 24 hours. */
export const REPLAYED_EVENTS_PER_DAY_MAX = 50_000;

const SINCE = "Only events after the one with this ID.";
const RETRY = "Whether failed requests are retried, as those of messages are.";

export const BulkReplayCreate = z
  .strictObject({
    url: targetUrl,
    method: EVENT_FILTERS.method,
    q: EVENT_FILTERS.q,
    header: EVENT_FILTERS.header,
    since: EVENT_FILTERS.since.describe(SINCE),
    retry: z.boolean().optional().describe(`${RETRY} Default: false.`),
  })
  .meta({
    id: "WebhookBulkReplayCreate",
    examples: [{ url: "https://example.com/hook", method: "POST" }],
  });
export type BulkReplayCreate = z.infer<typeof BulkReplayCreate>;

export const BulkReplay = z
  .object({
    id: idOf("wrp"),
    object: objectType("webhook_replay"),
    endpoint_id: reference("wh", "The endpoint whose events it sends."),
    organization_id: reference("org", "The organization that owns it."),
    url: z.string().describe("Where it sends the events."),
    method: z.string().nullable().describe(FILTERS.method),
    q: z.string().nullable().describe(FILTERS.q),
    header: z.string().nullable().describe(FILTERS.header),
    since: z.string().nullable().describe(SINCE),
    retry: z.boolean().describe(RETRY),
    status: z.enum(["running", "completed", "canceled"]).describe("Whether it still sends."),
    total: z.int().describe("How many events it looks at in all."),
    searched: z.int().describe("How many events it has looked at."),
    skipped: z.int().describe("How many it cannot send because their body was truncated."),
    gone: z.int().describe("How many were deleted before their turn."),
    pending: z.int().describe("How many of its messages have not ended."),
    delivered: z.int().describe("How many of its messages were delivered."),
    failed: z.int().describe("How many of its messages have failed permanently."),
    canceled: z.int().describe("How many of its messages were canceled."),
    created_at: createdAt,
    ended_at: timeOrNull("When its last message ended, in Unix seconds; null before."),
  })
  .meta({
    id: "WebhookBulkReplay",
    examples: [
      {
        url: "https://example.com/hook",
        method: "POST",
        total: 200,
        searched: 60,
        pending: 10,
        delivered: 49,
        failed: 1,
      },
    ],
  });
export type BulkReplay = z.infer<typeof BulkReplay>;

export const EventReplay = z
  .object({
    id: reference("msg", "The message that sends it, an ID that begins with `msg_`."),
    object: objectType("webhook_event_replay"),
    event_id: reference("wev", "The event that is sent again."),
    replay_id: z.string().nullable().describe("The bulk replay that it is part of, if any."),
    url: Message.shape.url,
    method: z.enum(methods).describe("The HTTP method that it is sent with."),
    status: Message.shape.status,
    attempts: Message.shape.attempts,
    response_status: Message.shape.response_status,
    response_body: z
      .string()
      .nullable()
      .describe(
        `The first ${RESPONSE_CHARACTERS_MAX} characters of the last response; null without one.`,
      ),
    duration_ms: z
      .int()
      .nullable()
      .describe("How long the last attempt took, in milliseconds; null before the first."),
    error: z.string().nullable().describe("Why the last attempt failed, or null."),
    created_at: createdAt,
    next_attempt_at: Message.shape.next_attempt_at,
  })
  .meta({
    id: "WebhookEventReplay",
    examples: [
      {
        url: "https://example.com/hook",
        method: "POST",
        status: "delivered",
        attempts: 1,
        response_status: 200,
        response_body: "ok",
        duration_ms: 84,
      },
    ],
  });
export type EventReplay = z.infer<typeof EventReplay>;
