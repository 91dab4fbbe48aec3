import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Operation } from "@/lib/platform/http/operation";
import { type Grid, grid, textOf } from "../support/access-matrix";
import { insertTasks, makeOrganization } from "../support/accounts";
import { test as base, expect } from "../support/fixtures";
import type { Api } from "../support/http";
import { randomText } from "../support/keys";
import { messageOf, toolCall } from "../support/mcp";
import { everyOperation } from "../support/operations";
import { createOwnDatabase } from "../support/own-database";
import { bodyOf, pathOf, queryOf, validRequests } from "../support/requests";
import { statementReader } from "../support/sent-statements";
import { freePort, pause, type RunningServer, startServer } from "../support/servers";
import { startTcpProxy } from "../support/tcp-proxy";
import { testPool } from "../support/test-pool";

/**
 * How many statements a valid request sends to the database, BEGIN and COMMIT included. A lower
 * number must be recorded too.
 *
 * | column     | request                                                                          |
 * | ---        | ---                                                                              |
 * | no key     | without a key                                                                    |
 * | key        | with a key                                                                       |
 * | repeatable | with a key and a new `Idempotency-Key`; `-` where that is ignored                 |
 * | public     | with a key, to a server in public mode, which counts the requests of each caller |
 */
const ROUND_TRIPS = grid(`
  operation                no key   key   repeatable   public
  listTasks                0        2     -            3
  createTask               1        2     2            3
  getTask                  1        2     -            3
  updateTask               1        2     -            3
  upsertTask               0        3     -            4
  deleteTask               2        3     -            4
  changeTaskLabels         1        2     6            3
  leaseNextTask            0        2     6            3
  takeTaskLease            1        2     6            3
  getTaskLease             1        2     -            3
  releaseTaskLease         1        2     -            3
  completeTask             1        2     6            3
  listTaskNotes            2        3     -            4
  addTaskNote              1        2     6            3
  listTaskBlockers         2        3     -            4
  addTaskBlocker           5        6     -            7
  removeTaskBlocker        1        2     -            3

  listArtifacts            0        2     -            3
  createArtifact           1        2     2            3
  getArtifact              1        2     -            3
  updateArtifact           1        2     -            3
  upsertArtifact           0        3     -            4
  deleteArtifact           2        3     -            4
  getRawArtifact           1        2     -            3
  listArtifactVersions     2        3     -            4
  getRawArtifactVersion    2        3     -            4
  shareArtifact            2        3     7            4
  revokeArtifactShares     2        3     -            4
  listArtifactShares       2        3     -            4
  revokeArtifactShare      2        3     -            4
  getSharedRaw             1        1     -            1
  getSharedView            1        1     -            1

  listWebhooks             0        2     -            3
  createWebhook            1        2     2            3
  getWebhook               1        2     -            3
  updateWebhook            4        5     -            6
  upsertWebhook            0        6     -            7
  deleteWebhook            2        3     -            4
  putWebhookVerification   6        8     -            9
  getWebhookVerification   2        3     -            4
  deleteWebhookVerification  5      7     -            8
  putWebhookForward        5        7     -            8
  getWebhookForward        2        3     -            4
  deleteWebhookForward     6        8     -            9
  listWebhookEvents        2        3     -            4
  purgeWebhookEvents       4        5     -            6
  streamWebhookEvents      2        3     -            4
  getWebhookEvent          2        3     -            4
  deleteWebhookEvent       5        6     -            7
  getWebhookEventRaw       2        3     -            4
  replayWebhookEvent       3        4     4            5
  captureGet               1        1     -            1
  capturePost              1        1     -            1
  capturePut               1        1     -            1
  capturePatch             1        1     -            1
  captureDelete            1        1     -            1
  captureOptions           1        1     -            1
  listWebhookEventReplays  3        4     -            5
  createWebhookReplay      0        8     10           9
  listWebhookReplays       0        3     -            4
  getWebhookReplay         0        3     -            4
  cancelWebhookReplay      0        8     10           9

  listInboxes              0        2     -            3
  createInbox              1        2     2            3
  getInbox                 1        2     -            3
  updateInbox              1        2     -            3
  upsertInbox              0        3     -            4
  deleteInbox              2        3     -            4
  getInboxStats            2        3     -            4
  ingestInboxEvent         1        1     5            1
  listInboxEvents          2        3     -            4
  purgeInboxEvents         1        2     -            3
  getInboxEvent            1        2     -            3
  deleteInboxEvent         1        2     -            3
  getInboxEventRaw         1        2     -            3
  receiveInboxEvents       1        2     6            3
  settleInboxEvents        2        3     7            4
  redriveInboxEvents       3        4     8            5
  ackInboxEvent            1        2     6            3
  nackInboxEvent           1        2     6            3
  extendInboxEvent         1        2     6            3
  redriveInboxEvent        3        4     8            5
  replyToInboxEvent        1        2     6            3
  readInboxReply           1        1     -            1
  listInboxReplies         2        3     -            4

  listMessages             0        2     -            3
  createMessage            1        2     2            3
  getMessage               1        2     -            3
  updateMessage            2        3     -            4
  upsertMessage            0        4     -            5
  deleteMessage            2        3     -            4
  cancelMessage            2        3     7            4
  retryMessage             2        3     7            4
  listMessageAttempts      2        3     -            4
  getSigningKeys           0        0     -            0
  getSigningSecret         0        5     -            6
  rotateSigningSecret      0        5     7            6

  listSchedules            0        2     -            3
  createSchedule           1        2     2            3
  getSchedule              1        2     -            3
  updateSchedule           6        7     -            8
  upsertSchedule           0        4     -            5
  deleteSchedule           2        3     -            4
  runSchedule              7        8     10           9
  listScheduleRuns         2        3     -            4

  dispatchMessages         10       10    -            9
  dispatchMessagesByGet    10       10    -            9

  listChanges              0        2     -            3
  streamChanges            0        3     -            4
  listSubscriptions        0        2     -            3
  createSubscription       0        8     10           9
  getSubscription          0        2     -            3
  deleteSubscription       0        6     -            7

  claimResource            0        10    12           11
  openClaimPage            0        0     -            0
  claimResources           0        12    14           13
  getMe                    0        2     -            4
  revokeMyKey              0        6     -            7
  rotateMyKey              0        7     9            8
  getHealth                1        1     -            1
  getLiveness              0        0     -            0
  getReadiness             1        1     -            1
  getMetrics               2        1     -            -
  getLimits                0        0     -            0
  getOpenApi               0        0     -            0
  getOpenApiPart           0        0     -            0
  getLlmsText              0        0     -            0
  getLlmsFullText          0        0     -            0
  getSkill                 0        0     -            0
  getSkillsIndex           0        0     -            0
  getRobots                0        0     -            0
  getSecurityText          0        0     -            0
  getDocs                  0        0     -            0
  callMcp                  0        1     -            2
  getProtectedResource     0        0     -            0
  getMcpProtectedResource  0        0     -            0
  getAuthorizationServer   0        0     -            0
  getAuthGuide             0        0     -            0
  registerAgent            0        0     2            1
  startAgentClaim          0        0     2            1
  completeAgentClaim       0        0     2            1
  revokeAgent              0        0     2            1
  exchangeToken            0        0     -            1
  registerOAuthClient      0        0     -            1
  revokeToken              0        0     -            1
`);

const COLUMNS = ["no key", "key", "repeatable", "public"];

interface Servers {
  local: Api;
  public: Api;
  db: Pool;
  /** The statements that both have sent. */
  sent: string[];
  /** Has tasks to lease. Its last use has just been written. */
  key: string;
}

/** Two servers on a database of their own, so that only this test's requests send statements. */
const test = base.extend<{ servers: Servers }>({
  servers: async ({ db: shared, databaseUrl }, use) => {
    const database = await createOwnDatabase(shared, databaseUrl);
    const sent: string[] = [];
    const read = (text: string) => {
      if (!BACKGROUND.test(text.trim())) sent.push(text.trim().replaceAll(/\s+/g, " "));
    };
    const proxy = await startTcpProxy(database.url, (client) => {
      client.on("data", statementReader(read));
    });
    const local = await start(proxy.url, {});
    const limited = await start(proxy.url, PUBLIC_MODE);
    const db = testPool(database.url, 1);
    const { id, key } = await makeOrganization(db);
    await insertTasks(db, id, 100);
    await local.api("GET", "/api/me", { key });
    await use({ local: local.api, public: limited.api, db, sent, key });
    await db.end();
    await Promise.all([local.stop(), limited.stop()]);
    await proxy.close();
    await database.drop();
  },
});

/** Old events are removed half a second later. */
const QUIET_MS = 700;
/** Of connections, and of the limits now and then. */
const BACKGROUND = /^(SET|LISTEN|DELETE FROM usage_windows) /;
const PUBLIC_MODE = {
  BASE_URL: "https://service.example",
  HOST: "127.0.0.1",
  AGENT_AUTH_SECRET: randomText(40),
};

test("Every request needs exactly the recorded number of round trips", async ({ servers }) => {
  const counted: Grid = {};
  for (const operation of everyOperation) {
    const cells = Object.fromEntries(COLUMNS.map((column) => [column, "-"]));
    for (const column of COLUMNS) {
      if (column === "repeatable" && !operation.repeatable) continue;
      if (column === "public" && operation.id === "getMetrics") continue; // off without a token
      cells[column] = await count(servers, operation, column, ROUND_TRIPS[operation.id]?.[column]);
    }
    counted[operation.id] = cells;
  }
  expect(textOf(counted)).toBe(textOf(ROUND_TRIPS));
});

test("A tool call needs as many round trips as its operation", async ({ servers }) => {
  const { local, sent, key } = servers;
  const call = async (name: string, args: object) => {
    const response = await local("POST", "/mcp", { key, body: toolCall(name, args) });
    const { structuredContent } = messageOf(response).result;
    expect(structuredContent, response.text).toBeDefined();
    return structuredContent;
  };
  const counted = async (name: string, args: object): Promise<number> => {
    const before = sent.length;
    await call(name, args);
    return sent.length - before;
  };
  const task = await call("create_task", { name: "A task" });
  const artifact = await call("publish_artifact", { name: "A document", content: "" });
  const inbox = await call("create_inbox", { name: "An inbox" });
  const calls: [tool: string, args: object, operation: string][] = [
    ["list", { what: "tasks" }, "listTasks"],
    ["create_task", { name: "New" }, "createTask"],
    ["get", { id: task.id }, "getTask"],
    ["update", { id: task.id, name: "Changed" }, "updateTask"],
    ["complete_task", { task_id: task.id }, "completeTask"],
    ["get", { id: artifact.id }, "getArtifact"],
    ["finish_work", { inbox_id: inbox.id }, "settleInboxEvents"],
  ];
  for (const [name, args, operation] of calls) {
    const expected = Number(ROUND_TRIPS[operation]?.key);
    if ((await counted(name, args)) === expected) continue;
    await quiet(sent);
    expect.soft(await counted(name, args), name).toBe(expected);
  }
});

/**
 * Counts again when the number differs, once the server is quiet: it may have been writing the last
 * use of a key, or removing old events.
 */
async function count(
  servers: Servers,
  operation: Operation,
  column: string,
  expected: string | undefined,
): Promise<string> {
  const atOnce = await statementsOf(servers, operation, column, async () => {});
  if (String(atOnce.length) === expected) return expected;
  const alone = await statementsOf(servers, operation, column, () => quiet(servers.sent));
  if (String(alone.length) !== expected) {
    const texts = alone.map((text) => text.slice(0, 100));
    console.log([`${operation.id}, ${column}:`, ...texts].join("\n  "));
  }
  return String(alone.length);
}

async function quiet(sent: string[]) {
  for (let before = -1; before !== sent.length; ) {
    before = sent.length;
    await pause(QUIET_MS);
  }
}

/** Makes what the request needs, waits, sends it and returns the statements it caused. */
async function statementsOf(
  servers: Servers,
  operation: Operation,
  column: string,
  wait: () => Promise<void>,
) {
  const valid = validRequests[operation.id];
  if (!valid) throw new Error(`${operation.id} has no valid request in tests/support/requests.ts.`);
  const { db, sent } = servers;
  const api = column === "public" ? servers.public : servers.local;
  const owner = valid.spendsKeys ? await freshKey(db, api) : servers.key;
  const key = column === "no key" ? undefined : owner;
  const isClaim = operation.tag === "Claims";
  const resource = await valid.kind?.({ api, db, key: isClaim ? undefined : key });
  // A retried message is due, and a dispatch would deliver it.
  if (operation.dispatchSecret) await db.query("DELETE FROM scheduled_messages");

  // The first receive also looks for expired events, in the background.
  if (operation.id === "receiveInboxEvents" && resource) {
    await api("POST", `${resource.path}/events/receive`, { key });
    await api("POST", `${resource.path}/events`, { raw: "x" });
  }

  await wait();
  const before = sent.length;
  const response = await api(valid.method ?? operation.method, pathOf(operation, valid, resource), {
    key,
    body: bodyOf(valid, resource),
    query: queryOf(valid, resource),
    headers: column === "repeatable" ? { "idempotency-key": randomUUID() } : {},
  });
  const statements = sent.slice(before);
  const isRefused = operation.auth === "required" && key === undefined;
  const status = valid.params === undefined ? valid.status : expect.any(Number);
  expect(response.status, `${operation.id}: ${response.text}`).toEqual(isRefused ? 401 : status);
  return statements;
}

/** A key whose first use has been written, with the start of its limit. */
async function freshKey(db: Pool, api: Api): Promise<string> {
  const { id, key } = await makeOrganization(db);
  await api("GET", "/api/me", { key });
  const unused = "SELECT FROM api_keys WHERE organization_id = $1 AND last_used_at IS NULL";
  await expect.poll(async () => (await db.query(unused, [id])).rowCount).toBe(1); // the other key
  return key;
}

async function start(url: string, environment: Record<string, string>): Promise<RunningServer> {
  return startServer(["scripts/start.mjs"], await freePort(), {
    DATABASE_URL: url,
    SERVER_SECRET: randomText(40),
    DISPATCH_INTERVAL_SECONDS: "0",
    VALIDATE_RESPONSES: "1",
    ...environment,
  });
}
