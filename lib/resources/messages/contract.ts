import * as z from "zod";
import { withAliases } from "@/lib/platform/http/aliases";
import {
  claimFields,
  clampedText,
  externalId,
  resourceFields,
  text,
  UNIX_SECONDS,
  unixSeconds,
} from "@/lib/platform/http/fields";
import { RECORDED_HEADERS_MAX } from "@/lib/platform/http/recorded-headers";
import { listQuery } from "@/lib/platform/lists/list";
import { messageKind } from "./kind";
import { targetHeaders, targetUrl } from "./target";

const BODY_CHARACTERS_MAX = 1_000_000;
const DELAY_SECONDS_MAX = 31_622_400;
/** When a message that has not been sent counts as overdue. */
export const OVERDUE_SECONDS = 60;
export const WAIT_SECONDS_MAX = 25;
/** How much of a target's response an attempt keeps. */
export const RESPONSE_CHARACTERS_MAX = 4096;

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const statuses = ["scheduled", "delivering", "delivered", "failed", "canceled"] as const;

export const Message = z
  .object({
    id: z.string(),
    object: z.literal("scheduled_message"),
    channel: z.literal("http"),
    url: z.string(),
    method: z.enum(methods),
    headers: z
      .record(z.string(), z.string())
      .describe("Credentials are `[redacted]` for a key without api.write"),
    body: z.string().nullable(),
    body_encoding: z.enum(["utf8", "base64"]).nullable(),
    scheduled_at: z.int().nullable().describe("When the message fires, Unix seconds"),
    status: z.enum(statuses),
    attempts: z.int(),
    response_status: z.int().nullable(),
    last_error: z.string().nullable(),
    delivered_at: z
      .int()
      .nullable()
      .describe("When the last attempt ran, whatever came of it, Unix seconds"),
    next_attempt_at: z.int().nullable().describe("Unix seconds; null: no further attempt"),
    overdue: z.boolean().describe(`Due for ${OVERDUE_SECONDS} seconds without an attempt`),
    held: z.boolean().describe("Stopped by a claim: set a time or retry it"),
    ...resourceFields,
  })
  .meta({
    id: "ScheduledMessage",
    examples: [
      {
        id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "scheduled_message",
        channel: "http",
        url: "https://example.com/hook",
        method: "POST",
        headers: {},
        body: "wake up",
        body_encoding: "utf8",
        scheduled_at: 1_767_229_200,
        status: "scheduled",
        attempts: 0,
        response_status: null,
        last_error: null,
        delivered_at: null,
        next_attempt_at: null,
        overdue: false,
        held: false,
        organization_id: null,
        external_id: "crm-4711",
        created_at: 1_767_225_600,
        updated_at: 1_767_225_600,
      },
    ],
  });
export type Message = z.infer<typeof Message>;

export const CreatedMessage = Message.extend({
  ...claimFields,
  warnings: z.array(z.string()).optional().describe("Values that may be mistakes"),
}).meta({ id: "CreatedScheduledMessage" });
export type CreatedMessage = z.infer<typeof CreatedMessage>;

const delaySeconds = z.int().min(0).max(DELAY_SECONDS_MAX);

export const MessageUpdate = z
  .strictObject({
    url: targetUrl.optional(),
    method: z.enum(methods).optional(),
    headers: targetHeaders.nullable().optional().describe("null removes all headers"),
    body: text({ max: BODY_CHARACTERS_MAX }).nullable().optional(),
    scheduled_at: unixSeconds().optional().describe(`${UNIX_SECONDS}; a past time means now`),
    delay_seconds: delaySeconds
      .optional()
      .describe("Seconds from now; `scheduled_at` takes precedence"),
  })
  .meta({ id: "ScheduledMessageUpdate", examples: [{ delay_seconds: 7200 }] });
export type MessageUpdate = z.infer<typeof MessageUpdate>;

export const MessageCreate = z
  .strictObject({
    channel: z.literal("http").optional(),
    ...MessageUpdate.shape,
    url: targetUrl,
    method: z.enum(methods).optional().describe("Default: `POST`"),
    headers: targetHeaders.optional(),
    external_id: externalId.optional(),
  })
  .meta({
    id: "ScheduledMessageCreate",
    examples: [{ url: "https://example.com/hook", body: "wake up", delay_seconds: 3600 }],
  });
export type MessageCreate = z.infer<typeof MessageCreate>;

export const MessageListQuery = withAliases(
  listQuery(messageKind.prefix).extend({
    status: z.enum(statuses).optional(),
    external_id: text().optional(),
  }),
  { state: "status" },
);
export type MessageListQuery = z.infer<typeof MessageListQuery>;

export const MessageQuery = z.object({
  wait: clampedText(0, WAIT_SECONDS_MAX)
    .optional()
    .describe("How many seconds to wait until no attempt will follow; default 0"),
});

export const MessageAttempt = z
  .object({
    id: z.string(),
    object: z.literal("message_attempt"),
    message_id: z.string(),
    attempt: z.int(),
    started_at: z.int(),
    duration_ms: z.int().nullable().describe("null when the process ended during the attempt"),
    response_status: z.int().nullable(),
    response_headers: z.record(z.string(), z.string()).nullable().describe("Lower-case names"),
    response_headers_truncated: z
      .boolean()
      .describe(`Whether only the first ${RECORDED_HEADERS_MAX} were kept`),
    response_body: z
      .string()
      .nullable()
      .describe(`The first ${RESPONSE_CHARACTERS_MAX} characters`),
    error: z.string().nullable(),
  })
  .meta({
    id: "MessageAttempt",
    examples: [
      {
        id: "att_034gLHnnT5MH2Sbz6VPrmYvR1q",
        object: "message_attempt",
        message_id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q",
        attempt: 1,
        started_at: 1_767_229_200,
        duration_ms: 84,
        response_status: 204,
        response_headers: {},
        response_headers_truncated: false,
        response_body: "",
        error: null,
      },
    ],
  });
export type MessageAttempt = z.infer<typeof MessageAttempt>;

export const AttemptListQuery = listQuery("att");
export type AttemptListQuery = z.infer<typeof AttemptListQuery>;

export const DispatchResult = z
  .object({
    object: z.literal("dispatch_result"),
    dispatched: z.int(),
    delivered: z.int(),
    failed: z.int(),
    remaining: z.int().describe("Due messages that were not started"),
    results: z.array(
      z.object({
        id: z.string().optional().describe("Omitted in public mode when no secret is configured"),
        status: z.enum(["delivered", "failed"]),
        attempts: z.int(),
        response_status: z.int().nullable(),
        error: z.string().nullable(),
        next_attempt_at: z.int().nullable(),
      }),
    ),
  })
  .meta({
    id: "DispatchResult",
    examples: [
      {
        object: "dispatch_result",
        dispatched: 1,
        delivered: 1,
        failed: 0,
        remaining: 0,
        results: [
          {
            id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q",
            status: "delivered",
            attempts: 1,
            response_status: 204,
            error: null,
            next_attempt_at: null,
          },
        ],
      },
    ],
  });
export type DispatchResult = z.infer<typeof DispatchResult>;
