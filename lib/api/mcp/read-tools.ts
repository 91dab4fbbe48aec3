import { getMe } from "@/lib/identity/me/operations";
import {
  getArtifact,
  getRawArtifactVersion,
  listArtifactShares,
  listArtifacts,
  listArtifactVersions,
} from "@/lib/resources/artifacts/operations";
import { listChanges } from "@/lib/resources/changes/operations";
import { getInboxEvent, listInboxEvents } from "@/lib/resources/inboxes/events/operations";
import { getInbox, getInboxStats, listInboxes } from "@/lib/resources/inboxes/operations";
import { listInboxReplies, readInboxReply } from "@/lib/resources/inboxes/replies/operations";
import { getMessage, listMessageAttempts, listMessages } from "@/lib/resources/messages/operations";
import { getQuestion, listQuestions } from "@/lib/resources/questions/operations";
import { getSchedule, listScheduleRuns, listSchedules } from "@/lib/resources/schedules/operations";
import { getSubscription, listSubscriptions } from "@/lib/resources/subscriptions/operations";
import { listTaskBlockers, listTaskNotes } from "@/lib/resources/tasks/finish-operations";
import { getTaskLease } from "@/lib/resources/tasks/lease-operations";
import { getTask, listTasks } from "@/lib/resources/tasks/operations";
import { getWebhookEvent, listWebhookEvents } from "@/lib/resources/webhooks/events/operations";
import { getWebhookForward } from "@/lib/resources/webhooks/forward/operations";
import { getWebhook, listWebhooks } from "@/lib/resources/webhooks/operations";
import { listWebhookEventReplays } from "@/lib/resources/webhooks/replays/operations";
import { getWebhookVerification } from "@/lib/resources/webhooks/verification/operations";
import { REST_OF_EVENT, type Tool } from "./tool";

/** The ID of an event, and that of its webhook endpoint or inbox. */
const ofEvent = { id: "parent_id", eventId: "id" };
const untrustedEvent = { untrusted: "The headers, query and body of the event" };
const untrustedEvents = {
  untrusted: "The method, path, headers, query and body of each event",
};
const PARENT = "Of an event: its webhook endpoint or inbox";

/** The tools that change nothing. */
export const readTools: readonly Tool[] = [
  {
    name: "get",
    purpose:
      'Read one thing by its ID: tsk_, art_, wh_, inbox_, msg_, sch_, qst_, sub_, or an event (wev_, iev_). `id: "me"` is your credential.',
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
      { when: { id: "qst_" }, operation: getQuestion, pages: "context" },
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
      { when: { kind: "questions" }, operation: listQuestions },
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
      state: "Of events and questions",
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
      "Wait for what comes next: requests captured by the webhook endpoint `id`, oldest first; the answer to the question `id`; the reply at `reply_url`, which send_to_inbox returned; or, with neither, changes to your organization's resources.",
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
        when: { id: "qst_" },
        operation: getQuestion,
        defaults: { wait: 20 },
        waits: "wait",
        pages: "context",
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
];
