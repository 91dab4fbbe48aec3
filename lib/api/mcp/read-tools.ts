import { meOperations as me } from "@/lib/identity/me/operations";
import { artifactOperations as artifacts } from "@/lib/resources/artifacts/operations";
import { changeOperations as changes } from "@/lib/resources/changes/operations";
import { inboxEventOperations as inboxEvents } from "@/lib/resources/inboxes/events/operations";
import { inboxOperations as inboxes } from "@/lib/resources/inboxes/operations";
import { inboxReplyOperations as replies } from "@/lib/resources/inboxes/replies/operations";
import { messageOperations as messages } from "@/lib/resources/messages/operations";
import { questionOperations as questions } from "@/lib/resources/questions/operations";
import { scheduleOperations as schedules } from "@/lib/resources/schedules/operations";
import { subscriptionOperations as subscriptions } from "@/lib/resources/subscriptions/operations";
import { taskBlockerOperations as blockers } from "@/lib/resources/tasks/blocker-operations";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";
import { webhookEventOperations as webhookEvents } from "@/lib/resources/webhooks/events/operations";
import { webhookForwardOperations as forward } from "@/lib/resources/webhooks/forward/operations";
import { webhookReplayOperations as replays } from "@/lib/resources/webhooks/replays/operations";
import { webhookVerificationOperations as verification } from "@/lib/resources/webhooks/verification/operations";
import { ofEvent, ofEveryKind, PARENT, REST_OF_EVENT, type Tool } from "./tool";

const untrustedEvent = { untrusted: "The headers, query and body of the event" };
const untrustedEvents = {
  untrusted: "The method, path, headers, query and body of each event",
};

/** The tools that change nothing. */
export const readTools: readonly Tool[] = [
  {
    name: "get",
    purpose:
      'Read one thing by its ID: tsk_, art_, wh_, inbox_, msg_, sch_, qst_, sub_, or an event (wev_, iev_). `id: "me"` is your credential.',
    variants: [
      { when: { id: "tsk_", part: "lease" }, operation: tasks.getLease },
      {
        when: { id: "art_", version: true },
        operation: artifacts.getRawVersion,
        ids: { id: "id", n: "version" },
        pages: "body",
      },
      { when: { id: "wh_", part: "verification" }, operation: verification.get },
      { when: { id: "wh_", part: "forward" }, operation: forward.get },
      { when: { id: "inbox_", part: "stats" }, operation: inboxes.getStats },
      ...ofEveryKind("GET", "/{id}", ({ prefix, longText }) => ({
        when: { id: `${prefix}_` },
        ...(longText && { pages: longText }),
      })),
      { when: { id: "sub_" }, operation: subscriptions.get },
      {
        when: { id: "wev_" },
        operation: webhookEvents.get,
        ids: ofEvent,
        pages: "body",
        ...untrustedEvent,
      },
      {
        when: { id: "iev_" },
        operation: inboxEvents.get,
        ids: ofEvent,
        pages: "body",
        ...untrustedEvent,
      },
      { when: { id: "me" }, operation: me.get },
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
      "List what your organization has, newest first (needs a key), or what belongs to `id`: notes and blockers of a task, versions and shares of a document, attempts of a message, runs of a schedule, events of a webhook or inbox, replies of an inbox, replays of an event.",
    variants: [
      ...ofEveryKind("GET", "", ({ name }) => ({ when: { kind: name } })),
      { when: { kind: "subscriptions" }, operation: subscriptions.list },
      {
        when: { kind: "changes" },
        operation: changes.list,
        renamed: { kinds: "kind", actions: "action" },
      },
      { when: { kind: "notes", id: "tsk_" }, operation: tasks.listNotes },
      { when: { kind: "blockers", id: "tsk_" }, operation: blockers.list },
      { when: { kind: "versions", id: "art_" }, operation: artifacts.listVersions },
      { when: { kind: "shares", id: "art_" }, operation: artifacts.listShares },
      { when: { kind: "attempts", id: "msg_" }, operation: messages.listAttempts },
      { when: { kind: "runs", id: "sch_" }, operation: schedules.listRuns },
      {
        when: { kind: "events", id: "wh_" },
        operation: webhookEvents.list,
        ...untrustedEvents,
      },
      { when: { kind: "events", id: "inbox_" }, operation: inboxEvents.list, ...untrustedEvents },
      { when: { kind: "replies", id: "inbox_" }, operation: replies.list },
      {
        when: { kind: "replays", id: "wev_" },
        operation: replays.listOfEvent,
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
        operation: replies.read,
        url: "reply_url",
        defaults: { wait: 20 },
        pages: "body",
        untrusted: "The body of the reply",
      },
      {
        when: { id: "wh_" },
        operation: webhookEvents.list,
        defaults: { since: "wev_0", wait: 20 },
        ...untrustedEvents,
      },
      {
        when: { id: "qst_" },
        operation: questions.get,
        defaults: { wait: 20 },
        pages: "context",
      },
      {
        when: { id: null },
        operation: changes.list,
        renamed: { kinds: "kind", actions: "action" },
        defaults: { after: "latest", wait: 20 },
      },
    ],
    words: {
      after: "Of changes: the last `next_cursor`",
      since: "For a webhook: the ID of the last event that you have",
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
