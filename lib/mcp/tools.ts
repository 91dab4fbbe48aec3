import { createArtifact, getArtifact, updateArtifact } from "@/lib/artifacts/operations";
import { claimResources } from "@/lib/claims/operations";
import { receiveInboxEvents, settleInboxEvents } from "@/lib/inboxes/events/consumer-operations";
import { getInboxEvent, ingestEvent } from "@/lib/inboxes/events/operations";
import { createInbox } from "@/lib/inboxes/operations";
import { cancelMessage, createMessage, getMessage } from "@/lib/messages/operations";
import { completeTask } from "@/lib/tasks/finish-operations";
import { leaseNextTask } from "@/lib/tasks/lease-operations";
import { createTask, getTask, listTasks, updateTask } from "@/lib/tasks/operations";
import { getWebhookEvent, listWebhookEvents } from "@/lib/webhooks/events/operations";
import { createWebhook } from "@/lib/webhooks/operations";
import type { Tool } from "./tool";

const TASK = "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q";
const INBOX = "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q";
const LEASE = "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x";

const ONE_EVENT = "get_event with an `offset` returns the rest of a body.";

/** All tools, in the order of the list. */
export const tools: readonly Tool[] = [
  {
    name: "create_task",
    purpose: "Write down something to do.",
    operation: createTask,
    example: { name: "Write the release notes", priority: "high", labels: ["docs"] },
    echoes: true,
    rest: "get_task returns all of it.",
  },
  {
    name: "list_tasks",
    purpose: "List your organization's tasks, newest first; empty without a key.",
    operation: listTasks,
    example: { not_label: ["done"], limit: 10 },
    rest: "get_task returns one task, and the next page has the others.",
  },
  {
    name: "get_task",
    purpose: "Read one task.",
    operation: getTask,
    ids: { id: "task_id" },
    example: { task_id: TASK },
    pages: "description",
  },
  {
    name: "update_task",
    purpose: "Change the given fields of a task.",
    operation: updateTask,
    ids: { id: "task_id" },
    example: { task_id: TASK, priority: "low", due_at: null },
    echoes: true,
    rest: "get_task returns all of it.",
  },
  {
    name: "next_task",
    purpose:
      "Lease your organization's most urgent free task, so that no other worker takes it; both fields are null when there is none.",
    operation: leaseNextTask,
    example: { holder: "writer-1", labels: ["docs"], wait_seconds: 20 },
    waits: "wait_seconds",
    rest: "get_task returns all of it.",
  },
  {
    name: "complete_task",
    purpose:
      "Label a task `done` and no longer `in-progress`, end its lease, and leave a note; may be repeated.",
    operation: completeTask,
    ids: { id: "task_id" },
    example: { task_id: TASK, lease_id: LEASE, note: "Published as version 2." },
    echoes: true,
    rest: "get_task returns all of it.",
    hints: { idempotent: true },
  },
  {
    name: "create_webhook",
    purpose: "Get a URL that captures every HTTP request sent to it.",
    operation: createWebhook,
    example: { name: "Payments" },
    echoes: true,
  },
  {
    name: "wait_for_webhook",
    purpose:
      "Wait for requests captured after `since`, oldest first; continue with the ID of the last one. `wait: 0` only looks.",
    operation: listWebhookEvents,
    ids: { id: "endpoint_id" },
    defaults: { since: "wev_0", wait: 20 },
    example: { endpoint_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q", since: "wev_0", wait: 20 },
    waits: "wait",
    untrusted: "The method, path, headers, query and body of each event",
    rest: `${ONE_EVENT} \`since\` with the last event's ID returns the next ones.`,
    hints: { openWorld: true },
  },
  {
    name: "get_event",
    purpose: "Read one event of a webhook endpoint or an inbox, whose ID is `source_id`.",
    operation: getWebhookEvent,
    alternative: { prefix: "iev_", operation: getInboxEvent },
    ids: { id: "source_id", eventId: "event_id" },
    example: {
      source_id: "wh_034gLHnnT5MH2Sbz6VPrmYvR1q",
      event_id: "wev_034gLHnnT5MH2Sbz6VPrmYvR1q",
    },
    pages: "body",
    untrusted: "The headers, query and body of the event",
    hints: { openWorld: true },
  },
  {
    name: "publish_artifact",
    purpose: "Publish a Markdown or HTML document; anyone with `share_url` can read it.",
    operation: createArtifact,
    defaults: { share: true },
    example: { name: "Report", content: "# Report\n\nAll tests pass." },
    echoes: true,
    rest: "get_artifact returns all of it.",
  },
  {
    name: "get_artifact",
    purpose: "Read a document.",
    operation: getArtifact,
    ids: { id: "artifact_id" },
    example: { artifact_id: "art_034gLHnnT5MH2Sbz6VPrmYvR1q" },
    pages: "content",
  },
  {
    name: "update_artifact",
    purpose: "Replace the content or name of a document; its share links show the new version.",
    operation: updateArtifact,
    ids: { id: "artifact_id" },
    example: { artifact_id: "art_034gLHnnT5MH2Sbz6VPrmYvR1q", content: "# Report, revised" },
    echoes: true,
    rest: "get_artifact returns all of it.",
  },
  {
    name: "schedule_message",
    purpose:
      "Send an HTTP request later, for instance to be called back; retried until it arrives.",
    operation: createMessage,
    example: { url: "https://example.com/hook", body: "wake up", delay_seconds: 600 },
    echoes: true,
    rest: "get_message returns all of it.",
    hints: { openWorld: true },
  },
  {
    name: "get_message",
    purpose: "See whether a scheduled message was delivered.",
    operation: getMessage,
    ids: { id: "message_id" },
    example: { message_id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q" },
    pages: "body",
  },
  {
    name: "cancel_message",
    purpose: "Cancel a message that was not delivered yet.",
    operation: cancelMessage,
    ids: { id: "message_id" },
    example: { message_id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q" },
    echoes: true,
    rest: "get_message returns all of it.",
    hints: { destructive: true, idempotent: true },
  },
  {
    name: "create_inbox",
    purpose: "Create a durable queue; anyone can send events to `ingest_url`.",
    operation: createInbox,
    example: { name: "Orders" },
    echoes: true,
  },
  {
    name: "send_to_inbox",
    purpose: "Put an event into an inbox.",
    operation: ingestEvent,
    ids: { id: "inbox_id" },
    example: { inbox_id: INBOX, body: { order: 7 } },
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
    rest: ONE_EVENT,
    hints: { openWorld: true },
  },
  {
    name: "finish_work",
    purpose: "Acknowledge received events, or return them (`nacks`) for another delivery.",
    operation: settleInboxEvents,
    ids: { id: "inbox_id" },
    example: {
      inbox_id: INBOX,
      acks: [{ event_id: "iev_034gLHnnT5MH2Sbz6VPrmYvR1q", lease_id: LEASE }],
    },
    rest: "Repeat the call with those left out: an acknowledged event answers `not_found`.",
    hints: { destructive: true },
  },
  {
    name: "claim",
    purpose:
      "Move everything that was created with a claim token to the organization of your key, or list it.",
    operation: claimResources,
    example: { claim_token: "clm_Vt5J0yqk3ZsQmXr8uWb2Ng7cLd4FhTa9" },
  },
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}
