import * as z from "zod";
import { cursor, listQuery } from "@/lib/platform/lists/list";
import { Message, methods, RESPONSE_CHARACTERS_MAX } from "@/lib/resources/messages/contract";
import { messageKind } from "@/lib/resources/messages/kind";
import { targetUrl } from "@/lib/resources/messages/target";
import { EVENT_FILTERS } from "@/lib/resources/webhooks/events/contract";

/** How many bulk replays an organization can run at the same time. */
export const REPLAYS_AT_ONCE_MAX = 3;
/** How many events an organization can replay in bulk in 24 hours. */
export const REPLAYED_EVENTS_PER_DAY_MAX = 50_000;

export const BulkReplayCreate = z
  .strictObject({
    url: targetUrl,
    method: EVENT_FILTERS.method,
    q: EVENT_FILTERS.q,
    header: EVENT_FILTERS.header,
    since: cursor("wev").optional().describe("An event's ID: only newer events"),
    retry: z.boolean().optional().describe("Retry failures as those of messages; default: false"),
  })
  .meta({
    id: "WebhookBulkReplayCreate",
    examples: [{ url: "https://example.com/hook", method: "POST" }],
  });
export type BulkReplayCreate = z.infer<typeof BulkReplayCreate>;

export const BulkReplay = z
  .object({
    id: z.string(),
    object: z.literal("webhook_replay"),
    endpoint_id: z.string(),
    organization_id: z.string(),
    url: z.string(),
    method: z.string().nullable(),
    q: z.string().nullable(),
    header: z.string().nullable(),
    since: z.string().nullable(),
    retry: z.boolean(),
    status: z.enum(["running", "completed", "canceled"]),
    total: z.int().describe("Events to look at"),
    searched: z.int().describe("Events looked at"),
    skipped: z.int().describe("Matching events that cannot be replayed: their body was truncated"),
    gone: z.int().describe("Events that were deleted before their turn"),
    pending: z.int().describe("Messages that have not ended"),
    delivered: z.int(),
    failed: z.int(),
    canceled: z.int(),
    created_at: z.int(),
    ended_at: z.int().nullable().describe("When its last message ended"),
  })
  .meta({
    id: "WebhookBulkReplay",
    examples: [
      {
        id: "wrp_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "webhook_replay",
        endpoint_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
        organization_id: "org_034gLHnnT5MH2Sbz6VPrmYvR1q",
        url: "https://example.com/hook",
        method: "POST",
        q: null,
        header: null,
        since: null,
        retry: false,
        status: "running",
        total: 200,
        searched: 60,
        skipped: 0,
        gone: 0,
        pending: 10,
        delivered: 49,
        failed: 1,
        canceled: 0,
        created_at: 1_767_225_600,
        ended_at: null,
      },
    ],
  });
export type BulkReplay = z.infer<typeof BulkReplay>;

export const BulkReplayListQuery = listQuery("wrp");
export type BulkReplayListQuery = z.infer<typeof BulkReplayListQuery>;

export const EventReplay = z
  .object({
    id: z.string().describe("The message that sent it"),
    object: z.literal("webhook_event_replay"),
    event_id: z.string(),
    replay_id: z.string().nullable().describe("The bulk replay that it is part of"),
    url: z.string(),
    method: z.enum(methods),
    status: Message.shape.status,
    attempts: z.int(),
    response_status: z.int().nullable(),
    response_body: z
      .string()
      .nullable()
      .describe(`Of the last attempt, the first ${RESPONSE_CHARACTERS_MAX} characters`),
    duration_ms: z.int().nullable().describe("Of the last attempt"),
    error: z.string().nullable(),
    created_at: z.int(),
    next_attempt_at: z.int().nullable(),
  })
  .meta({
    id: "WebhookEventReplay",
    examples: [
      {
        id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "webhook_event_replay",
        event_id: "wev_034gLHnnT5MH2Sbz6VPrmYvR1q",
        replay_id: null,
        url: "https://example.com/hook",
        method: "POST",
        status: "delivered",
        attempts: 1,
        response_status: 200,
        response_body: "ok",
        duration_ms: 84,
        error: null,
        created_at: 1_767_225_600,
        next_attempt_at: null,
      },
    ],
  });
export type EventReplay = z.infer<typeof EventReplay>;

export const EventReplayListQuery = listQuery(messageKind.prefix);
export type EventReplayListQuery = z.infer<typeof EventReplayListQuery>;
