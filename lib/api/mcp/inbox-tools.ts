import { inboxEventOperations as inboxEvents } from "@/lib/resources/inboxes/events/operations";
import { inboxOperations as inboxes } from "@/lib/resources/inboxes/operations";
import { inboxReplyOperations as replies } from "@/lib/resources/inboxes/replies/operations";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";
import { REST, REST_OF_EVENT, type Tool } from "./tool";

const ofEvent = { id: "id", eventId: "event_id" };

export const inboxTools: readonly Tool[] = [
  {
    name: "create_inbox",
    purpose: "Create a durable queue; anyone can send events to `ingest_url`.",
    variants: [{ operation: inboxes.create }],
    examples: [{ name: "Orders" }],
    echoes: true,
  },
  {
    name: "send_to_inbox",
    purpose: "Put an event into an inbox; wait with its `reply_url` gets the reply.",
    variants: [{ when: { id: "inbox_" }, operation: inboxEvents.ingest }],
    examples: [{ id: "inbox_…", body: { order: 7 } }],
  },
  {
    name: "receive_work",
    purpose:
      "Lease work, so that nobody else takes it: the next events of an inbox, a task, or without `id` your organization's most urgent free task. End each with finish_work or complete_task. `lease_id` renews a lease; for an inbox, with `event_id`.",
    variants: [
      { when: { id: "tsk_" }, operation: tasks.takeLease },
      { when: { id: "inbox_", lease_id: true }, operation: inboxEvents.extend, ids: ofEvent },
      {
        when: { id: "inbox_" },
        operation: inboxEvents.receive,
        maximum: { limit: 5 },
        keepsItems: true,
        untrusted: "The headers, query and body of each event",
      },
      { when: { id: null }, operation: tasks.leaseNext },
    ],
    words: {
      event_id: "",
      holder: "Who you are; required for a task",
      lease_id: "",
      limit: "Events, at most 5; default 1",
      wait_seconds: "At most 20",
    },
    unlisted: ["ack", "consumer"],
    examples: [
      { holder: "writer-1", labels: ["docs"] },
      { id: "inbox_…", wait_seconds: 20 },
    ],
    rest: `${REST_OF_EVENT} ${REST}`,
    hints: { openWorld: true },
  },
  {
    name: "finish_work",
    purpose:
      "End leases of an inbox's events: acknowledge `event_id`, or reply to its sender with `body`, which acknowledges it; several with `acks`, and `nacks` return them for another delivery. Or return a task unfinished.",
    variants: [
      { when: { id: "tsk_" }, operation: tasks.releaseLease },
      { when: { id: "inbox_", body: true }, operation: replies.reply, ids: ofEvent },
      { when: { id: "inbox_", event_id: true }, operation: inboxEvents.ack, ids: ofEvent },
      { when: { id: "inbox_" }, operation: inboxEvents.settle },
    ],
    words: { lease_id: "", event_id: "" },
    examples: [{ id: "inbox_…", event_id: "iev_…", lease_id: "lse_…" }],
    rest: "Repeat the call with those left out: an acknowledged event has the outcome `not_found`.",
    hints: { destructive: true },
  },
];
