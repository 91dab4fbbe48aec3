import type { Operation } from "@/lib/platform/http/operation";
import { type Kind, kinds } from "@/lib/resources/kinds";
import { commonOperations } from "./operations";
import {
  artifact,
  blockedTask,
  canceledMessage,
  deadEvent,
  forwardingWebhook,
  heldTask,
  inbox,
  inboxEvent,
  leasedEvent,
  type Make,
  message,
  ofKind,
  question,
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
  kind?: Make;
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

/** By operation ID. Where the status is 400, no valid body is built. */
export const validRequests: Record<string, ValidRequest> = {
  ...Object.fromEntries(kinds.flatMap(requestsOfEvery)),

  changeTaskLabels: { status: 200, kind: task, body: { add: ["done"] } },
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

  getRawArtifact: { status: 200, kind: artifact },
  listArtifactVersions: { status: 200, kind: artifact },
  getRawArtifactVersion: { status: 200, kind: artifact },
  shareArtifact: { status: 200, kind: artifact },
  revokeArtifactShares: { status: 204, kind: artifact },
  listArtifactShares: { status: 200, kind: sharedArtifact },
  revokeArtifactShare: { status: 204, kind: sharedArtifact },
  getSharedRaw: { status: 200, kind: sharedArtifact },
  getSharedView: { status: 200, kind: sharedArtifact },

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

  updateMessage: { status: 200, kind: message, body: { body: "Changed" } },
  dispatchMessages: { status: 200 },
  dispatchMessagesByGet: { status: 200 },
  cancelMessage: { status: 200, kind: message },
  retryMessage: { status: 200, kind: canceledMessage },
  listMessageAttempts: { status: 200, kind: message },
  getSigningKeys: { status: 200 },
  getSigningSecret: { status: 200 },
  rotateSigningSecret: { status: 200, spendsKeys: true },

  runBatch: {
    status: 200,
    body: { operations: [{ method: "POST", path: "/api/tasks", body: { name: "New" } }] },
  },

  listChanges: { status: 200 },
  streamChanges: { status: 200, method: "HEAD" },
  listSubscriptions: { status: 200 },
  createSubscription: { status: 200, body: { url: "https://example.com/hook" } },
  getSubscription: { status: 200, kind: subscription },
  deleteSubscription: { status: 204, kind: subscription },

  updateQuestion: { status: 200, kind: question, body: { prompt: "Changed?" } },
  answerQuestion: {
    status: 200,
    kind: question,
    body: ({ answer_token }) => ({ answer: "approve", answer_token }),
  },
  withdrawQuestion: { status: 200, kind: question },

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
  getClientPackage: { status: 200 },
  getSkillsIndex: { status: 200 },
  getAiCatalog: { status: 200 },
  getServerCard: { status: 200 },
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
  authorizeDevice: { status: 400 },
  registerOAuthClient: { status: 400 },
  revokeToken: { status: 400 },
};

/** The requests to the operations that every kind of resource has. */
function requestsOfEvery({ name, first: { body } }: Kind): [string, ValidRequest][] {
  const kind = ofKind(name);
  const { list, create, get, update, upsert, remove } = commonOperations(name);
  return [
    [list, { status: 200, kind }],
    [create, { status: 201, body }],
    [get, { status: 200, kind }],
    [update, { status: 200, kind, body: { name: "Changed" } }],
    [upsert, { status: 201, params: { external_id: "new" }, body }],
    [remove, { status: 204, kind }],
  ];
}

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
