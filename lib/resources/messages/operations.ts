import { LONG_BODY_BYTES_MAX, operation } from "@/lib/platform/http/operation";
import { listOf, listQuery } from "@/lib/platform/lists/list";
import { readOf } from "@/lib/resources/run-headers";
import { standardOperations } from "@/lib/resources/standard-operations";
import * as contract from "./contract";
import { asCreated, creation } from "./creation";
import { messageKind } from "./kind";
import { cancel, get, list, listAttempts, remove, retry, update } from "./service";
import { TARGET_ERRORS } from "./target";
import { waitForEnd } from "./wait";

export const messageOperations = {
  ...standardOperations({
    kind: messageKind,
    id: "Message",
    nouns: ["a scheduled message", "scheduled messages"],
    schemas: {
      resource: contract.Message,
      created: contract.CreatedMessage,
      upserted: contract.CreatedMessage,
      query: contract.MessageListQuery,
      create: contract.MessageCreate,
      update: contract.MessageUpdate,
    },
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    service: { list, creation, get, update, remove },
    create: {
      summary: "Schedule a message",
      description:
        "An HTTP request, delivered at least once at `scheduled_at` or after `delay_seconds`. Transient failures are retried.",
      errors: TARGET_ERRORS,
      restored: asCreated,
    },
    update: {
      summary: "Edit or reschedule a message",
      description: "Only while its status is `scheduled`.",
      errors: ["message_not_editable", ...TARGET_ERRORS],
    },
    remove: { summary: "Delete a message" },
  }),
  /** Instead of the standard one, which does not wait. */
  get: operation("GET /api/messages/{id}", {
    id: "getMessage",
    summary: "Get a scheduled message",
    query: contract.MessageQuery,
    success: { status: 200, schema: contract.Message },
    conditional: true,
    waits: ({ query }) => (query.wait ? { kind: "poll" } : undefined),
    async handle({ caller, params, query, request }) {
      const { message, run } = await waitForEnd(caller, params.id, query.wait ?? 0, request.signal);
      return readOf(message, run);
    },
  }),
  cancel: operation("POST /api/messages/{id}/cancel", {
    id: "cancelMessage",
    summary: "Cancel a message",
    description: "If it is scheduled or waiting for a retry. Idempotent.",
    takesClaimToken: true,
    errors: ["message_not_cancelable"],
    success: { status: 200, schema: contract.Message },
    handle: ({ caller, params, commit }) => cancel(caller, params.id, commit),
  }),
  retry: operation("POST /api/messages/{id}/retry", {
    id: "retryMessage",
    summary: "Send a message again",
    description: "Only if failed, canceled or held.",
    takesClaimToken: true,
    errors: ["message_not_retryable"],
    success: { status: 200, schema: contract.Message },
    handle: ({ caller, params, commit }) => retry(caller, params.id, commit),
  }),
  listAttempts: operation("GET /api/messages/{id}/attempts", {
    id: "listMessageAttempts",
    summary: "List delivery attempts",
    query: listQuery("att"),
    success: { status: 200, schema: listOf(contract.MessageAttempt) },
    handle: ({ caller, params, query }) => listAttempts(caller, params.id, query),
  }),
};
