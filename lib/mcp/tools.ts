import { createArtifact, getArtifact, updateArtifact } from "@/lib/artifacts/operations";
import { listChanges } from "@/lib/changes/operations";
import { claimResources } from "@/lib/claims/operations";
import { receiveInboxEvents, settleInboxEvents } from "@/lib/inboxes/events/consumer-operations";
import { getInboxEvent, ingestEvent } from "@/lib/inboxes/events/operations";
import { createInbox } from "@/lib/inboxes/operations";
import { readInboxReply, replyToInboxEvent } from "@/lib/inboxes/replies/operations";
import { cancelMessage, createMessage, getMessage } from "@/lib/messages/operations";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "@/lib/schedules/operations";
import { completeTask } from "@/lib/tasks/finish-operations";
import { leaseNextTask } from "@/lib/tasks/lease-operations";
import { createTask, getTask, listTasks, updateTask } from "@/lib/tasks/operations";
import { getWebhookEvent, listWebhookEvents } from "@/lib/webhooks/events/operations";
import { deleteWebhookForward, putWebhookForward } from "@/lib/webhooks/forward/operations";
import { createWebhook } from "@/lib/webhooks/operations";
import {
  deleteWebhookVerification,
  putWebhookVerification,
} from "@/lib/webhooks/verification/operations";
import type { Tool } from "./tool";

const TASK = "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q";
const INBOX = "inbox_034gLHnnT5MH2Sbz6VPrmYvR1q";
const LEASE = "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x";

const WEBHOOK = "wh_034gLHnnT5MH2Sbz6VPrmYvR1q";
const SCHEDULE = "sch_034gLHnnT5MH2Sbz6VPrmYvR1q";

const ONE = "get with its ID returns all of it.";
const ONE_EVENT = "get with an `offset` returns the rest of a body.";

const byId = { ids: { id: "id" } };
const ofWebhook = { ids: { id: "endpoint_id" } };
const event = {
  ids: { id: "source_id", eventId: "id" },
  pages: "body",
  untrusted: "The headers, query and body of the event",
};

/** All tools, in the order of the list. */
export const tools: readonly Tool[] = [
  {
    name: "create_task",
    purpose: "Write down something to do.",
    operation: createTask,
    example: { name: "Write the release notes", priority: "high", labels: ["docs"] },
    echoes: true,
    rest: ONE,
  },
  {
    name: "list",
    purpose:
      "List your organization's tasks or schedules, newest first, or its changes, oldest first; empty without a key. `wait` waits for changes after `after`, the last `next_cursor`.",
    operation: listTasks,
    choice: {
      argument: "what",
      own: "tasks",
      others: {
        schedules: { operation: listSchedules },
        changes: { operation: listChanges, waits: "wait" },
      },
    },
    example: { what: "tasks", not_label: ["done"], limit: 10 },
    rest: "get returns one of them, and the next page has the others.",
  },
  {
    name: "get",
    purpose:
      "Read a task, document, message, schedule or event by its ID; `source_id` is the webhook endpoint or inbox of an event.",
    operation: getTask,
    ...byId,
    pages: "description",
    choice: {
      argument: "id",
      own: "tsk_",
      others: {
        art_: { operation: getArtifact, ...byId, pages: "content" },
        msg_: { operation: getMessage, ...byId, pages: "body" },
        sch_: { operation: getSchedule, ...byId },
        wev_: { operation: getWebhookEvent, ...event },
        iev_: { operation: getInboxEvent, ...event },
      },
    },
    example: { id: TASK },
    hints: { openWorld: true },
  },
  {
    name: "update",
    purpose:
      "Change the given fields of a task, a document (`name`, `content`; its share links show the new version) or a schedule.",
    operation: updateTask,
    ...byId,
    choice: {
      argument: "id",
      own: "tsk_",
      others: {
        art_: { operation: updateArtifact, ...byId },
        sch_: { operation: updateSchedule, ...byId },
      },
    },
    example: { id: TASK, priority: "low", due_at: null },
    echoes: true,
    rest: ONE,
  },
  {
    name: "next_task",
    purpose:
      "Lease your organization's most urgent free task, so that no other worker takes it; both fields are null when there is none.",
    operation: leaseNextTask,
    example: { holder: "writer-1", labels: ["docs"], wait_seconds: 20 },
    waits: "wait_seconds",
    rest: ONE,
  },
  {
    name: "complete_task",
    purpose:
      "Label a task `done` and no longer `in-progress`, end its lease, and leave a note; may be repeated.",
    operation: completeTask,
    ids: { id: "task_id" },
    example: { task_id: TASK, lease_id: LEASE, note: "Published as version 2." },
    echoes: true,
    rest: ONE,
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
    name: "set_up_webhook",
    purpose:
      "`verify` the sender's signatures with its secret, or `forward` verified requests to an inbox or a URL, only those that `match`.",
    operation: putWebhookVerification,
    ...ofWebhook,
    choice: {
      argument: "action",
      own: "verify",
      others: {
        forward: { operation: putWebhookForward, ...ofWebhook },
        stop_verifying: { operation: deleteWebhookVerification, ...ofWebhook },
        stop_forwarding: { operation: deleteWebhookForward, ...ofWebhook },
      },
    },
    example: { endpoint_id: WEBHOOK, action: "verify", scheme: "github", secret: "A secret" },
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
  {
    name: "wait_for_webhook",
    purpose:
      "Wait for requests captured after `since`, oldest first; continue with the ID of the last one. `wait: 0` only looks.",
    operation: listWebhookEvents,
    ids: { id: "endpoint_id" },
    defaults: { since: "wev_0", wait: 20 },
    example: { endpoint_id: WEBHOOK, since: "wev_0", wait: 20 },
    waits: "wait",
    untrusted: "The method, path, headers, query and body of each event",
    rest: `${ONE_EVENT} \`since\` with the last event's ID returns the next ones.`,
    hints: { openWorld: true },
  },
  {
    name: "publish_artifact",
    purpose: "Publish a Markdown or HTML document; anyone with `share_url` can read it.",
    operation: createArtifact,
    defaults: { share: true },
    example: { name: "Report", content: "# Report\n\nAll tests pass." },
    echoes: true,
    rest: ONE,
  },
  {
    name: "schedule_message",
    purpose:
      "Send an HTTP request later, for instance to be called back; retried until it arrives.",
    operation: createMessage,
    example: { url: "https://example.com/hook", body: "wake up", delay_seconds: 600 },
    echoes: true,
    rest: ONE,
    hints: { openWorld: true },
  },
  {
    name: "cancel",
    purpose: "Cancel a message that was not delivered yet, or delete a schedule.",
    operation: cancelMessage,
    ...byId,
    choice: {
      argument: "id",
      own: "msg_",
      others: { sch_: { operation: deleteSchedule, ...byId } },
    },
    example: { id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q" },
    echoes: true,
    rest: ONE,
    hints: { destructive: true, idempotent: true },
  },
  {
    name: "create_schedule",
    purpose:
      "Create a task, a message or an inbox event at each time of `cron`, or every `every_seconds`.",
    operation: createSchedule,
    example: {
      cron: "0 9 * * MON-FRI",
      timezone: "Europe/Berlin",
      target: { task: { name: "Write the daily report" } },
    },
    echoes: true,
    rest: ONE,
    hints: { openWorld: true },
  },
  {
    name: "run_schedule",
    purpose: "Run a schedule now; its next times stay.",
    operation: runSchedule,
    ids: { id: "schedule_id" },
    example: { schedule_id: SCHEDULE },
    hints: { openWorld: true },
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
    rest: ONE_EVENT,
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
