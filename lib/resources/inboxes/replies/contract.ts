import * as z from "zod";
import { createdAt, objectType, reference, text, wait } from "@/lib/platform/http/fields";

/** How long a reply is kept. */
export const REPLY_SECONDS = 86_400;

const CONTENT_TYPE_MAX = 255;

export const InboxReply = z
  .object({
    id: reference("iev", "The ID of the event, which begins with `iev_`."),
    object: objectType("inbox_reply"),
    inbox_id: reference("inbox", "The inbox that the event was in."),
    content_type: z.string().nullable().describe("Its `Content-Type`; null without one."),
    size_bytes: z.int().describe("Its size, in bytes."),
    reply_url: z.string().describe("Returns its bytes, without a key."),
    created_at: createdAt,
    expires_at: z.int().describe("When it is deleted, in Unix seconds."),
  })
  .meta({
    id: "InboxReply",
    examples: [
      {
        content_type: "application/json",
        size_bytes: 16,
        reply_url:
          "https://agents.acme.dev/api/inboxes/inbox_034gLHnnT5MH2Sbz6VPrmYvR1q/events/iev_034gLHnnT5MH2Sbz6VPrmYvR1q/reply/8f14e45fceea167a5a36dedd4bea2543",
        created_at: 1_767_225_660,
        expires_at: 1_767_312_060,
      },
    ],
  });
export type InboxReply = z.infer<typeof InboxReply>;

export const ReplyQuery = z.object({
  lease_id: text().describe("The `lease_id` that the event was received with."),
});

export const ReplyHeaders = z.object({
  "Content-Type": z
    .string()
    .max(CONTENT_TYPE_MAX)
    .regex(/^[\x20-\x7e]*$/, "must be printable ASCII")
    .optional(),
});

export const ReplyReadQuery = z.object({
  wait: wait("How long to wait for the reply, in seconds. Default: 0."),
});
