import { getProtectedResource } from "@/lib/agent-auth/operations";
import {
  createArtifact,
  deleteArtifact,
  getArtifact,
  getRawArtifact,
  listArtifacts,
  revokeArtifactShares,
  shareArtifact,
  updateArtifact,
} from "@/lib/artifacts/operations";
import { getSharedRaw, getSharedView } from "@/lib/artifacts/shared-operations";
import { claimResource, openClaimPage } from "@/lib/claims/operations";
import { getHealth } from "@/lib/health/operations";
import {
  ackInboxEvent,
  extendInboxEvent,
  nackInboxEvent,
  receiveInboxEvents,
  redriveInboxEvent,
  settleInboxEvents,
} from "@/lib/inboxes/consumer-operations";
import {
  deleteInboxEvent,
  getInboxEvent,
  getInboxEventRaw,
  ingestEvent,
  listInboxEvents,
  purgeInboxEvents,
} from "@/lib/inboxes/event-operations";
import {
  createInbox,
  deleteInbox,
  getInbox,
  getInboxStats,
  listInboxes,
  updateInbox,
} from "@/lib/inboxes/operations";
import { createTask, deleteTask, getTask, listTasks, updateTask } from "@/lib/tasks/operations";
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
  streamWebhookEvents,
  updateWebhook,
} from "@/lib/webhooks/operations";
import { openApiDocument } from "./openapi";
import { Answer, type Operation, operation } from "./operation";

export const getOpenApi = operation({
  id: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  tag: "Discovery",
  summary: "The interface as OpenAPI 3.1",
  auth: "ignored",
  success: { status: 200 },
  handle: () =>
    new Answer(
      200,
      { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" },
      JSON.stringify(openApiDocument(operations)),
    ),
});

/** Every operation of the service: what is not here does not exist. */
export const operations: readonly Operation[] = [
  listTasks,
  createTask,
  getTask,
  updateTask,
  deleteTask,
  listArtifacts,
  createArtifact,
  getArtifact,
  updateArtifact,
  deleteArtifact,
  getRawArtifact,
  shareArtifact,
  revokeArtifactShares,
  getSharedRaw,
  getSharedView,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  listWebhookEvents,
  purgeWebhookEvents,
  streamWebhookEvents,
  getWebhookEvent,
  deleteWebhookEvent,
  getWebhookEventRaw,
  ...captureOperations,
  listInboxes,
  createInbox,
  getInbox,
  updateInbox,
  deleteInbox,
  getInboxStats,
  ingestEvent,
  listInboxEvents,
  purgeInboxEvents,
  receiveInboxEvents,
  settleInboxEvents,
  getInboxEvent,
  deleteInboxEvent,
  getInboxEventRaw,
  ackInboxEvent,
  nackInboxEvent,
  extendInboxEvent,
  redriveInboxEvent,
  claimResource,
  openClaimPage,
  getHealth,
  getOpenApi,
  getProtectedResource,
];
