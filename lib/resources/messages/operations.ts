import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import { readOf } from "@/lib/resources/run-headers";
import { upsertOperation } from "@/lib/resources/upsert-operation";
import {
  AttemptListQuery,
  CreatedMessage,
  Message,
  MessageAttempt,
  MessageCreate,
  MessageListQuery,
  MessageQuery,
  MessageUpdate,
} from "./contract";
import { create, creation } from "./creation";
import { messageKind } from "./kind";
import * as messages from "./service";
import { getSigningKeys } from "./signing-keys";
import { signingSecretOperations } from "./signing-secret-operations";
import { waitForEnd } from "./wait";

const tag = "Messages";

export const listMessages = operation({
  id: "listMessages",
  method: "GET",
  path: "/api/messages",
  tag,
  summary: "List scheduled messages",
  scope: "api.read",
  query: MessageListQuery,
  success: { status: 200, schema: listOf(Message) },
  handle: ({ caller, query }) => messages.list(caller, query),
});

export const createMessage = operation({
  id: "createMessage",
  method: "POST",
  path: "/api/messages",
  tag,
  summary: "Schedule a message",
  description:
    "An HTTP request, delivered at least once at `scheduled_at` or after `delay_seconds`. Transient failures are retried.",
  scope: "api.write",
  body: MessageCreate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  success: { status: 201, schema: CreatedMessage },
  errors: ["url_not_allowed", "header_not_allowed"],
  handle: ({ caller, body }) => creation(caller, body),
});

export const getMessage = operation({
  id: "getMessage",
  method: "GET",
  path: "/api/messages/{id}",
  tag,
  summary: "Get a scheduled message",
  scope: "api.read",
  query: MessageQuery,
  success: { status: 200, schema: Message },
  conditional: true,
  waits: ({ query }) => (query.wait ? { kind: "poll" } : undefined),
  async handle({ caller, params, query, request }) {
    const { message, run } = await waitForEnd(caller, params.id, query.wait ?? 0, request.signal);
    return readOf(message, run);
  },
});

export const updateMessage = operation({
  id: "updateMessage",
  method: "PATCH",
  path: "/api/messages/{id}",
  tag,
  summary: "Edit or reschedule a message",
  description: "Only while its status is `scheduled`.",
  scope: "api.write",
  takesClaimToken: true,
  body: MessageUpdate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  success: { status: 200, schema: Message },
  errors: ["message_not_editable", "url_not_allowed", "header_not_allowed"],
  handle: ({ caller, params, body, precondition }) =>
    messages.update(caller, params.id, body, precondition),
});

export const upsertMessage = upsertOperation({
  id: "upsertMessage",
  kind: messageKind,
  body: MessageCreate,
  bodyBytesMax: LONG_BODY_BYTES_MAX,
  schema: CreatedMessage,
  errors: ["message_not_editable", "url_not_allowed", "header_not_allowed"],
  create,
  update: messages.update,
});

export const deleteMessage = operation({
  id: "deleteMessage",
  method: "DELETE",
  path: "/api/messages/{id}",
  tag,
  summary: "Delete a message",
  scope: "api.write",
  success: { status: 204 },
  handle: ({ caller, params, precondition }) => messages.remove(caller, params.id, precondition),
});

export const cancelMessage = operation({
  id: "cancelMessage",
  method: "POST",
  path: "/api/messages/{id}/cancel",
  tag,
  summary: "Cancel a message",
  description: "If it is scheduled or waiting for a retry. Idempotent.",
  scope: "api.write",
  takesClaimToken: true,
  errors: ["message_not_cancelable"],
  success: { status: 200, schema: Message },
  handle: ({ caller, params, commit }) => messages.cancel(caller, params.id, commit),
});

export const retryMessage = operation({
  id: "retryMessage",
  method: "POST",
  path: "/api/messages/{id}/retry",
  tag,
  summary: "Send a message again",
  description: "Only a failed or canceled message.",
  scope: "api.write",
  takesClaimToken: true,
  errors: ["message_not_retryable"],
  success: { status: 200, schema: Message },
  handle: ({ caller, params, commit }) => messages.retry(caller, params.id, commit),
});

export const listMessageAttempts = operation({
  id: "listMessageAttempts",
  method: "GET",
  path: "/api/messages/{id}/attempts",
  tag,
  summary: "List delivery attempts",
  scope: "api.read",
  query: AttemptListQuery,
  success: { status: 200, schema: listOf(MessageAttempt) },
  handle: ({ caller, params, query }) => messages.listAttempts(caller, params.id, query),
});

export const messageOperations = [
  listMessages,
  createMessage,
  getMessage,
  updateMessage,
  upsertMessage,
  deleteMessage,
  cancelMessage,
  retryMessage,
  listMessageAttempts,
  getSigningKeys,
  ...signingSecretOperations,
];
