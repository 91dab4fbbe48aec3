import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expectError, expectStatus } from "../support/expectations";
import { expect, QUIET, test } from "../support/fault-fixtures";
import { insertMessages } from "../support/messages";
import { samplesOf, waitingRequests } from "../support/metrics";
import { openRaw, type RawSocket } from "../support/raw-sockets";
import { onStatement } from "../support/sent-statements";
import {
  childrenOf,
  cpuMilliseconds,
  isRunning,
  pause,
  postmasterPid,
  processesOf,
} from "../support/servers";
import { arrivals } from "../support/target";

/** A server with several processes, and their ends. */

/** Standard output, standard error and the channel to the leader. */
const SOCKETS_AT_REST = 3;

/** The time between two rounds of the server's own dispatch. */
const IDLE_MS = 5000;

const TWO = { WEB_CONCURRENCY: "2" };

test("Two processes share the port, the database connections and the limits on deliveries", async ({
  db,
  start,
  startTarget,
}) => {
  const limits = { DATABASE_POOL_SIZE: "9", DELIVERIES_PER_HOST_MAX: "5" };
  const server = await start({ ...TWO, ...QUIET, ...limits });
  await expect.poll(() => processesOf(server).length).toBe(2);
  await expect.poll(server.output).toContain("2 processes");

  const connections: RawSocket[] = [];
  const fewestSockets = () => {
    // A busy process takes fewer.
    connections.push(...Array.from({ length: 20 }, () => openRaw(server.baseUrl, "GET /")));
    return Math.min(...processesOf(server).map(socketsOf));
  };
  await expect.poll(fewestSockets).toBeGreaterThan(20);
  for (const { socket } of connections) socket.destroy();

  const target = await startTarget((response) => void setTimeout(() => response.end("ok"), 20));
  await insertMessages(db, { url: target.url, count: 60 });
  const responses = await Promise.all([
    ...Array.from({ length: 8 }, () => server.api("POST", "/api/messages/dispatch")),
    ...Array.from({ length: 100 }, () => server.api("POST", "/api/tasks", { body: { name: "x" } })),
  ]);
  for (const response of responses) expect(response.status).toBeLessThan(300);
  expect([...arrivals(target.received).values()]).toEqual(Array(60).fill(1));
  expect(target.atOnce).toBe(5);
  // Besides the pools, each of the two has a connection for health checks and one for news. A
  // replaced connection may take a moment to end.
  const open = async () => {
    const { rows } = await db.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'agent-infrastructure%'`,
    );
    return rows[0]?.open;
  };
  await expect.poll(open).toBeLessThanOrEqual(9 + 2 * 2);
});

test("A dispatch during which the leader loses its connection to the database is 503, not 500", async ({
  databaseUrl,
  start,
  startTcpProxy,
}) => {
  // Cut off without an error of Postgres, as when its machine fails.
  const cut = onStatement((text, _, client) => {
    if (text.includes("SET last_dispatch_at")) client.destroy();
  });
  const proxy = await startTcpProxy(databaseUrl, cut);
  const { api } = await start({ ...TWO, ...QUIET, DATABASE_URL: proxy.url });
  expectError(await api("POST", "/api/messages/dispatch"), 503, "service_unavailable");
});

test("An idle server with Postgres uses under 1% of a core; killed processes are replaced, acknowledged writes and counters are kept, and SIGTERM stops all", async ({
  readyDataDir,
  start,
}) => {
  const server = await start({ ...TWO, DATA_DIR: readyDataDir });
  await expect.poll(() => processesOf(server).length).toBe(2);
  const postgres = postmasterPid(readyDataDir) ?? 0;
  const computed = () =>
    [...new Set([server.pid, postgres].flatMap((pid) => [pid, ...childrenOf(pid)]))]
      .map((pid) => cpuMilliseconds(pid))
      .reduce((sum, milliseconds) => sum + milliseconds, 0);
  const share = async () => {
    const before = computed();
    await pause(IDLE_MS);
    return (computed() - before) / IDLE_MS;
  };
  // Soon after its start a process collects its garbage.
  await expect.poll(share, { intervals: [0] }).toBeLessThan(0.01);

  const unknown = async () => {
    const { text } = await server.api("GET", "/metrics");
    return samplesOf(text).get('http_requests_total{operation="getTask",status="404"}');
  };
  for (let n = 0; n < 8; n += 1) await server.api("GET", "/api/tasks/tsk_of_nobody");
  await expect.poll(unknown).toBe(8);
  const acknowledged: string[] = [];
  let over = false;
  const write = async () => {
    while (!over) {
      const response = await server
        .api("POST", "/api/tasks", { body: { name: "x" } })
        .catch(() => null);
      // The killed process ends its connections.
      if (response) expectStatus(response, 201);
      if (response) acknowledged.push(response.body.id);
      await pause(20);
    }
  };
  const writers = Array.from({ length: 8 }, write);
  const killed = processesOf(server);
  for (const pid of killed) {
    const written = acknowledged.length + 20;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(written);
    process.kill(pid, "SIGKILL");
    await expect.poll(server.output).toContain(`process ${pid} was ended by SIGKILL`);
    const serving = () => processesOf(server).filter((one) => socketsOf(one) > SOCKETS_AT_REST);
    await expect.poll(() => serving().filter((one) => one !== pid).length).toBe(2);
  }
  over = true;
  await Promise.all(writers);
  expect(await unknown()).toBe(8);
  for (const id of acknowledged) expectStatus(await server.api("GET", `/api/tasks/${id}`), 200);

  const processes = processesOf(server);
  server.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(processes.filter(isRunning)).toEqual([]);
  expect(server.output().match(/is ready at/g)).toHaveLength(1);
});

test("A process told to stop finishes its requests and is replaced; without the leader all end", async ({
  start,
}) => {
  const server = await start(TWO);
  await expect.poll(() => processesOf(server).length).toBe(2);
  const [stopped = 0] = processesOf(server);
  const { body: inbox } = await server.api("POST", "/api/inboxes", { body: { name: "Empty" } });
  const polls = Array.from({ length: 4 }, () =>
    server.api("POST", `/api/inboxes/${inbox.id}/events/receive`, { body: { wait_seconds: 20 } }),
  );
  await expect.poll(() => waitingRequests(server.api, "poll"), { intervals: [50] }).toBe(4);
  process.kill(stopped, "SIGTERM");
  await expect.poll(server.output).toContain(`process ${stopped} ended with code 0`);
  for (const _ of polls) {
    const event = await server.api("POST", `/api/inboxes/${inbox.id}/events`, { raw: "x" });
    expectStatus(event, 201);
  }
  for (const response of await Promise.all(polls)) expectStatus(response, 200);
  await expect.poll(() => processesOf(server).filter((pid) => pid !== stopped).length).toBe(2);

  const processes = processesOf(server);
  server.kill("SIGKILL");
  await server.exited;
  await expect.poll(() => processes.filter((pid) => socketsOf(pid) > 0)).toEqual([]);
});

test("A server whose processes cannot start exits, failing", async ({ folder, launch, start }) => {
  const CRASH_FILE = path.join(folder, "crash");
  const environment = {
    ...TWO,
    NODE_OPTIONS: "--import=./tests/support/crash-on-demand.mjs",
    CRASH_FILE,
  };
  const server = await start(environment);
  const other = await launch(environment, Number(new URL(server.baseUrl).port));
  expect(await other.exited).toEqual({ code: 1, signal: null });
  await expect.poll(() => other.output()).toContain("PORT: ");
  expect(other.output()).not.toMatch(/^\s+at /m);

  await expect.poll(() => processesOf(server).length).toBe(2);
  writeFileSync(CRASH_FILE, "");
  process.kill(processesOf(server)[0] ?? 0, "SIGKILL");
  expect(await server.exited).toEqual({ code: 1, signal: null });
  await expect.poll(() => server.output()).toContain("its processes cannot start");
});

/** Zero when the process has ended. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const files = isRunning(pid) ? readdirSync(folder) : [];
  return files.filter((file) => linkOf(`${folder}/${file}`).startsWith("socket:")).length;
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return ""; // closed by now
  }
}
