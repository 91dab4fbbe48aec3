import {
  receiveInboxEvents,
  settleInboxEvents,
} from "@/lib/resources/inboxes/events/consumer-operations";
import { ingestEvent } from "@/lib/resources/inboxes/events/operations";
import { createInbox } from "@/lib/resources/inboxes/operations";
import { readInboxReply, replyToInboxEvent } from "@/lib/resources/inboxes/replies/operations";
import { REST_OF_EVENT, type Tool } from "./tool";

const INBOX = "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q";
const LEASE = "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x";

export const inboxTools: readonly Tool[] = [
  {
    name: "create_inbox",
    purpose: "Create a durable queue; anyone can send events to `ingest_url`.",
    operation: createInbox,
    example: { name: "Orders" },
    echoes: true,
  },
  {
    name: "send_to_inbox",
    purpose: "Put an event into an inbox; wait_for_reply with its `reply_url` gets the reply.",
    operation: ingestEvent,
    ids: { id: "inbox_id" },
    example: { inbox_id: INBOX, body: { order: 7 } },
  },
  {
    name: "wait_for_reply",
    purpose: "Wait for the reply to an event that you sent; `wait: 0` only looks.",
    operation: readInboxReply,
    url: "reply_url",
    defaults: { wait: 20 },
    example: {
      reply_url:
        "https://agents.acme.dev/api/inboxes/inbox_034gLHnnT5MH2Sbz6VPrmYvR1q/events/iev_034gLHnnT5MH2Sbz6VPrmYvR1q/reply/8f14e45fceea167a5a36dedd4bea2543",
      wait: 20,
    },
    waits: "wait",
    pages: "body",
    untrusted: "The body of the reply",
    hints: { openWorld: true },
  },
  {
    name: "receive_work",
    purpose:
      "Lease the next events of an inbox; end each with finish_work before its lease expires.",
    operation: receiveInboxEvents,
    ids: { id: "inbox_id" },
    maximum: { limit: 5 },
    example: { inbox_id: INBOX, limit: 1, wait_seconds: 20 },
    waits: "wait_seconds",
    untrusted: "The headers, query and body of each event",
    rest: REST_OF_EVENT,
    hints: { openWorld: true },
  },
  {
    name: "finish_work",
    purpose:
      "Acknowledge received events (`acks`), or return them (`nacks`) for another delivery. Or reply to the sender of one event with `body`, which acknowledges it: `reply_to` is the event's ID.",
    operation: settleInboxEvents,
    ids: { id: "inbox_id" },
    choice: {
      argument: "reply_to",
      others: {
        iev_: { operation: replyToInboxEvent, ids: { id: "inbox_id", eventId: "reply_to" } },
      },
    },
    example: {
      inbox_id: INBOX,
      acks: [{ event_id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q", lease_id: LEASE }],
    },
    rest: "Repeat the call with those left out: an acknowledged event has the outcome `not_found`.",
    hints: { destructive: true },
  },
];
