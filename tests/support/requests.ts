import type { Operation } from "@/lib/platform/http/operation";
import {
  artifact,
  blockedTask,
  canceledMessage,
  deadEvent,
  forwardingWebhook,
  heldTask,
  inbox,
  inboxEvent,
  type Kind,
  leasedEvent,
  message,
  type Resource,
  replayedWebhook,
  repliedInbox,
  schedule,
  sharedArtifact,
  subscription,
  task,
  verifiedWebhook,
  webhook,
  webhookEvent,
} from "./resources";

/** A valid request to one operation. */
export interface ValidRequest {
  /** The status of the response. */
  status: number;
  /** The resource that the request acts on. */
  kind?: Kind;
  /** Path parameters that do not come from the resource. */
  params?: Record<string, string>;
  body?: object | ((proof: Resource["proof"]) => object);
  /** Members of the resource's proof that the query repeats. */
  proofs?: string[];
  /** A GET that changes something. */
  isChange?: true;
  /** Revokes or rotates the key that it is called with. */
  spendsKeys?: true;
  /** Sent instead, for operations whose response never ends. */
  method?: "HEAD";
}

/** By operation ID, in the order of the registry. Where the status is 400, no valid body is built. */
export const validRequests: Record<string, ValidRequest> = {
  listTasks: { status: 200, kind: task },
  createTask: { status: 201, body: { name: "New" } },
  getTask: { status: 200, kind: task },
  updateTask: { status: 200, kind: task, body: { name: "Changed" } },
  upsertTask: {
    status: 201,
    params: { external_id: "new" },
    body: { name: "New" },
  },
  changeTaskLabels: { status: 200, kind: task, body: { add: ["done"] } },
  deleteTask: { status: 204, kind: task },
  leaseNextTask: { status: 200, body: { holder: "A worker" } },
  takeTaskLease: { status: 200, kind: task, body: { holder: "A worker" } },
  getTaskLease: { status: 200, kind: heldTask },
  releaseTaskLease: { status: 204, kind: heldTask, body: leaseOf },
  completeTask: { status: 200, kind: heldTask, body: leaseOf },
  listTaskNotes: { status: 200, kind: task },
  addTaskNote: { status: 200, kind: task, body: { body: "New" } },
  listTaskBlockers: { status: 200, kind: blockedTask },
  addTaskBlocker: { status: 204, kind: blockedTask },
  removeTaskBlocker: { status: 204, kind: blockedTask },

  listArtifacts: { status: 200, kind: artifact },
  createArtifact: { status: 201, body: { name: "New", content: "" } },
  getArtifact: { status: 200, kind: artifact },
  updateArtifact: { status: 200, kind: artifact, body: { content: "Changed" } },
  upsertArtifact: {
    status: 201,
    params: { external_id: "new" },
    body: { name: "New", content: "" },
  },
  deleteArtifact: { status: 204, kind: artifact },
  getRawArtifact: { status: 200, kind: artifact },
  listArtifactVersions: { status: 200, kind: artifact },
  getRawArtifactVersion: { status: 200, kind: artifact },
  shareArtifact: { status: 200, kind: artifact },
  revokeArtifactShares: { status: 204, kind: artifact },
  listArtifactShares: { status: 200, kind: sharedArtifact },
  revokeArtifactShare: { status: 204, kind: sharedArtifact },
  getSharedRaw: { status: 200, kind: sharedArtifact },
  getSharedView: { status: 200, kind: sharedArtifact },

  listWebhooks: { status: 200, kind: webhook },
  createWebhook: { status: 201, body: { name: "New" } },
  getWebhook: { status: 200, kind: webhook },
  updateWebhook: { status: 200, kind: webhook, body: { name: "Changed" } },
  upsertWebhook: {
    status: 201,
    params: { external_id: "new" },
    body: { name: "New" },
  },
  deleteWebhook: { status: 204, kind: webhook },
  putWebhookVerification: {
    status: 200,
    kind: webhook,
    body: { scheme: "github", secret: "It's a Secret to Everybody" },
  },
  getWebhookVerification: { status: 200, kind: verifiedWebhook },
  deleteWebhookVerification: { status: 204, kind: verifiedWebhook },
  putWebhookForward: { status: 200, kind: webhook, body: { url: "https://example.com/hook" } },
  getWebhookForward: { status: 200, kind: forwardingWebhook },
  deleteWebhookForward: { status: 204, kind: forwardingWebhook },
  listWebhookEvents: { status: 200, kind: webhook },
  purgeWebhookEvents: { status: 204, kind: webhook },
  streamWebhookEvents: { status: 200, kind: webhook, method: "HEAD" },
  getWebhookEvent: { status: 200, kind: webhookEvent },
  deleteWebhookEvent: { status: 204, kind: webhookEvent },
  getWebhookEventRaw: { status: 200, kind: webhookEvent },
  replayWebhookEvent: {
    status: 201,
    kind: webhookEvent,
    body: { url: "https://example.com/" },
  },
  listWebhookEventReplays: { status: 200, kind: webhookEvent },
  createWebhookReplay: {
    status: 202,
    kind: webhook,
    body: { url: "https://example.com/hook" },
  },
  listWebhookReplays: { status: 200, kind: replayedWebhook },
  getWebhookReplay: { status: 200, kind: replayedWebhook },
  cancelWebhookReplay: { status: 200, kind: replayedWebhook, isChange: true },
  captureGet: { status: 200, kind: webhook, isChange: true },
  capturePost: { status: 200, kind: webhook },
  capturePut: { status: 200, kind: webhook },
  capturePatch: { status: 200, kind: webhook },
  captureDelete: { status: 200, kind: webhook },
  captureOptions: { status: 200, kind: webhook },

  listInboxes: { status: 200, kind: inbox },
  createInbox: { status: 201, body: { name: "New" } },
  getInbox: { status: 200, kind: inbox },
  updateInbox: { status: 200, kind: inbox, body: { name: "Changed" } },
  upsertInbox: {
    status: 201,
    params: { external_id: "new" },
    body: { name: "New" },
  },
  deleteInbox: { status: 204, kind: inbox },
  getInboxStats: { status: 200, kind: inbox },
  ingestInboxEvent: { status: 201, kind: inbox },
  listInboxEvents: { status: 200, kind: inbox },
  purgeInboxEvents: { status: 204, kind: inbox },
  receiveInboxEvents: { status: 200, kind: inbox },
  settleInboxEvents: { status: 200, kind: inbox, body: {} },
  getInboxEvent: { status: 200, kind: inboxEvent },
  deleteInboxEvent: { status: 204, kind: inboxEvent },
  getInboxEventRaw: { status: 200, kind: inboxEvent },
  ackInboxEvent: { status: 204, kind: leasedEvent, body: leaseOf },
  nackInboxEvent: { status: 200, kind: leasedEvent, body: leaseOf },
  extendInboxEvent: {
    status: 200,
    kind: leasedEvent,
    body: (proof) => ({ ...leaseOf(proof), lease_seconds: 60 }),
  },
  redriveInboxEvents: { status: 200, kind: inbox },
  redriveInboxEvent: { status: 200, kind: deadEvent },
  replyToInboxEvent: { status: 200, kind: leasedEvent, proofs: ["lease_id"], body: { done: true } },
  readInboxReply: { status: 200, kind: repliedInbox },
  listInboxReplies: { status: 200, kind: repliedInbox },

  listMessages: { status: 200, kind: message },
  createMessage: {
    status: 201,
    body: { url: "https://example.com/", delay_seconds: 86_400 },
  },
  dispatchMessages: { status: 200 },
  dispatchMessagesByGet: { status: 200 },
  getMessage: { status: 200, kind: message },
  updateMessage: { status: 200, kind: message, body: { body: "Changed" } },
  upsertMessage: {
    status: 201,
    params: { external_id: "new" },
    body: { url: "https://example.com/", delay_seconds: 86_400 },
  },
  deleteMessage: { status: 204, kind: message },
  cancelMessage: { status: 200, kind: message },
  retryMessage: { status: 200, kind: canceledMessage },
  listMessageAttempts: { status: 200, kind: message },
  getSigningKeys: { status: 200 },
  getSigningSecret: { status: 200 },
  rotateSigningSecret: { status: 200, spendsKeys: true },

  listChanges: { status: 200 },
  streamChanges: { status: 200, method: "HEAD" },
  listSubscriptions: { status: 200 },
  createSubscription: { status: 200, body: { url: "https://example.com/hook" } },
  getSubscription: { status: 200, kind: subscription },
  deleteSubscription: { status: 204, kind: subscription },

  listSchedules: { status: 200, kind: schedule },
  createSchedule: {
    status: 201,
    body: { every_seconds: 3600, target: { task: { name: "New" } } },
  },
  getSchedule: { status: 200, kind: schedule },
  updateSchedule: { status: 200, kind: schedule, body: { paused: true } },
  upsertSchedule: {
    status: 201,
    params: { external_id: "new" },
    body: { every_seconds: 3600, target: { task: { name: "New" } } },
  },
  deleteSchedule: { status: 204, kind: schedule },
  runSchedule: { status: 200, kind: schedule },
  listScheduleRuns: { status: 200, kind: schedule },

  claimResource: {
    status: 200,
    kind: task,
    body: ({ claim_token = "clm_none" }) => ({ claim_token }),
  },
  openClaimPage: { status: 405, kind: task },
  claimResources: {
    status: 200,
    kind: task,
    body: ({ claim_token = "clm_none" }) => ({ claim_token }),
  },
  getMe: { status: 200 },
  revokeMyKey: { status: 204, spendsKeys: true },
  rotateMyKey: { status: 200, spendsKeys: true },
  getHealth: { status: 200 },
  getLiveness: { status: 200 },
  getReadiness: { status: 200 },
  getMetrics: { status: 200 },
  getLimits: { status: 200 },
  getOpenApi: { status: 200 },
  getOpenApiPart: { status: 404 },
  getLlmsText: { status: 200 },
  getLlmsFullText: { status: 200 },
  getSkill: { status: 200 },
  getSkillsIndex: { status: 200 },
  getRobots: { status: 200 },
  getSecurityText: { status: 200 },
  getDocs: { status: 200 },
  callMcp: { status: 200, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
  getProtectedResource: { status: 200 },
  getMcpProtectedResource: { status: 200 },
  getAuthorizationServer: { status: 200 },
  getAuthGuide: { status: 200 },
  registerAgent: { status: 400 },
  startAgentClaim: { status: 400 },
  completeAgentClaim: { status: 400 },
  revokeAgent: { status: 400 },
  exchangeToken: { status: 400 },
  registerOAuthClient: { status: 400 },
  revokeToken: { status: 400 },
};

export function pathOf({ path }: Operation, { params }: ValidRequest, resource?: Resource): string {
  return path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => resource?.params[name] ?? params?.[name] ?? "",
  );
}

export function queryOf({ proofs = [] }: ValidRequest, resource?: Resource) {
  return Object.fromEntries(proofs.map((name) => [name, String(resource?.proof[name])]));
}

export function bodyOf({ body }: ValidRequest, resource?: Resource) {
  return typeof body === "function" ? body(resource?.proof ?? {}) : body;
}

function leaseOf({ lease_id }: Record<string, unknown>) {
  return { lease_id };
}
