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
import { onStatement } from "../support/sent-statements";
import { freePort, pause, type RunningServer, SERVE, startServer } from "../support/servers";
import { startTcpProxy } from "../support/tcp-proxy";
import { testPool } from "../support/test-pool";

/**
 * How many statements a valid request of the frequent operations sends to the database, BEGIN and COMMIT
 * included. A lower number must be recorded too.
 *
 * | column     | request                                                                          |
 * | ---        | ---                                                                              |
 * | no key     | without a key                                                                    |
 * | key        | with a key that was used before                                                  |
 * | repeatable | with a key and a new `Idempotency-Key`; `-` where that is ignored                 |
 * | public     | with a key, to a server in public mode, which counts the requests of each caller |
 */
const ROUND_TRIPS = grid(`
  operation                no key   key   repeatable   public
  listTasks                0        2     -            3
  createTask               1        1     1            2
  getTask                  1        1     -            2
  updateTask               1        2     -            3
  changeTaskLabels         1        2     6            3
  leaseNextTask            0        2     6            3
  takeTaskLease            1        2     6            3
  completeTask             1        2     6            3

  listArtifacts            0        2     -            3
  createArtifact           1        1     1            2
  getArtifact              1        2     -            3
  updateArtifact           1        2     -            3
  getRawArtifact           1        2     -            3
  getSharedRaw             1        1     -            1

  listWebhooks             0        2     -            3
  createWebhook            1        1     1            2
  getWebhook               1        1     -            2
  listWebhookEvents        2        3     -            4
  getWebhookEvent          2        3     -            4
  captureGet               1        1     -            1
  capturePost              1        1     -            1

  listInboxes              0        2     -            3
  createInbox              1        1     1            2
  getInbox                 1        1     -            2
  ingestInboxEvent         1        1     5            1
  receiveInboxEvents       1        2     6            3
  settleInboxEvents        1        2     6            3
  ackInboxEvent            1        2     6            3
  nackInboxEvent           1        2     6            3
  extendInboxEvent         1        2     6            3
  replyToInboxEvent        1        2     6            3
  readInboxReply           1        1     -            1

  listMessages             0        2     -            3
  createMessage            1        1     1            2
  getMessage               1        2     -            3
  updateMessage            2        3     -            4

  listSchedules            0        2     -            3
  createSchedule           1        1     1            2
  getSchedule              1        2     -            3

  listChanges              0        2     -            3

  getMe                    0        2     -            4
  getHealth                1        1     -            1
  getReadiness             1        1     -            1
  callMcp                  0        1     -            2
`);

/** Documents and the like, which need no database. */
const FREE = `
  getSigningKeys openClaimPage getLiveness getLimits getOpenApi getOpenApiPart getLlmsText
  getLlmsFullText getSkill getSkillsIndex getRobots getSecurityText getClientPackage getDocs getProtectedResource
  getMcpProtectedResource getAuthorizationServer getAuthGuide`;

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
    const proxy = await startTcpProxy(database.url, onStatement(read));
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
/** Of connections, and of the limits and the database's clock now and then. */
const BACKGROUND =
  /^(SET|LISTEN|DELETE FROM usage_windows|SELECT \(extract\(epoch FROM clock_timestamp\(\)\)) /;
const PUBLIC_MODE = {
  BASE_URL: "https://service.example",
  HOST: "127.0.0.1",
  AGENT_AUTH_SECRET: randomText(40),
};

test("Frequent requests and tool calls need exactly the recorded number of round trips, and documents none", async ({
  servers,
}) => {
  const counted: Grid = {};
  for (const [id, expected] of Object.entries(ROUND_TRIPS)) {
    const cells: Record<string, string> = {};
    for (const column of COLUMNS) {
      const isCounted = column !== "repeatable" || operationOf(id).repeatable;
      cells[column] = isCounted
        ? await count(servers, operationOf(id), column, expected[column])
        : "-";
    }
    counted[id] = cells;
  }
  expect(textOf(counted)).toBe(textOf(ROUND_TRIPS));
  for (const id of FREE.trim().split(/\s+/)) {
    expect.soft(await count(servers, operationOf(id), "key", "0"), id).toBe("0");
  }
  await expectToolCalls(servers);
});

/**
 * A tool call sends as many statements as its operation. Where that has the key checked by its own
 * statement, it needs one more: the endpoint reads the key before it knows the tool.
 */
async function expectToolCalls({ local, sent, key }: Servers) {
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
    ["list", { kind: "tasks" }, "listTasks"],
    ["create_task", { name: "New" }, "createTask"],
    ["get", { id: task.id }, "getTask"],
    ["update", { id: task.id, name: "Changed" }, "updateTask"],
    ["complete_task", { id: task.id }, "completeTask"],
    ["get", { id: artifact.id }, "getArtifact"],
    ["finish_work", { id: inbox.id }, "settleInboxEvents"],
  ];
  for (const [name, args, operation] of calls) {
    const isCheckShared = ["createTask", "getTask"].includes(operation);
    const expected = Number(ROUND_TRIPS[operation]?.key) + (isCheckShared ? 1 : 0);
    if ((await counted(name, args)) === expected) continue;
    await quiet(sent);
    expect.soft(await counted(name, args), name).toBe(expected);
  }
}

function operationOf(id: string): Operation {
  const found = everyOperation.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

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
  const key = column === "no key" ? undefined : servers.key;
  const resource = await valid.kind?.({ api, db, key });

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

async function start(url: string, environment: Record<string, string>): Promise<RunningServer> {
  return startServer([SERVE], await freePort(), {
    DATABASE_URL: url,
    SERVER_SECRET: randomText(40),
    DISPATCH_INTERVAL_SECONDS: "0",
    VALIDATE_RESPONSES: "1",
    ...environment,
  });
}
