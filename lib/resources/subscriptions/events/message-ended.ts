import * as z from "zod";
import { config } from "@/lib/platform/config/config";
import { text } from "@/lib/platform/http/fields";
import { messageKind } from "@/lib/resources/messages/kind";
import { serializeMessage } from "@/lib/resources/messages/serialize";
import { messages } from "@/lib/resources/messages/service";
import { changesOf, hasEnded } from "@/lib/resources/messages/wait";
import { endedSource } from "./ended";

const POLL_MS = 1000;

const ENDS = ["delivered", "failed", "canceled"] as const;

export const messageEnded = endedSource({
  name: "message.ended",
  description:
    "A scheduled message was delivered, failed permanently or was canceled. With `message_id`, also sent if the message had already ended.",
  input: z.strictObject({
    message_id: text({ max: 100 })
      .optional()
      .describe("Only this message, msg_…. Without it, all of your organization's."),
    status: z.enum(ENDS).optional().describe("Only messages that ended like this."),
  }),
  payload: z.object({
    message_id: z.string().describe("The message."),
    status: z.enum(ENDS).describe("How it ended."),
    ended_at: z.int().describe("When, in Unix seconds."),
    message_url: z.string().describe("Where the message and its outcome are."),
  }),
  kind: messageKind,
  idIn: ({ message_id }) => message_id,
  ends: ({ status }) => (status ? [status] : ENDS),
  async get(caller, id) {
    const row = await messages.find(caller, id);
    return { ...serializeMessage(row, caller), revision: row.revision };
  },
  // A message that was retried ends again, after more attempts.
  endOf(message) {
    if (!hasEnded(message) || message.held) return undefined;
    const { id, attempts, revision, status: state, updated_at: at } = message;
    const cursor = `end_${attempts}_${state}`;
    return { id, state, at, eventId: `${id}.${cursor}.${revision}`, cursor };
  },
  cursors: /^end_\d{1,9}(_(delivered|failed|canceled))?$/,
  changesOf,
  pollMs: () => POLL_MS,
  async payloadOf(_caller, { id, state, at }) {
    const message_url = `${config().baseUrl}/api/messages/${id}`;
    return { message_id: id, status: state, ended_at: at, message_url };
  },
});
