import { type KindName, kinds } from "@/lib/resources/kinds";
import {
  type Callers,
  expectGrid,
  type Grid,
  grid,
  makeCallers,
  withTokens,
  withTwoBadKeys,
} from "../support/access-matrix";
import { test as base, endSubscriptions, expect } from "../support/fixtures";
import { commonOperations, everyOperation, titleOf } from "../support/operations";
import { validRequests } from "../support/requests";

/**
 * Who may do what: every operation, called by every kind of caller on every kind of resource.
 *
 * `own` belongs to the organization of the keys and the session (for the agent, to its own
 * organization), `foreign` to another; `deleted` was the caller's, or public. `+ invalid` is a request
 * with an unknown property or query parameter. A bad key is a revoked one, and a malformed or an expired
 * one, which take turns: tests/api/api-keys.spec.ts shows that they are alike.
 *
 * | cell     | answer                                                      |
 * | ---      | ---                                                         |
 * | ok       | the status of the valid request                             |
 * | 401      | `invalid_api_key`                                           |
 * | 401 none | `unauthorized`: a key is needed and none was sent           |
 * | scope    | 403 `insufficient_scope`                                    |
 * | 403      | `forbidden`                                                 |
 * | 404      | `resource_not_found`                                        |
 * | 400      | a refusal of the request, or of the state of the resource   |
 */

const READ = withTokens(
  grid(`
  caller                                     public   own   foreign   deleted   foreign + invalid
  no key                                     ok       403   403       404       400
  bad key                                    401      401   401       401       401
  read-only key, pre-claim agent, full key   ok       ok    403       404       400
  session cookie                             ok       403   403       404       400
`),
);

const WRITE = withTokens(
  grid(`
  caller                           public   own     foreign   deleted   foreign + invalid
  no key                           ok       403     403       404       400
  bad key                          401      401     401       401       401
  read-only key, pre-claim agent   scope    scope   scope     scope     scope
  full key                         ok       ok      403       404       400
  session cookie                   ok       403     403       404       400
`),
);

const LIST = withTokens(
  grid(`
  caller                                     shows     shows + invalid
  no key                                     nothing   400
  bad key                                    401       401
  read-only key, pre-claim agent, full key   own       400
  session cookie                             nothing   400
`),
);

const CREATE = withTokens(
  grid(`
  caller                           makes    makes + invalid
  no key                           public   400
  bad key                          401      401
  read-only key, pre-claim agent   scope    scope
  full key                         own      400
  session cookie                   public   400
`),
);

/** Of several creates and deletes, each of which is decided as when it is sent alone. */
const BATCH = withTokens(
  grid(`
  caller                           any     any + invalid
  no key                           ok      400
  bad key                          401     401
  read-only key, pre-claim agent   scope   scope
  full key                         ok      400
  session cookie                   ok      400
`),
);

/** Needs a key with `api.write`; acts on the whole organization. */
const ORGANIZATION = grid(`
  caller                           any        any + invalid
  no key                           401 none   401 none
  bad key                          401        401
  read-only key, pre-claim agent   scope      scope
  full key                         ok         400
  session cookie                   401 none   401 none
`);

/** Of what is never public: without a key it is empty. */
const KEYED_LIST = withTokens(
  grid(`
  caller                                     any   any + invalid
  no key                                     ok    400
  bad key                                    401   401
  read-only key, pre-claim agent, full key   ok    400
  session cookie                             ok    400
`),
);

/** Needs a key, and shows what belongs to its organization or acts on that key alone. */
const FEED = withTokens(
  grid(`
  caller                                     any        any + invalid
  no key                                     401 none   401 none
  bad key                                    401        401
  read-only key, pre-claim agent, full key   ok         400
  session cookie                             401 none   401 none
`),
);

/** Of what belongs to an organization and is never public. */
const KEYED_READ = withTokens(
  grid(`
  caller                                     own        foreign    foreign + invalid
  no key                                     401 none   401 none   401 none
  bad key                                    401        401        401
  read-only key, pre-claim agent, full key   ok         403        400
  session cookie                             401 none   401 none   401 none
`),
);

const KEYED_WRITE = withTokens(
  grid(`
  caller                           own        foreign    foreign + invalid
  no key                           401 none   401 none   401 none
  bad key                          401        401        401
  read-only key, pre-claim agent   scope      scope      scope
  full key                         ok         403        400
  session cookie                   401 none   401 none   401 none
`),
);

/** The token of the link is the permission, and no key may answer. */
const ANSWER = withTokens(
  grid(`
  caller                           public   own     foreign   deleted   foreign + invalid
  no key                           ok       ok      ok        404       400
  bad key                          401      401     401       401       401
  read-only key, pre-claim agent   scope    scope   scope     scope     scope
  full key                         403      403     403       403       400
  session cookie                   ok       ok      ok        404       400
`),
);

/** The claim token is the permission, so any valid key will do. */
const CLAIM = grid(`
  caller                                     public     own        foreign    deleted    foreign + invalid   deleted + invalid
  no key                                     401 none   401 none   401 none   401 none   401 none            401 none
  bad key                                    401        401        401        401        401                 401
  read-only key, pre-claim agent, full key   ok         400        400        404        400                 400
  session cookie                             401 none   401 none   401 none   401 none   401 none            401 none
`);

/** The same for all that a token claims. */
const CLAIM_ALL = grid(`
  caller                                     public     public + invalid
  no key                                     401 none   401 none
  bad key                                    401        401
  read-only key, pre-claim agent, full key   ok         400
  session cookie                             401 none   401 none
`);

/** Ignores credentials. */
const OPEN = grid(`
  caller                                      public   own   foreign   deleted
  no key, bad key, full key, session cookie   ok       ok    ok        404
`);

/** Ignores credentials, and does not reveal whether the resource exists. */
const SILENT = grid(`
  caller                                      public   own   foreign   deleted
  no key, bad key, full key, session cookie   ok       ok    ok        ok
`);

/** Ignores credentials, and has no resource. */
const SERVICE = grid(`
  caller                      any
  no key, bad key, full key   ok
`);

/** Describes the credential itself, whatever its scopes. */
const WHOAMI = withTokens(
  grid(`
  caller                                                     any
  no key                                                     ok
  bad key                                                    401
  read-only key, pre-claim agent, full key, session cookie   ok
`),
);

/** By operation ID. */
const GRIDS: Record<string, Grid> = {
  ...Object.fromEntries(kinds.flatMap(({ name }) => gridsOfEvery(name))),

  changeTaskLabels: WRITE,
  leaseNextTask: ORGANIZATION,
  takeTaskLease: WRITE,
  getTaskLease: READ,
  releaseTaskLease: WRITE,
  completeTask: WRITE,
  listTaskNotes: READ,
  addTaskNote: WRITE,
  listTaskBlockers: READ,
  addTaskBlocker: WRITE,
  removeTaskBlocker: WRITE,

  getRawArtifact: READ,
  listArtifactVersions: READ,
  getRawArtifactVersion: READ,
  shareArtifact: WRITE,
  revokeArtifactShares: WRITE,
  listArtifactShares: READ,
  revokeArtifactShare: WRITE,
  getSharedRaw: OPEN,
  getSharedView: OPEN,

  putWebhookVerification: WRITE,
  getWebhookVerification: READ,
  deleteWebhookVerification: WRITE,
  putWebhookForward: WRITE,
  getWebhookForward: READ,
  deleteWebhookForward: WRITE,
  listWebhookEvents: READ,
  purgeWebhookEvents: WRITE,
  streamWebhookEvents: READ,
  getWebhookEvent: READ,
  deleteWebhookEvent: WRITE,
  getWebhookEventRaw: READ,
  replayWebhookEvent: WRITE,
  captureGet: SILENT,
  capturePost: SILENT,
  capturePut: SILENT,
  capturePatch: SILENT,
  captureDelete: SILENT,
  captureOptions: SILENT,
  listWebhookEventReplays: READ,
  createWebhookReplay: KEYED_WRITE,
  listWebhookReplays: READ,
  getWebhookReplay: KEYED_READ,
  cancelWebhookReplay: KEYED_WRITE,

  getInboxStats: READ,
  ingestInboxEvent: OPEN,
  listInboxEvents: READ,
  purgeInboxEvents: WRITE,
  receiveInboxEvents: WRITE,
  settleInboxEvents: WRITE,
  getInboxEvent: READ,
  deleteInboxEvent: WRITE,
  getInboxEventRaw: READ,
  ackInboxEvent: WRITE,
  nackInboxEvent: WRITE,
  extendInboxEvent: WRITE,
  redriveInboxEvents: WRITE,
  redriveInboxEvent: WRITE,
  replyToInboxEvent: WRITE,
  readInboxReply: OPEN,
  listInboxReplies: READ,

  dispatchMessages: SERVICE,
  dispatchMessagesByGet: SERVICE,
  cancelMessage: WRITE,
  retryMessage: WRITE,
  listMessageAttempts: READ,
  getSigningKeys: SERVICE,
  getSigningSecret: ORGANIZATION,
  rotateSigningSecret: ORGANIZATION,

  answerQuestion: ANSWER,
  withdrawQuestion: WRITE,

  runBatch: BATCH,

  listChanges: FEED,
  streamChanges: FEED,
  listSubscriptions: KEYED_LIST,
  createSubscription: ORGANIZATION,
  getSubscription: KEYED_READ,
  deleteSubscription: KEYED_WRITE,

  runSchedule: WRITE,
  listScheduleRuns: READ,

  claimResource: CLAIM,
  openClaimPage: SILENT,
  claimResources: CLAIM_ALL,
  getMe: WHOAMI,
  revokeMyKey: FEED,
  rotateMyKey: { ...FEED, "access token": { any: "403", "any + invalid": "400" } },
  getHealth: SERVICE,
  getLiveness: SERVICE,
  getReadiness: SERVICE,
  getMetrics: SERVICE,
  getLimits: SERVICE,
  getOpenApi: SERVICE,
  getOpenApiPart: SERVICE,
  getLlmsText: SERVICE,
  getLlmsFullText: SERVICE,
  getSkill: SERVICE,
  getClientPackage: SERVICE,
  getSkillsIndex: SERVICE,
  getAiCatalog: SERVICE,
  getServerCard: SERVICE,
  getRobots: SERVICE,
  getSecurityText: SERVICE,
  getDocs: SERVICE,
  callMcp: withTokens(WHOAMI, "mcp"),
  getProtectedResource: SERVICE,
  getMcpProtectedResource: SERVICE,
  getAuthorizationServer: SERVICE,
  getAuthGuide: SERVICE,
  registerAgent: SERVICE,
  startAgentClaim: SERVICE,
  completeAgentClaim: SERVICE,
  revokeAgent: SERVICE,
  exchangeToken: SERVICE,
  authorizeDevice: SERVICE,
  registerOAuthClient: SERVICE,
  revokeToken: SERVICE,
};

/** Of the operations that every kind of resource has. */
function gridsOfEvery(kind: KindName): [string, Grid][] {
  const { list, create, get, update, upsert, remove } = commonOperations(kind);
  return [
    [list, LIST],
    [create, CREATE],
    [get, READ],
    [update, WRITE],
    [upsert, ORGANIZATION],
    [remove, WRITE],
  ];
}

/** Of this worker. */
let made: Promise<Callers> | undefined;

const test = base.extend<{ callers: Callers }>({
  callers: async ({ db, baseUrl }, use) => {
    made ??= makeCallers(db, baseUrl);
    const callers = await made;
    await use(callers);
    await endSubscriptions(db, callers.own.id, callers.foreign.id, callers.agent.id);
  },
});

test("Every operation has a grid", () => {
  expect(Object.keys(GRIDS).sort()).toEqual(everyOperation.map(({ id }) => id).sort());
});

for (const [turn, operation] of everyOperation.entries()) {
  const grid = GRIDS[operation.id];
  const valid = validRequests[operation.id];
  if (!grid || !valid) continue;
  test(`${titleOf(operation)} is open to exactly the permitted callers`, async ({
    db,
    baseUrl,
    callers,
  }) => {
    const own = valid.spendsKeys ? await makeCallers(db, baseUrl) : callers;
    const row = { ...valid, grid: withTwoBadKeys(grid, turn) };
    await expectGrid(operation, row, { db, baseUrl, callers: own });
  });
}
