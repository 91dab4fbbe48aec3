import * as z from "zod";
import {
  created,
  externalId,
  externalIdFilter,
  idOf,
  objectType,
  reference,
  resourceFields,
  text,
  timeOrNull,
  UNIX_SECONDS,
  unixSeconds,
  wait,
} from "@/lib/platform/http/fields";
import { bodyEncoding, headersTruncated } from "@/lib/platform/http/recorded-fields";
import { listQuery } from "@/lib/platform/lists/list";
import { messageKind } from "./kind";
import { targetHeaders, targetUrl } from "./target";

const BODY_CHARACTERS_MAX = 1_000_000;
const DELAY_SECONDS_MAX = 31_622_400;
/** When a message that has not been sent counts as overdue. */
export const OVERDUE_SECONDS = 60;
/** How much of a target's response an attempt keeps. */
export const RESPONSE_CHARACTERS_MAX = 4096;

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const statuses = ["scheduled", "delivering", "delivered", "failed", "canceled"] as const;

const CHANNEL = "How it is sent: always `http`.";
const METHOD = "The HTTP method of the request.";
const BODY = "The body of the request; null for none.";
const responseStatus = z
  .int()
  .nullable()
  .describe("The HTTP status of the last response; null without one.");

export const Message = z
  .object({
    id: idOf(messageKind.prefix),
    object: objectType("scheduled_message"),
    channel: z.literal("http").describe(CHANNEL),
    url: z.string().describe("Where the request is sent."),
    method: z.enum(methods).describe(METHOD),
    headers: z
      .record(z.string(), z.string())
      .describe("Headers by name. A key without `api.write` sees credentials as `[redacted]`."),
    body: z.string().nullable().describe(BODY),
    body_encoding: bodyEncoding,
    scheduled_at: z.int().describe("When it is sent first, in Unix seconds."),
    status: z
      .enum(statuses)
      .describe("`failed` is final unless `next_attempt_at` has a time. Only 2xx is `delivered`."),
    attempts: z.int().describe("Number of attempts."),
    response_status: responseStatus,
    last_error: z.string().nullable().describe("Why the last attempt failed, or null."),
    delivered_at: timeOrNull(
      "When the last attempt ran, successful or not, in Unix seconds; null before.",
    ),
    next_attempt_at: timeOrNull("When it is sent again, in Unix seconds; null if it is not."),
    overdue: z
      .boolean()
      .describe(`Whether it has been due for ${OVERDUE_SECONDS} seconds without an attempt.`),
    held: z.boolean().describe("Whether a claim has stopped it. Give it a time, or retry it."),
    ...resourceFields,
  })
  .meta({
    id: "ScheduledMessage",
    examples: [
      {
        url: "https://example.com/hook",
        method: "POST",
        body: "wake up",
        body_encoding: "utf8",
        scheduled_at: 1_767_229_200,
      },
    ],
  });
export type Message = z.infer<typeof Message>;

export const CreatedMessage = created(Message, "CreatedScheduledMessage", messageKind.name, {
  warnings: z.array(z.string()).optional().describe("Values of the request that may be mistakes."),
});
export type CreatedMessage = z.infer<typeof CreatedMessage>;

const delaySeconds = z.int().min(0).max(DELAY_SECONDS_MAX);

export const MessageUpdate = z
  .strictObject({
    url: targetUrl.optional(),
    method: z.enum(methods).optional().describe(METHOD),
    headers: targetHeaders.nullable().optional().describe("All headers to send; null for none."),
    body: text({ max: BODY_CHARACTERS_MAX }).nullable().optional().describe(BODY),
    scheduled_at: unixSeconds()
      .optional()
      .describe(`When to send it, in ${UNIX_SECONDS}. A past time means now.`),
    delay_seconds: delaySeconds
      .optional()
      .describe("How many seconds from now to send it. `scheduled_at` takes precedence."),
  })
  .meta({ id: "ScheduledMessageUpdate", examples: [{ delay_seconds: 7200 }] });
export type MessageUpdate = z.infer<typeof MessageUpdate>;

export const MessageCreate = z
  .strictObject({
    channel: z.literal("http").optional().describe(CHANNEL),
    ...MessageUpdate.shape,
    url: targetUrl,
    method: z.enum(methods).optional().describe(`${METHOD} Default: \`POST\`.`),
    headers: targetHeaders.optional(),
    external_id: externalId.optional(),
  })
  .meta({
    id: "ScheduledMessageCreate",
    examples: [{ url: "https://example.com/hook", body: "wake up", delay_seconds: 3600 }],
  });
export type MessageCreate = z.infer<typeof MessageCreate>;

export const MessageListQuery = listQuery(messageKind.prefix).extend({
  status: z.enum(statuses).optional().describe("Only those with this status."),
  external_id: externalIdFilter,
});
export type MessageListQuery = z.infer<typeof MessageListQuery>;

export const MessageQuery = z.object({
  wait: wait("How many seconds to wait for the last attempt. Default: 0."),
});

export const MessageAttempt = z
  .object({
    id: idOf("att"),
    object: objectType("message_attempt"),
    message_id: reference("msg", "The message that was sent."),
    attempt: z.int().describe("Which attempt it was, counted from 1."),
    started_at: z.int().describe("When it began, in Unix seconds."),
    duration_ms: z
      .int()
      .nullable()
      .describe("How long it took, in milliseconds; null if the process ended before."),
    response_status: z.int().nullable().describe("The HTTP status of the response, if any."),
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe("Headers of the response by lower-case name; null if none were kept."),
    response_headers_truncated: headersTruncated,
    response_body: z
      .string()
      .nullable()
      .describe(
        `The first ${RESPONSE_CHARACTERS_MAX} characters of the response; null if none were kept.`,
      ),
    error: z.string().nullable().describe("Why it failed, or null."),
  })
  .meta({
    id: "MessageAttempt",
    examples: [
      {
        attempt: 1,
        started_at: 1_767_229_200,
        duration_ms: 84,
        response_status: 204,
        response_headers: {},
        response_body: "",
      },
    ],
  });
export type MessageAttempt = z.infer<typeof MessageAttempt>;

export const DispatchResult = z
  .object({
    object: objectType("dispatch_result"),
    dispatched: z.int().describe("How many messages were sent."),
    delivered: z.int().describe("How many of them were delivered."),
    failed: z.int().describe("How many of them were not."),
    remaining: z.int().describe("How many messages are due and were not sent."),
    results: z
      .array(
        z.object({
          id: z
            .string()
            .optional()
            .describe("The message. Without a secret only local programs get it."),
          status: z.enum(["delivered", "failed"]).describe("How the attempt ended."),
          attempts: Message.shape.attempts,
          response_status: responseStatus,
          error: Message.shape.last_error.describe(
            "Why it failed, or null; without an `id` only the first word.",
          ),
          next_attempt_at: Message.shape.next_attempt_at,
        }),
      )
      .describe("The messages that were sent."),
  })
  .meta({
    id: "DispatchResult",
    examples: [
      {
        dispatched: 1,
        delivered: 1,
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
