import { getMe } from "@/lib/identity/me/operations";
import {
  createArtifact,
  deleteArtifact,
  getArtifact,
  getRawArtifactVersion,
  listArtifactShares,
  listArtifacts,
  listArtifactVersions,
  revokeArtifactShare,
  shareArtifact,
  updateArtifact,
} from "@/lib/resources/artifacts/operations";
import { listChanges } from "@/lib/resources/changes/operations";
import { claimResources } from "@/lib/resources/claims/operations";
import {
  redriveInboxEvent,
  redriveInboxEvents,
} from "@/lib/resources/inboxes/events/consumer-operations";
import {
  deleteInboxEvent,
  getInboxEvent,
  listInboxEvents,
} from "@/lib/resources/inboxes/events/operations";
import {
  deleteInbox,
  getInbox,
  getInboxStats,
  listInboxes,
  updateInbox,
} from "@/lib/resources/inboxes/operations";
import { listInboxReplies, readInboxReply } from "@/lib/resources/inboxes/replies/operations";
import {
  cancelMessage,
  createMessage,
  deleteMessage,
  getMessage,
  listMessageAttempts,
  listMessages,
  retryMessage,
  updateMessage,
} from "@/lib/resources/messages/operations";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listScheduleRuns,
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
  addTaskNote,
  completeTask,
  listTaskBlockers,
  listTaskNotes,
  removeTaskBlocker,
} from "@/lib/resources/tasks/finish-operations";
import { getTaskLease } from "@/lib/resources/tasks/lease-operations";
import {
  createTask,
  deleteTask,
  getTask,
  listTasks,
  updateTask,
} from "@/lib/resources/tasks/operations";
import {
  deleteWebhookEvent,
  getWebhookEvent,
  listWebhookEvents,
  replayWebhookEvent,
} from "@/lib/resources/webhooks/events/operations";
import { getWebhookForward } from "@/lib/resources/webhooks/forward/operations";
import {
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from "@/lib/resources/webhooks/operations";
import { listWebhookEventReplays } from "@/lib/resources/webhooks/replays/operations";
import { getWebhookVerification } from "@/lib/resources/webhooks/verification/operations";
import { inboxTools } from "./inbox-tools";
import { REST, REST_OF_EVENT, type Tool } from "./tool";
import { webhookTools } from "./webhook-tools";

/** The ID of an event, and that of its webhook endpoint or inbox. */
const ofEvent = { id: "parent_id", eventId: "id" };
const untrustedEvent = { untrusted: "The headers, query and body of the event" };
const untrustedEvents = {
  untrusted: "The method, path, headers, query and body of each event",
};
const PARENT = "Of an event: its webhook endpoint or inbox";

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  {
    name: "get",
    purpose:
      'Read one thing by its ID: tsk_, art_, wh_, inbox_, msg_, sch_, sub_, or an event (wev_, iev_). `id: "me"` is your credential.',
    variants: [
      { when: { id: "tsk_", part: "lease" }, operation: getTaskLease },
      { when: { id: "tsk_" }, operation: getTask, pages: "description" },
      {
        when: { id: "art_", version: true },
        operation: getRawArtifactVersion,
        ids: { id: "id", n: "version" },
        pages: "body",
      },
      { when: { id: "art_" }, operation: getArtifact, pages: "content" },
      { when: { id: "wh_", part: "verification" }, operation: getWebhookVerification },
      { when: { id: "wh_", part: "forward" }, operation: getWebhookForward },
      { when: { id: "wh_" }, operation: getWebhook },
      { when: { id: "inbox_", part: "stats" }, operation: getInboxStats },
      { when: { id: "inbox_" }, operation: getInbox },
      { when: { id: "msg_" }, operation: getMessage, pages: "body" },
      { when: { id: "sch_" }, operation: getSchedule },
      { when: { id: "sub_" }, operation: getSubscription },
      {
        when: { id: "wev_" },
        operation: getWebhookEvent,
        ids: ofEvent,
        pages: "body",
        ...untrustedEvent,
      },
      {
        when: { id: "iev_" },
        operation: getInboxEvent,
        ids: ofEvent,
        pages: "body",
        ...untrustedEvent,
      },
      { when: { id: "me" }, operation: getMe },
    ],
    words: {
      parent_id: PARENT,
      part: "Instead: `lease` of a task, `stats` of an inbox, `forward` or `verification` of a webhook",
      version: "An earlier version of a document",
    },
    unlisted: ["download"],
    examples: [{ id: "tsk_…" }],
    hints: { openWorld: true },
  },
  {
    name: "list",
    purpose:
      "List what your organization has, newest first (nothing without a key), or what belongs to `id`: notes and blockers of a task, versions and shares of a document, attempts of a message, runs of a schedule, events of a webhook or inbox, replies of an inbox, replays of an event.",
    variants: [
      { when: { kind: "tasks" }, operation: listTasks },
      { when: { kind: "artifacts" }, operation: listArtifacts },
      { when: { kind: "webhooks" }, operation: listWebhooks },
      { when: { kind: "inboxes" }, operation: listInboxes },
      { when: { kind: "messages" }, operation: listMessages },
      { when: { kind: "schedules" }, operation: listSchedules },
      { when: { kind: "subscriptions" }, operation: listSubscriptions },
      {
        when: { kind: "changes" },
        operation: listChanges,
        renamed: { kinds: "kind", actions: "action" },
        waits: "wait",
      },
      { when: { kind: "notes", id: "tsk_" }, operation: listTaskNotes },
      { when: { kind: "blockers", id: "tsk_" }, operation: listTaskBlockers },
      { when: { kind: "versions", id: "art_" }, operation: listArtifactVersions },
      { when: { kind: "shares", id: "art_" }, operation: listArtifactShares },
      { when: { kind: "attempts", id: "msg_" }, operation: listMessageAttempts },
      { when: { kind: "runs", id: "sch_" }, operation: listScheduleRuns },
      {
        when: { kind: "events", id: "wh_" },
        operation: listWebhookEvents,
        waits: "wait",
        ...untrustedEvents,
      },
      { when: { kind: "events", id: "inbox_" }, operation: listInboxEvents, ...untrustedEvents },
      { when: { kind: "replies", id: "inbox_" }, operation: listInboxReplies },
      {
        when: { kind: "replays", id: "wev_" },
        operation: listWebhookEventReplays,
        ids: ofEvent,
        untrusted: "The responses",
      },
    ],
    words: {
      after: "The last `next_cursor`",
      due_before: "Unix seconds or RFC 3339",
      label: "Has all of them",
      parent_id: "Of `replays`: the webhook",
      q: "Text to search for",
      state: "Of inbox events",
      status: "Of messages",
    },
    terse: true,
    unlisted: ["actions", "due_after", "header", "include", "kinds", "method", "since", "wait"],
    examples: [{ kind: "tasks", not_label: ["done"] }],
    rest: "get returns one of them, and the next page has the others.",
    hints: { openWorld: true },
  },
  {
    name: "wait",
    purpose:
      "Wait for what comes next: requests captured by the webhook endpoint `id`, oldest first; the reply at `reply_url`, which send_to_inbox returned; or, with neither, changes to your organization's resources.",
    variants: [
      {
        when: { reply_url: true, id: null },
        operation: readInboxReply,
        url: "reply_url",
        defaults: { wait: 20 },
        waits: "wait",
        pages: "body",
        untrusted: "The body of the reply",
      },
      {
        when: { id: "wh_" },
        operation: listWebhookEvents,
        defaults: { since: "wev_0", wait: 20 },
        waits: "wait",
        ...untrustedEvents,
      },
      {
        when: { id: null },
        operation: listChanges,
        renamed: { kinds: "kind", actions: "action" },
        defaults: { after: "latest", wait: 20 },
        waits: "wait",
      },
    ],
    words: {
      after: "Of changes: the last `next_cursor`",
      since: "Of a webhook: the ID of the last event that you have",
      wait: "Seconds, at most 25; default 20",
      header: "",
      method: "",
      q: "",
    },
    unlisted: ["actions", "include", "offset"],
    examples: [{ id: "wh_…", wait: 20 }],
    rest: `${REST_OF_EVENT} \`since\` with the last event's ID returns the next ones.`,
    hints: { openWorld: true },
  },
  {
    name: "create_task",
    purpose: "Write down something to do.",
    variants: [{ operation: createTask }],
    examples: [{ name: "Write the release notes", labels: ["docs"] }],
    echoes: true,
    rest: REST,
  },
  {
    name: "update",
    purpose:
      "Change the given fields of a task, document, webhook, inbox, schedule or message that was not sent. Or one change of a task alone: add a `note`, block it until the task `blocked_by` is done, or end that with `not_blocked_by`.",
    variants: [
      { when: { id: "tsk_", note: true }, operation: addTaskNote, renamed: { note: "body" } },
      {
        when: { id: "tsk_", blocked_by: true },
        operation: addTaskBlocker,
        ids: { id: "id", blockerId: "blocked_by" },
      },
      {
        when: { id: "tsk_", not_blocked_by: true },
        operation: removeTaskBlocker,
        ids: { id: "id", blockerId: "not_blocked_by" },
      },
      { when: { id: "tsk_" }, operation: updateTask },
      { when: { id: "art_" }, operation: updateArtifact },
      { when: { id: "wh_" }, operation: updateWebhook },
      { when: { id: "inbox_" }, operation: updateInbox },
      { when: { id: "sch_" }, operation: updateSchedule },
      { when: { id: "msg_" }, operation: updateMessage },
    ],
    words: {
      due_at: "Unix seconds or RFC 3339",
      labels: "All labels",
      target: "As in create_schedule",
    },
    terse: true,
    unlisted: ["catch_up", "default_ttl_seconds", "format", "max_events", "starts_at", "ends_at"],
    examples: [{ id: "tsk_…", note: "Waits for the logo." }],
    echoes: true,
    rest: REST,
    hints: { destructive: true },
  },
  {
    name: "complete_task",
    purpose:
      "Label a task `done` and no longer `in-progress`, end its lease, and leave a note; may be repeated.",
    variants: [{ when: { id: "tsk_" }, operation: completeTask }],
    examples: [{ id: "tsk_…", note: "Published as version 2." }],
    echoes: true,
    rest: REST,
    hints: { idempotent: true },
  },
  ...webhookTools,
  {
    name: "publish_artifact",
    purpose:
      "Publish a Markdown or HTML document; anyone with `share_url` can read it. With the `id` of a document, make another link to it, which can expire.",
    variants: [
      { when: { id: "art_" }, operation: shareArtifact },
      { when: { id: null }, operation: createArtifact, defaults: { share: true } },
    ],
    words: { expires_in: "Of a link made with `id`: seconds", share: "Default: true" },
    examples: [{ name: "Report", content: "# Report\n\nAll tests pass." }],
    echoes: true,
    rest: REST,
  },
  {
    name: "schedule_message",
    purpose:
      "Send an HTTP request later, for instance to be called back; retried until it arrives.",
    variants: [{ operation: createMessage }],
    unlisted: ["channel"],
    examples: [{ url: "https://example.com/hook", body: "wake up", delay_seconds: 600 }],
    echoes: true,
    rest: REST,
    hints: { openWorld: true },
  },
  {
    name: "cancel",
    purpose: "Cancel a message that was not delivered yet. It stays readable.",
    variants: [{ when: { id: "msg_" }, operation: cancelMessage }],
    examples: [{ id: "msg_…" }],
    echoes: true,
    rest: REST,
    hints: { destructive: true, idempotent: true },
  },
  {
    name: "create_schedule",
    purpose:
      "Create a task, a message or an inbox event at each time of `cron`, or every `every_seconds`.",
    variants: [{ operation: createSchedule }],
    words: {
      target:
        "One of `task` (as for create_task), `message` (as for schedule_message) and `inbox_event` {inbox_id, body}",
    },
    examples: [
      {
        cron: "0 9 * * MON-FRI",
        timezone: "Europe/Berlin",
        target: { task: { name: "Write the daily report" } },
      },
    ],
    echoes: true,
    rest: REST,
    hints: { openWorld: true },
  },
  {
    name: "subscribe",
    purpose:
      "Send each change of your organization's resources to `url` or into the inbox `inbox_id`, as it happens.",
    variants: [{ operation: createSubscription }],
    examples: [{ url: "https://example.com/hook", kinds: ["tasks"], actions: ["completed"] }],
    hints: { openWorld: true },
  },
  {
    name: "run_now",
    purpose:
      "Do again, now: run a schedule (its next times do not change), send a message again, replay a captured request (wev_) to `url`, or redrive a dead event (iev_), or all dead events of an inbox.",
    variants: [
      { when: { id: "sch_" }, operation: runSchedule },
      { when: { id: "msg_" }, operation: retryMessage },
      { when: { id: "wev_" }, operation: replayWebhookEvent, ids: ofEvent },
      { when: { id: "iev_" }, operation: redriveInboxEvent, ids: ofEvent },
      { when: { id: "inbox_" }, operation: redriveInboxEvents },
    ],
    words: { parent_id: PARENT },
    unlisted: ["headers"],
    examples: [{ id: "sch_…" }],
    echoes: true,
    rest: REST,
    hints: { openWorld: true },
  },
  ...inboxTools,
  {
    name: "claim",
    purpose:
      "Move everything that was created with a claim token to the organization of your key, or only list it.",
    variants: [{ operation: claimResources }],
    words: { claim_token: "From a create" },
    examples: [{ claim_token: "{claim_token}", dry_run: true }],
  },
  {
    name: "delete",
    purpose:
      "Delete for good: a task, document, webhook, inbox, message, schedule, subscription or event, or end a share link (shr_).",
    variants: [
      { when: { id: "tsk_" }, operation: deleteTask },
      { when: { id: "art_" }, operation: deleteArtifact },
      { when: { id: "wh_" }, operation: deleteWebhook },
      { when: { id: "inbox_" }, operation: deleteInbox },
      { when: { id: "msg_" }, operation: deleteMessage },
      { when: { id: "sch_" }, operation: deleteSchedule },
      { when: { id: "sub_" }, operation: deleteSubscription },
      { when: { id: "wev_" }, operation: deleteWebhookEvent, ids: ofEvent },
      { when: { id: "iev_" }, operation: deleteInboxEvent, ids: ofEvent },
      {
        when: { id: "shr_" },
        operation: revokeArtifactShare,
        ids: { id: "parent_id", shareId: "id" },
      },
    ],
    words: { parent_id: "Of an event: its webhook endpoint or inbox; of a link: its document" },
    examples: [{ id: "art_…" }],
    hints: { destructive: true, idempotent: true },
  },
];
