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
  listArtifacts,
  revokeArtifactShares,
  shareArtifact,
  updateArtifact,
} from "@/lib/artifacts/operations";
import { getSharedRaw, getSharedView } from "@/lib/artifacts/shared-operations";
import { claimResource, openClaimPage } from "@/lib/claims/operations";
import { getHealth } from "@/lib/health/operations";
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
  claimResource,
  openClaimPage,
  getHealth,
  getOpenApi,
  getProtectedResource,
  getAuthorizationServer,
  getAuthGuide,
  registerAgent,
  startAgentClaim,
  completeAgentClaim,
  revokeAgent,
];
