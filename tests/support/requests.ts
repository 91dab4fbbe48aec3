import type { Operation } from "@/lib/platform/http/operation";
import { type Kind, kinds } from "@/lib/resources/kinds";
import { commonOperations, everyOperation } from "./operations";
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

/** By operation ID, what sets a request apart. Where the status is 400, no valid body is built. */
const requests: Record<string, Partial<ValidRequest>> = {
  ...Object.fromEntries(kinds.flatMap(requestsOfEvery)),

  changeTaskLabels: { kind: task, body: { add: ["done"] } },
  leaseNextTask: { body: { holder: "A worker" } },
  takeTaskLease: { kind: task, body: { holder: "A worker" } },
  getTaskLease: { kind: heldTask },
  releaseTaskLease: { kind: heldTask, body: leaseOf },
  completeTask: { kind: heldTask, body: leaseOf },
  listTaskNotes: { kind: task },
  addTaskNote: { kind: task, body: { body: "New" } },
  listTaskBlockers: { kind: blockedTask },
  addTaskBlocker: { kind: blockedTask },
  removeTaskBlocker: { kind: blockedTask },

  getRawArtifact: { kind: artifact },
  listArtifactVersions: { kind: artifact },
  getRawArtifactVersion: { kind: artifact },
  shareArtifact: { kind: artifact },
  revokeArtifactShares: { kind: artifact },
  listArtifactShares: { kind: sharedArtifact },
  revokeArtifactShare: { kind: sharedArtifact },
  getSharedRaw: { kind: sharedArtifact },
  getSharedView: { kind: sharedArtifact },

  putWebhookVerification: {
    kind: webhook,
    body: { scheme: "github", secret: "It's a Secret to Everybody" },
  },
  getWebhookVerification: { kind: verifiedWebhook },
  deleteWebhookVerification: { kind: verifiedWebhook },
  putWebhookForward: { kind: webhook, body: { url: "https://example.com/hook" } },
  getWebhookForward: { kind: forwardingWebhook },
  deleteWebhookForward: { kind: forwardingWebhook },
  listWebhookEvents: { kind: webhook },
  purgeWebhookEvents: { kind: webhook },
  streamWebhookEvents: { kind: webhook, method: "HEAD" },
  getWebhookEvent: { kind: webhookEvent },
  deleteWebhookEvent: { kind: webhookEvent },
  getWebhookEventRaw: { kind: webhookEvent },
  replayWebhookEvent: { kind: webhookEvent, body: { url: "https://example.com/" } },
  listWebhookEventReplays: { kind: webhookEvent },
  createWebhookReplay: { kind: webhook, body: { url: "https://example.com/hook" } },
  listWebhookReplays: { kind: replayedWebhook },
  getWebhookReplay: { kind: replayedWebhook },
  cancelWebhookReplay: { kind: replayedWebhook, isChange: true },
  captureGet: { kind: webhook, isChange: true },
  capturePost: { kind: webhook },
  capturePut: { kind: webhook },
  capturePatch: { kind: webhook },
  captureDelete: { kind: webhook },
  captureOptions: { kind: webhook },

  getInboxStats: { kind: inbox },
  ingestInboxEvent: { kind: inbox },
  listInboxEvents: { kind: inbox },
  purgeInboxEvents: { kind: inbox },
  receiveInboxEvents: { kind: inbox },
  settleInboxEvents: { kind: inbox, body: {} },
  getInboxEvent: { kind: inboxEvent },
  deleteInboxEvent: { kind: inboxEvent },
  getInboxEventRaw: { kind: inboxEvent },
  ackInboxEvent: { kind: leasedEvent, body: leaseOf },
  nackInboxEvent: { kind: leasedEvent, body: leaseOf },
  extendInboxEvent: {
    kind: leasedEvent,
    body: (proof) => ({ ...leaseOf(proof), lease_seconds: 60 }),
  },
  redriveInboxEvents: { kind: inbox },
  redriveInboxEvent: { kind: deadEvent },
  replyToInboxEvent: { kind: leasedEvent, proofs: ["lease_id"], body: { done: true } },
  readInboxReply: { kind: repliedInbox },
  listInboxReplies: { kind: repliedInbox },

  updateMessage: { kind: message, body: { body: "Changed" } },
  cancelMessage: { kind: message },
  retryMessage: { kind: canceledMessage },
  listMessageAttempts: { kind: message },
  rotateSigningSecret: { spendsKeys: true },

  runBatch: {
    body: { operations: [{ method: "POST", path: "/api/tasks", body: { name: "New" } }] },
  },

  streamChanges: { method: "HEAD" },
  createSubscription: { body: { url: "https://example.com/hook" } },
  getSubscription: { kind: subscription },
  deleteSubscription: { kind: subscription },

  updateQuestion: { kind: question, body: { prompt: "Changed?" } },
  answerQuestion: {
    kind: question,
    body: ({ answer_token }) => ({ answer: "approve", answer_token }),
  },
  withdrawQuestion: { kind: question },

  runSchedule: { kind: schedule },
  listScheduleRuns: { kind: schedule },

  claimResource: { kind: task, body: ({ claim_token = "clm_none" }) => ({ claim_token }) },
  openClaimPage: { status: 405, kind: task },
  claimResources: { kind: task, body: ({ claim_token = "clm_none" }) => ({ claim_token }) },
  revokeMyKey: { spendsKeys: true },
  rotateMyKey: { spendsKeys: true },
  getOpenApiPart: { status: 404 },
  callMcp: { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
  registerAgent: { status: 400 },
  startAgentClaim: { status: 400 },
  completeAgentClaim: { status: 400 },
  revokeAgent: { status: 400 },
  exchangeToken: { status: 400 },
  authorizeDevice: { status: 400 },
  registerOAuthClient: { status: 400 },
  revokeToken: { status: 400 },
};

/** By operation ID. The status is that of the operation's success unless the request has its own. */
export const validRequests: Record<string, ValidRequest> = Object.fromEntries(
  everyOperation.map(({ id, success }) => [id, { status: success.status, ...requests[id] }]),
);

/** The requests to the operations that every kind of resource has. */
function requestsOfEvery({ name, first: { body } }: Kind): [string, Partial<ValidRequest>][] {
  const kind = ofKind(name);
  const { list, create, get, update, upsert, remove } = commonOperations(name);
  return [
    [list, { kind }],
    [create, { body }],
    [get, { kind }],
    [update, { kind, body: { name: "Changed" } }],
    [upsert, { status: 201, params: { external_id: "new" }, body }],
    [remove, { kind }],
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
