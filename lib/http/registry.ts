import { getProtectedResource } from "@/lib/agent-auth/operations";
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
