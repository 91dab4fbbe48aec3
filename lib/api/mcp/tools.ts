import { createArtifact, getArtifact, updateArtifact } from "@/lib/resources/artifacts/operations";
import { listChanges } from "@/lib/resources/changes/operations";
import { claimResources } from "@/lib/resources/claims/operations";
import { getInboxEvent } from "@/lib/resources/inboxes/events/operations";
import { cancelMessage, createMessage, getMessage } from "@/lib/resources/messages/operations";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "@/lib/resources/schedules/operations";
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
} from "@/lib/resources/subscriptions/operations";
import {
  addTaskBlocker,
  completeTask,
  removeTaskBlocker,
} from "@/lib/resources/tasks/finish-operations";
import { leaseNextTask } from "@/lib/resources/tasks/lease-operations";
import { createTask, getTask, listTasks, updateTask } from "@/lib/resources/tasks/operations";
import { getWebhookEvent } from "@/lib/resources/webhooks/events/operations";
import { inboxTools } from "./inbox-tools";
import type { Tool } from "./tool";
import { webhookTools } from "./webhook-tools";

const TASK = "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q";
const LEASE = "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x";

const SCHEDULE = "sch_034gLHnnT5MH2Sbz6VPrmYvR1q";

const ONE = "get with its ID returns it, a long text in parts from `offset`.";

const byId = { ids: { id: "id" } };
const event = {
  ids: { id: "source_id", eventId: "id" },
  pages: "body",
  untrusted: "The headers, query and body of the event",
};

/** All tools, in the order in which they are listed. */
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
      "List your organization's tasks, schedules or subscriptions, newest first, or its changes, oldest first; empty without a key. `wait` waits for changes after `after`, the last `next_cursor`.",
    operation: listTasks,
    choice: {
      argument: "what",
      own: "tasks",
      others: {
        schedules: { operation: listSchedules },
        subscriptions: { operation: listSubscriptions },
        changes: { operation: listChanges, waits: "wait" },
      },
    },
    example: { what: "tasks", not_label: ["done"], limit: 10 },
    rest: "get returns one of them, and the next page has the others.",
  },
  {
    name: "get",
    purpose:
      "Read a task, document, message, schedule, subscription or event by its ID; `source_id` is the webhook endpoint or inbox of an event.",
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
        sub_: { operation: getSubscription, ...byId },
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
      "Label a task `done` and no longer `in-progress`, end its lease, and leave a note; may be repeated. Or `block` it until the task `blocker_id` is done, or `unblock` it.",
    operation: completeTask,
    ids: { id: "task_id" },
    choice: {
      argument: "action",
      own: "complete",
      isOptional: true,
      others: {
        block: { operation: addTaskBlocker, ids: { id: "task_id", blockerId: "blocker_id" } },
        unblock: { operation: removeTaskBlocker, ids: { id: "task_id", blockerId: "blocker_id" } },
      },
    },
    example: { task_id: TASK, lease_id: LEASE, note: "Published as version 2." },
    echoes: true,
    rest: ONE,
    hints: { idempotent: true },
  },
  ...webhookTools,
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
    purpose: "Cancel a message that was not delivered yet, or delete a schedule or subscription.",
    operation: cancelMessage,
    ...byId,
    choice: {
      argument: "id",
      own: "msg_",
      others: {
        sch_: { operation: deleteSchedule, ...byId },
        sub_: { operation: deleteSubscription, ...byId },
      },
    },
    example: { id: "msg_034gLHnnT5MH2Sbz6VPrmYvR1q" },
    echoes: true,
    rest: ONE,
    hints: { destructive: true, idempotent: true },
  },
  {
    name: "create_schedule",
    purpose:
      "Create a task, a message or an inbox event at each time of `cron`, or every `every_seconds`. Or subscribe, `on` changes: send those of your organization's resources to `url` or `inbox_id`.",
    operation: createSchedule,
    choice: {
      argument: "on",
      own: "times",
      isOptional: true,
      others: { changes: { operation: createSubscription } },
    },
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
    purpose: "Run a schedule now; its next times do not change.",
    operation: runSchedule,
    ids: { id: "schedule_id" },
    example: { schedule_id: SCHEDULE },
    hints: { openWorld: true },
  },
  ...inboxTools,
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
