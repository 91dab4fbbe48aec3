import { type Callers, expectGrid, grid, makeCallers, type Row } from "../support/access-matrix";
import { test as base, expect } from "../support/fixtures";
import { everyOperation, titleOf } from "../support/operations";
import {
  artifact,
  canceledMessage,
  deadEvent,
  heldTask,
  inbox,
  inboxEvent,
  leasedEvent,
  message,
  sharedArtifact,
  task,
  webhook,
  webhookEvent,
} from "../support/resources";

/**
 * Who may do what: every operation, called by every kind of caller on every kind of resource.
 *
 * `own` belongs to the organization of the keys and the session (for the agent, to its own
 * organization), `foreign` to another; `deleted` was the caller's, or public. `+ invalid` is a request
 * with an unknown property or query parameter.
 *
 * | cell     | answer                                                      |
 * | ---      | ---                                                         |
 * | ok       | the status of the operation's row                           |
 * | 401      | `invalid_api_key`                                           |
 * | 401 none | `unauthorized`: a key is needed and none was sent           |
 * | scope    | 403 `insufficient_scope`                                    |
 * | 403      | `forbidden`                                                 |
 * | 404      | `resource_not_found`                                        |
 * | 400      | a refusal of the request, or of the state of the resource   |
 */

const READ = grid(`
  caller           public   own      foreign   deleted   public + invalid   foreign + invalid   deleted + invalid
  no key           ok       403      403       404       400                400                 400
  malformed key    401      401      401       401       401                401                 401
  revoked key      401      401      401       401       401                401                 401
  expired key      401      401      401       401       401                401                 401
  read-only key    ok       ok       403       404       400                400                 400
  pre-claim agent  ok       ok       403       404       400                400                 400
  full key         ok       ok       403       404       400                400                 400
  session cookie   ok       403      403       404       400                400                 400
`);

const WRITE = grid(`
  caller           public   own      foreign   deleted   public + invalid   foreign + invalid   deleted + invalid
  no key           ok       403      403       404       400                400                 400
  malformed key    401      401      401       401       401                401                 401
  revoked key      401      401      401       401       401                401                 401
  expired key      401      401      401       401       401                401                 401
  read-only key    scope    scope    scope     scope     scope              scope               scope
  pre-claim agent  scope    scope    scope     scope     scope              scope               scope
  full key         ok       ok       403       404       400                400                 400
  session cookie   ok       403      403       404       400                400                 400
`);

const LIST = grid(`
  caller           shows     shows + invalid
  no key           nothing   400
  malformed key    401       401
  revoked key      401       401
  expired key      401       401
  read-only key    own       400
  pre-claim agent  own       400
  full key         own       400
  session cookie   nothing   400
`);

const CREATE = grid(`
  caller           makes    makes + invalid
  no key           public   400
  malformed key    401      401
  revoked key      401      401
  expired key      401      401
  read-only key    scope    scope
  pre-claim agent  scope    scope
  full key         own      400
  session cookie   public   400
`);

/** Needs a key with `api.write`; acts on the whole organization. */
const ORGANIZATION = grid(`
  caller           any        any + invalid
  no key           401 none   401 none
  malformed key    401        401
  revoked key      401        401
  expired key      401        401
  read-only key    scope      scope
  pre-claim agent  scope      scope
  full key         ok         400
  session cookie   401 none   401 none
`);

/** The claim token is the permission, so any valid key will do. */
const CLAIM = grid(`
  caller           public     own        foreign    deleted    foreign + invalid   deleted + invalid
  no key           401 none   401 none   401 none   401 none   401 none            401 none
  malformed key    401        401        401        401        401                 401
  revoked key      401        401        401        401        401                 401
  expired key      401        401        401        401        401                 401
  read-only key    ok         400        400        404        400                 400
  pre-claim agent  ok         400        400        404        400                 400
  full key         ok         400        400        404        400                 400
  session cookie   401 none   401 none   401 none   401 none   401 none            401 none
`);

/** Ignores credentials. */
const OPEN = grid(`
  caller           public   own      foreign   deleted
  no key           ok       ok       ok        404
  malformed key    ok       ok       ok        404
  revoked key      ok       ok       ok        404
  expired key      ok       ok       ok        404
  read-only key    ok       ok       ok        404
  pre-claim agent  ok       ok       ok        404
  full key         ok       ok       ok        404
  session cookie   ok       ok       ok        404
`);

/** Ignores credentials, and does not reveal whether the resource exists. */
const SILENT = grid(`
  caller           public   own      foreign   deleted
  no key           ok       ok       ok        ok
  malformed key    ok       ok       ok        ok
  revoked key      ok       ok       ok        ok
  expired key      ok       ok       ok        ok
  read-only key    ok       ok       ok        ok
  pre-claim agent  ok       ok       ok        ok
  full key         ok       ok       ok        ok
  session cookie   ok       ok       ok        ok
`);

/** Ignores credentials, and has no resource. */
const SERVICE = grid(`
  caller           any
  no key           ok
  malformed key    ok
  revoked key      ok
  expired key      ok
  read-only key    ok
  pre-claim agent  ok
  full key         ok
  session cookie   ok
`);

/** Describes the credential itself, whatever its scopes. */
const WHOAMI = grid(`
  caller           any
  no key           ok
  malformed key    401
  revoked key      401
  expired key      401
  read-only key    ok
  pre-claim agent  ok
  full key         ok
  session cookie   ok
`);

/** Needs a key and acts on that key alone. */
const OWN_KEY = grid(`
  caller           any        any + invalid
  no key           401 none   401 none
  malformed key    401        401
  revoked key      401        401
  expired key      401        401
  read-only key    ok         400
  pre-claim agent  ok         400
  full key         ok         400
  session cookie   401 none   401 none
`);

/** By operation ID, in the order of the registry. Where `ok` is 400, no valid body is built. */
const ROWS: Record<string, Row> = {
  listTasks: { grid: LIST, ok: 200, kind: task },
  createTask: { grid: CREATE, ok: 201, body: { name: "New" } },
  getTask: { grid: READ, ok: 200, kind: task },
  updateTask: { grid: WRITE, ok: 200, kind: task, body: { name: "Changed" } },
  upsertTask: {
    grid: ORGANIZATION,
    ok: 201,
    params: { external_id: "new" },
    body: { name: "New" },
  },
  changeTaskLabels: { grid: WRITE, ok: 200, kind: task, body: { add: ["done"] } },
  deleteTask: { grid: WRITE, ok: 204, kind: task },
  leaseNextTask: { grid: ORGANIZATION, ok: 200, body: { holder: "A worker" } },
  takeTaskLease: { grid: WRITE, ok: 200, kind: task, body: { holder: "A worker" } },
  getTaskLease: { grid: READ, ok: 200, kind: heldTask },
  releaseTaskLease: { grid: WRITE, ok: 204, kind: heldTask, body: leaseOf },

  listArtifacts: { grid: LIST, ok: 200, kind: artifact },
  createArtifact: { grid: CREATE, ok: 201, body: { name: "New", content: "" } },
  getArtifact: { grid: READ, ok: 200, kind: artifact },
  updateArtifact: { grid: WRITE, ok: 200, kind: artifact, body: { content: "Changed" } },
  upsertArtifact: {
    grid: ORGANIZATION,
    ok: 201,
    params: { external_id: "new" },
    body: { name: "New", content: "" },
  },
  deleteArtifact: { grid: WRITE, ok: 204, kind: artifact },
  getRawArtifact: { grid: READ, ok: 200, kind: artifact },
  shareArtifact: { grid: WRITE, ok: 200, kind: artifact },
  revokeArtifactShares: { grid: WRITE, ok: 204, kind: artifact },
  listArtifactShares: { grid: READ, ok: 200, kind: sharedArtifact },
  revokeArtifactShare: { grid: WRITE, ok: 204, kind: sharedArtifact },
  getSharedRaw: { grid: OPEN, ok: 200, kind: sharedArtifact },
  getSharedView: { grid: OPEN, ok: 200, kind: sharedArtifact },

  listWebhooks: { grid: LIST, ok: 200, kind: webhook },
  createWebhook: { grid: CREATE, ok: 201, body: { name: "New" } },
  getWebhook: { grid: READ, ok: 200, kind: webhook },
  updateWebhook: { grid: WRITE, ok: 200, kind: webhook, body: { name: "Changed" } },
  upsertWebhook: {
    grid: ORGANIZATION,
    ok: 201,
    params: { external_id: "new" },
    body: { name: "New" },
  },
  deleteWebhook: { grid: WRITE, ok: 204, kind: webhook },
  listWebhookEvents: { grid: READ, ok: 200, kind: webhook },
  purgeWebhookEvents: { grid: WRITE, ok: 204, kind: webhook },
  streamWebhookEvents: { grid: READ, ok: 200, kind: webhook, method: "HEAD" },
  getWebhookEvent: { grid: READ, ok: 200, kind: webhookEvent },
  deleteWebhookEvent: { grid: WRITE, ok: 204, kind: webhookEvent },
  getWebhookEventRaw: { grid: READ, ok: 200, kind: webhookEvent },
  replayWebhookEvent: {
    grid: WRITE,
    ok: 201,
    kind: webhookEvent,
    body: { url: "https://example.com/" },
  },
  captureGet: { grid: SILENT, ok: 200, kind: webhook, isChange: true },
  capturePost: { grid: SILENT, ok: 200, kind: webhook },
  capturePut: { grid: SILENT, ok: 200, kind: webhook },
  capturePatch: { grid: SILENT, ok: 200, kind: webhook },
  captureDelete: { grid: SILENT, ok: 200, kind: webhook },
  captureOptions: { grid: SILENT, ok: 200, kind: webhook },

  listInboxes: { grid: LIST, ok: 200, kind: inbox },
  createInbox: { grid: CREATE, ok: 201, body: { name: "New" } },
  getInbox: { grid: READ, ok: 200, kind: inbox },
  updateInbox: { grid: WRITE, ok: 200, kind: inbox, body: { name: "Changed" } },
  upsertInbox: {
    grid: ORGANIZATION,
    ok: 201,
    params: { external_id: "new" },
    body: { name: "New" },
  },
  deleteInbox: { grid: WRITE, ok: 204, kind: inbox },
  getInboxStats: { grid: READ, ok: 200, kind: inbox },
  ingestInboxEvent: { grid: OPEN, ok: 201, kind: inbox },
  listInboxEvents: { grid: READ, ok: 200, kind: inbox },
  purgeInboxEvents: { grid: WRITE, ok: 204, kind: inbox },
  receiveInboxEvents: { grid: WRITE, ok: 200, kind: inbox },
  settleInboxEvents: { grid: WRITE, ok: 200, kind: inbox, body: {} },
  getInboxEvent: { grid: READ, ok: 200, kind: inboxEvent },
  deleteInboxEvent: { grid: WRITE, ok: 204, kind: inboxEvent },
  getInboxEventRaw: { grid: READ, ok: 200, kind: inboxEvent },
  ackInboxEvent: { grid: WRITE, ok: 204, kind: leasedEvent, body: leaseOf },
  nackInboxEvent: { grid: WRITE, ok: 200, kind: leasedEvent, body: leaseOf },
  extendInboxEvent: {
    grid: WRITE,
    ok: 200,
    kind: leasedEvent,
    body: (proof) => ({ ...leaseOf(proof), lease_seconds: 60 }),
  },
  redriveInboxEvents: { grid: WRITE, ok: 200, kind: inbox },
  redriveInboxEvent: { grid: WRITE, ok: 200, kind: deadEvent },

  listMessages: { grid: LIST, ok: 200, kind: message },
  createMessage: {
    grid: CREATE,
    ok: 201,
    body: { url: "https://example.com/", delay_seconds: 86_400 },
  },
  dispatchMessages: { grid: SERVICE, ok: 200 },
  dispatchMessagesByGet: { grid: SERVICE, ok: 200 },
  getMessage: { grid: READ, ok: 200, kind: message },
  updateMessage: { grid: WRITE, ok: 200, kind: message, body: { body: "Changed" } },
  upsertMessage: {
    grid: ORGANIZATION,
    ok: 201,
    params: { external_id: "new" },
    body: { url: "https://example.com/", delay_seconds: 86_400 },
  },
  deleteMessage: { grid: WRITE, ok: 204, kind: message },
  cancelMessage: { grid: WRITE, ok: 200, kind: message },
  retryMessage: { grid: WRITE, ok: 200, kind: canceledMessage },
  listMessageAttempts: { grid: READ, ok: 200, kind: message },
  getSigningKeys: { grid: SERVICE, ok: 200 },

  claimResource: {
    grid: CLAIM,
    ok: 200,
    kind: task,
    body: ({ claim_token = "clm_none" }) => ({ claim_token }),
  },
  openClaimPage: { grid: SILENT, ok: 405, kind: task },
  getMe: { grid: WHOAMI, ok: 200 },
  revokeMyKey: { grid: OWN_KEY, ok: 204, spendsKeys: true },
  rotateMyKey: { grid: OWN_KEY, ok: 200, spendsKeys: true },
  getHealth: { grid: SERVICE, ok: 200 },
  getLimits: { grid: SERVICE, ok: 200 },
  getOpenApi: { grid: SERVICE, ok: 200 },
  getOpenApiPart: { grid: SERVICE, ok: 404 },
  getLlmsText: { grid: SERVICE, ok: 200 },
  getProtectedResource: { grid: SERVICE, ok: 200 },
  getAuthorizationServer: { grid: SERVICE, ok: 200 },
  getAuthGuide: { grid: SERVICE, ok: 200 },
  registerAgent: { grid: SERVICE, ok: 400 },
  startAgentClaim: { grid: SERVICE, ok: 400 },
  completeAgentClaim: { grid: SERVICE, ok: 400 },
  revokeAgent: { grid: SERVICE, ok: 400 },
};

function leaseOf({ lease_id }: Record<string, unknown>) {
  return { lease_id };
}

const test = base.extend<object, { callers: Callers }>({
  callers: [
    async ({ db, baseUrl }, use) => {
      await use(await makeCallers(db, baseUrl));
    },
    { scope: "worker" },
  ],
});

test("Every operation has a row, and every row an operation", () => {
  expect(Object.keys(ROWS).sort()).toEqual(everyOperation.map(({ id }) => id).sort());
});

for (const operation of everyOperation) {
  const row = ROWS[operation.id];
  if (!row) continue;
  test(`${titleOf(operation)} is open to exactly the permitted callers`, async ({
    db,
    baseUrl,
    callers,
  }) => {
    const own = row.spendsKeys ? await makeCallers(db, baseUrl) : callers;
    await expectGrid(operation, row, { db, baseUrl, callers: own });
  });
}
