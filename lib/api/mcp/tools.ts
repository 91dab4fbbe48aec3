import { artifactOperations as artifacts } from "@/lib/resources/artifacts/operations";
import { claimOperations as claims } from "@/lib/resources/claims/operations";
import { inboxEventOperations as inboxEvents } from "@/lib/resources/inboxes/events/operations";
import { inboxOperations as inboxes } from "@/lib/resources/inboxes/operations";
import { messageOperations as messages } from "@/lib/resources/messages/operations";
import { questionOperations as questions } from "@/lib/resources/questions/operations";
import { scheduleOperations as schedules } from "@/lib/resources/schedules/operations";
import { subscriptionOperations as subscriptions } from "@/lib/resources/subscriptions/operations";
import { taskBlockerOperations as blockers } from "@/lib/resources/tasks/blocker-operations";
import { taskOperations as tasks } from "@/lib/resources/tasks/operations";
import { webhookEventOperations as webhookEvents } from "@/lib/resources/webhooks/events/operations";
import { webhookForwardOperations as forward } from "@/lib/resources/webhooks/forward/operations";
import { webhookOperations as webhooks } from "@/lib/resources/webhooks/operations";
import { webhookVerificationOperations as verification } from "@/lib/resources/webhooks/verification/operations";
import { inboxTools } from "./inbox-tools";
import { readTools } from "./read-tools";
import { ofEvent, ofEveryKind, PARENT, REST, type Tool } from "./tool";

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  ...readTools,
  {
    name: "create_task",
    purpose: "Write down something to do.",
    variants: [{ operation: tasks.create }],
    examples: [{ name: "Write the release notes", labels: ["docs"] }],
    echoes: true,
    rest: REST,
  },
  {
    name: "update",
    purpose:
      "Change a task, document, webhook, inbox, schedule, open question or unsent message; `stop` cancels a message or withdraws a question. Or, for a task: add a `note`, wait for a task or question with `blocked_by`, or end that with `not_blocked_by`.",
    variants: [
      { when: { id: "tsk_", note: true }, operation: tasks.addNote, renamed: { note: "body" } },
      {
        when: { id: "tsk_", blocked_by: true },
        operation: blockers.add,
        ids: { id: "id", blockerId: "blocked_by" },
      },
      {
        when: { id: "tsk_", not_blocked_by: true },
        operation: blockers.remove,
        ids: { id: "id", blockerId: "not_blocked_by" },
      },
      { when: { id: "tsk_" }, operation: tasks.update },
      { when: { id: "art_" }, operation: artifacts.update },
      { when: { id: "wh_" }, operation: webhooks.update },
      { when: { id: "inbox_" }, operation: inboxes.update },
      { when: { id: "sch_" }, operation: schedules.update },
      { when: { id: "msg_", stop: "sending" }, operation: messages.cancel },
      { when: { id: "msg_" }, operation: messages.update },
      { when: { id: "qst_", stop: "asking" }, operation: questions.withdraw },
      { when: { id: "qst_" }, operation: questions.update },
    ],
    words: {
      due_at: "Unix seconds or RFC 3339",
      labels: "All labels",
      target: "As in create_schedule",
    },
    terse: true,
    unlisted: [
      "catch_up",
      "context",
      "default_ttl_seconds",
      "expires_in",
      "form",
      "format",
      "max_events",
      "on_expiry",
      "options",
      "prompt",
      "starts_at",
      "ends_at",
    ],
    examples: [{ id: "tsk_…", note: "Waits for the logo." }],
    echoes: true,
    rest: REST,
    hints: { destructive: true },
  },
  {
    name: "complete_task",
    purpose:
      "Label a task `done` and no longer `in-progress`, end its lease, and leave a note; may be repeated.",
    variants: [{ when: { id: "tsk_" }, operation: tasks.complete }],
    examples: [{ id: "tsk_…", note: "Published as version 2." }],
    echoes: true,
    rest: REST,
    hints: { idempotent: true },
  },
  {
    name: "create_webhook",
    purpose: "Get a URL that captures every HTTP request sent to it.",
    variants: [{ operation: webhooks.create }],
    examples: [{ name: "Payments" }],
    echoes: true,
  },
  {
    name: "set_up_webhook",
    purpose:
      "Verify a sender's signatures (`scheme`, `secret`), or forward events that `match` and do not fail verification to `inbox_id` or `url`. `stop` ends either.",
    variants: [
      { when: { scheme: true }, operation: verification.put },
      { when: { inbox_id: true }, operation: forward.put },
      { when: { url: true }, operation: forward.put },
      { when: { stop: "verifying" }, operation: verification.remove },
      { when: { stop: "forwarding" }, operation: forward.remove },
    ],
    words: { tolerance_seconds: "", inbox_id: "", url: "" },
    unlisted: ["claim_token"],
    examples: [
      { id: "wh_…", scheme: "github", secret: "As the sender shows it" },
      { id: "wh_…", inbox_id: "inbox_…", match: { "x-github-event": "push" } },
    ],
    hints: { destructive: true, idempotent: true, openWorld: true },
  },
  {
    name: "publish_artifact",
    purpose:
      "Publish a Markdown or HTML document; anyone with `share_url` can read it. With the `id` of a document, make another link to it, which can expire.",
    variants: [
      { when: { id: "art_" }, operation: artifacts.share },
      { when: { id: null }, operation: artifacts.create, defaults: { share: true } },
    ],
    words: { expires_in: "For a link made with `id`: seconds", share: "Default: true" },
    examples: [{ name: "Report", content: "# Report\n\nAll tests pass." }],
    echoes: true,
    rest: REST,
  },
  {
    name: "schedule_message",
    purpose: "Send an HTTP request later, for instance to be called back; failures are retried.",
    variants: [{ operation: messages.create }],
    unlisted: ["channel"],
    examples: [{ url: "https://example.com/hook", body: "wake up", delay_seconds: 600 }],
    echoes: true,
    rest: REST,
    hints: { openWorld: true },
  },
  {
    name: "ask_person",
    purpose:
      "Ask a person for an approval, a choice, a text or a form. While it is open, show them `answer_url`, which needs no account, and wait with its `id`.",
    variants: [{ operation: questions.create }],
    words: {
      options: "For a `choice`",
      form: "For a `form`: a flat JSON Schema",
      task_id: "A task that it is about",
      artifact_id: "A document to read with it",
      expires_in: "Seconds until it expires",
      on_expiry: "`deny`: no answer means no",
      require_sign_in: "Only signed-in people answer",
      reply_to: "{inbox_id} or {url} for the outcome",
    },
    unlisted: ["external_id"],
    examples: [{ prompt: "Deploy version 2?", kind: "approve" }],
    asks: true,
    echoes: true,
    rest: REST,
    hints: { openWorld: true },
  },
  {
    name: "create_schedule",
    purpose:
      "Create a task, a message or an inbox event at each time of `cron`, or every `every_seconds`.",
    variants: [{ operation: schedules.create }],
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
    variants: [{ operation: subscriptions.create }],
    examples: [{ url: "https://example.com/hook", kinds: ["tasks"], actions: ["completed"] }],
    hints: { openWorld: true },
  },
  {
    name: "run_now",
    purpose:
      "Do again, now: run a schedule (its next times do not change), send a message again, replay a captured request (wev_) to `url`, or redrive a dead event (iev_), or all dead events of an inbox.",
    variants: [
      { when: { id: "sch_" }, operation: schedules.run },
      { when: { id: "msg_" }, operation: messages.retry },
      { when: { id: "wev_" }, operation: webhookEvents.replay, ids: ofEvent },
      { when: { id: "iev_" }, operation: inboxEvents.redrive, ids: ofEvent },
      { when: { id: "inbox_" }, operation: inboxEvents.redriveAll },
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
    variants: [{ operation: claims.claimAll }],
    words: { claim_token: "From a create" },
    examples: [{ claim_token: "{claim_token}", dry_run: true }],
  },
  {
    name: "delete",
    purpose:
      "Delete for good: a task, document, webhook, inbox, message, schedule, question, subscription or event, or end a share link (shr_).",
    variants: [
      ...ofEveryKind("DELETE", "/{id}", ({ prefix }) => ({ when: { id: `${prefix}_` } })),
      { when: { id: "sub_" }, operation: subscriptions.remove },
      { when: { id: "wev_" }, operation: webhookEvents.remove, ids: ofEvent },
      { when: { id: "iev_" }, operation: inboxEvents.remove, ids: ofEvent },
      {
        when: { id: "shr_" },
        operation: artifacts.revokeShare,
        ids: { id: "parent_id", shareId: "id" },
      },
    ],
    words: { parent_id: `${PARENT}; of a link: its document` },
    examples: [{ id: "art_…" }],
    hints: { destructive: true, idempotent: true },
  },
];
