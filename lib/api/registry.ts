import { z } from "zod";
import {
  completeAgentClaim,
  getAuthGuide,
  getAuthorizationServer,
  getProtectedResource,
  registerAgent,
  revokeAgent,
  startAgentClaim,
} from "@/lib/agent-auth/operations";
import {
  createArtifact,
  deleteArtifact,
  getArtifact,
  getRawArtifact,
  listArtifactShares,
  listArtifacts,
  revokeArtifactShare,
  revokeArtifactShares,
  shareArtifact,
  updateArtifact,
  upsertArtifact,
} from "@/lib/artifacts/operations";
import { getSharedRaw, getSharedView } from "@/lib/artifacts/shared-operations";
import { claimResource, openClaimPage } from "@/lib/claims/operations";
import { config } from "@/lib/config/config";
import { ApiError } from "@/lib/errors";
import { getHealth } from "@/lib/health/operations";
import { preferredType } from "@/lib/http/accept";
import { Answer } from "@/lib/http/answer";
import { entityTag } from "@/lib/http/conditional";
import { type Operation, operation } from "@/lib/http/operation";
import {
  ackInboxEvent,
  extendInboxEvent,
  nackInboxEvent,
  receiveInboxEvents,
  redriveInboxEvent,
  redriveInboxEvents,
  settleInboxEvents,
} from "@/lib/inboxes/events/consumer-operations";
import {
  deleteInboxEvent,
  getInboxEvent,
  getInboxEventRaw,
  ingestEvent,
  listInboxEvents,
  purgeInboxEvents,
} from "@/lib/inboxes/events/operations";
import {
  createInbox,
  deleteInbox,
  getInbox,
  getInboxStats,
  listInboxes,
  updateInbox,
  upsertInbox,
} from "@/lib/inboxes/operations";
import { getLimits } from "@/lib/limits/operations";
import { getMe, revokeMyKey, rotateMyKey } from "@/lib/me/operations";
import {
  cancelMessage,
  createMessage,
  deleteMessage,
  getMessage,
  getSigningKeys,
  listMessageAttempts,
  listMessages,
  retryMessage,
  updateMessage,
  upsertMessage,
} from "@/lib/messages/operations";
import {
  getTaskLease,
  leaseNextTask,
  releaseTaskLease,
  takeTaskLease,
} from "@/lib/tasks/lease-operations";
import {
  changeTaskLabels,
  createTask,
  deleteTask,
  getTask,
  listTasks,
  updateTask,
  upsertTask,
} from "@/lib/tasks/operations";
import { dispatchMessages, dispatchMessagesByGet } from "@/lib/upkeep/operations";
import {
  captureOperations,
  createWebhook,
  deleteWebhook,
  deleteWebhookEvent,
  getWebhook,
  getWebhookEvent,
  getWebhookEventRaw,
  listWebhookEvents,
  listWebhooks,
  purgeWebhookEvents,
  replayWebhookEvent,
  streamWebhookEvents,
  updateWebhook,
  upsertWebhook,
} from "@/lib/webhooks/operations";
import { llmsText } from "./llms";
import { openApiDocument } from "./openapi";
import { slugOf, tags } from "./tags";

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get the interface as OpenAPI 3.1",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, schema: z.looseObject({}) },
  conditional: true,
  handle: () => openApi().whole,
});

export const getOpenApiPart = operation({
  id: "getOpenApiPart",
  method: "GET",
  path: "/openapi/{part}",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get one part of the OpenAPI document",
  description: `One of ${tags.map(({ name }) => `\`${slugOf(name)}.json\``).join(", ")}.`,
  auth: "ignored",
  success: { status: 200, schema: z.looseObject({}) },
  conditional: true,
  handle({ params }) {
    const { parts } = openApi();
    const found = parts.get(params.part.replace(/\.json$/, ""));
    if (found) return found;
    const names = [...parts.keys()].map((name) => `${name}.json`).join(", ");
    throw new ApiError("resource_not_found", `There is no such part. There are ${names}.`);
  },
});

export const getLlmsText = operation({
  id: "getLlmsText",
  method: "GET",
  path: "/llms.txt",
  tag: "Discovery",
  inPartOnly: true,
  summary: "Get what a language model needs to use the service",
  auth: "ignored",
  anyQuery: true,
  success: { status: 200, contentType: "text/plain" },
  conditional: true,
  handle({ request }) {
    const type = preferredType(request.headers.get("accept"), ["text/plain", "text/markdown"]);
    const { status, headers, body } = llms();
    const named = { "Content-Type": `${type}; charset=utf-8`, Vary: "Accept" };
    return new Answer(status, { ...headers, ...named }, body);
  },
});

/** Made at the first request: nothing in them changes while the process runs. */
const openApi = lazily(() => {
  const documentOf = (described: readonly Operation[]) =>
    constant(
      "application/json",
      JSON.stringify(openApiDocument(described, operations, config().baseUrl)),
    );
  const parts = tags.map(({ name }): [string, Answer] => [
    slugOf(name),
    documentOf(operations.filter(({ tag }) => tag === name)),
  ]);
  return {
    whole: documentOf(operations.filter(({ inPartOnly }) => !inPartOnly)),
    parts: new Map(parts),
  };
});
const llms = lazily(() => constant("text/plain", llmsText(operations)));

function constant(type: string, text: string): Answer {
  const headers = { "Content-Type": type, "Cache-Control": "public, max-age=300" };
  return new Answer(200, { ...headers, ETag: entityTag(text) }, text);
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Every operation of the service: what is not here does not exist. */
export const operations: readonly Operation[] = [
  listTasks,
  createTask,
  getTask,
  updateTask,
  upsertTask,
  deleteTask,
  changeTaskLabels,
  leaseNextTask,
  takeTaskLease,
  getTaskLease,
  releaseTaskLease,
  listArtifacts,
  createArtifact,
  getArtifact,
  updateArtifact,
  upsertArtifact,
  deleteArtifact,
  getRawArtifact,
  shareArtifact,
  revokeArtifactShares,
  listArtifactShares,
  revokeArtifactShare,
  getSharedRaw,
  getSharedView,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  upsertWebhook,
  deleteWebhook,
  listWebhookEvents,
  purgeWebhookEvents,
  streamWebhookEvents,
  getWebhookEvent,
  deleteWebhookEvent,
  getWebhookEventRaw,
  replayWebhookEvent,
  ...captureOperations,
  listInboxes,
  createInbox,
  getInbox,
  updateInbox,
  upsertInbox,
  deleteInbox,
  getInboxStats,
  ingestEvent,
  listInboxEvents,
  purgeInboxEvents,
  receiveInboxEvents,
  settleInboxEvents,
  redriveInboxEvents,
  getInboxEvent,
  deleteInboxEvent,
  getInboxEventRaw,
  ackInboxEvent,
  nackInboxEvent,
  extendInboxEvent,
  redriveInboxEvent,
  listMessages,
  createMessage,
  dispatchMessages,
  dispatchMessagesByGet,
  getMessage,
  updateMessage,
  upsertMessage,
  deleteMessage,
  cancelMessage,
  retryMessage,
  listMessageAttempts,
  getSigningKeys,
  claimResource,
  openClaimPage,
  getMe,
  revokeMyKey,
  rotateMyKey,
  getHealth,
  getLimits,
  getOpenApi,
  getOpenApiPart,
  getLlmsText,
  getProtectedResource,
  getAuthorizationServer,
  getAuthGuide,
  registerAgent,
  startAgentClaim,
  completeAgentClaim,
  revokeAgent,
];
