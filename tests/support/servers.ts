import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { type Api, apiOf } from "./http";

export const ROOT = path.resolve(import.meta.dirname, "../..");
/** What the servers of a run print, each line after the port of its server in brackets. */
export const LOG = path.join(ROOT, "test-results/server.log");
/** Starts a server as `npm start` does, with the build of the global set-up. */
export const SERVE = "tests/support/serve.mjs";

export interface RunningServer {
  baseUrl: string;
  api: Api;
  pid: number;
  /** Resolves when the process has exited. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** The output so far. */
  output(): string;
  /** Stops reading the output, as when a log collector dies. */
  closeOutput(): void;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL after 30 seconds. */
  stop(): Promise<void>;
}

/**
 * Starts `node …argv` with only this environment and waits until `/api/health` answers 200. Throws
 * with the output when the process exits first.
 */
export async function startServer(
  argv: string[],
  port: number,
  environment: Record<string, string>,
) {
  const server = launchServer(argv, port, environment);
  await waitUntilHealthy(server);
  return server;
}

/** One process on any machine, since many tests observe it; no proxy needs time to notice its end. */
const QUICK = { WEB_CONCURRENCY: "1", SHUTDOWN_DELAY_SECONDS: "0", LOG_LEVEL: "warn" };

/** Starts without waiting, for tests of the start itself. */
export function launchServer(
  argv: string[],
  port: number,
  environment: Record<string, string>,
  options: { cwd?: string; uid?: number } = {},
): RunningServer {
  fs.mkdirSync(path.dirname(LOG), { recursive: true });
  const child = spawn(process.execPath, argv, {
    cwd: ROOT,
    ...options,
    env: { ...plainEnvironment(), ...QUICK, PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const baseUrl = `http://localhost:${port}`;
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const output = collectOutput(child, port);
  return {
    baseUrl,
    api: apiOf(baseUrl),
    pid: child.pid ?? 0,
    exited,
    output,
    closeOutput() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    kill: (signal) => void child.kill(signal),
    stop: () => stopChild(child, exited),
  };
}

export async function waitUntilHealthy(server: RunningServer, timeoutMs = 120_000) {
  const deadline = Date.now() + timeoutMs;
  let ended = false;
  void server.exited.then(() => {
    ended = true;
  });
  for (;;) {
    const status = await server.api("GET", "/api/health").then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (ended) throw new Error(`The server exited before it was healthy:\n${server.output()}`);
    if (Date.now() > deadline)
      throw new Error(`The server was not healthy in time:\n${server.output()}`);
    await pause(100);
  }
}

export function pause(milliseconds: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
}

const givenPorts = new Set<number>();

/**
 * A port that was free a moment ago, and that no other worker or call gets. It is below the ports that
 * systems give to outgoing connections, which could take it before the server does.
 */
export async function freePort(): Promise<number> {
  const worker = (1 + Number(process.env.TEST_PARALLEL_INDEX ?? -1)) % WORKERS_MAX;
  for (;;) {
    const port = 10_000 + worker + WORKERS_MAX * randomInt(0, 22_000 / WORKERS_MAX);
    if (givenPorts.has(port) || !(await isFree(port))) continue;
    givenPorts.add(port);
    return port;
  }
}

/** Playwright numbers its workers from 0; the global set-up is none of them. */
const WORKERS_MAX = 20;

function isFree(port: number) {
  return new Promise<boolean>((resolve) => {
    const probe = net.createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A new folder that other users may enter: as root, Postgres runs as another user. */
export function makeTemporaryFolder() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "agent-infrastructure-test-"));
  fs.chmodSync(folder, 0o755);
  return folder;
}

/** Removes a folder of gigabytes, for which nobody should wait. */
export function removeLater(folder: string) {
  spawn("rm", ["-rf", folder], { detached: true, stdio: "ignore" }).unref();
}

/** A user's shell environment, without our DATABASE_URL or the test runner's hooks, and no `.env`. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const names = ["PATH", "HOME", "USER", "LANG", "TMPDIR", "TZ"];
  // Next's types require NODE_ENV, which is not set in a user's shell.
  const entries = names.map((name) => [name, process.env[name]]);
  return Object.fromEntries([...entries, ["ENV_FILE", "/dev/null"]]) as NodeJS.ProcessEnv;
}

/** The process ID in the `postmaster.pid` of Postgres's folder, if there is one. */
export function postmasterPid(dataDir: string, folder = "postgres"): number | undefined {
  try {
    const text = fs.readFileSync(path.join(dataDir, folder, "postmaster.pid"), "utf8");
    return Number(text.split("\n")[0]);
  } catch {
    return undefined;
  }
}

/** Kills the Postgres that a killed server left behind, and waits until it has exited. */
export async function endPostgres(dataDir: string) {
  const pid = postmasterPid(dataDir);
  if (pid === undefined || !isRunning(pid)) return;
  process.kill(pid, "SIGQUIT");
  while (isRunning(pid)) await pause(50);
}

/** Whether a process is running. One that has ended stays in the table until its parent, or init, has noticed. */
export function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
    return !(fs.existsSync("/proc") && /\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1")));
  } catch {
    return false;
  }
}

/** The processes that serve requests, where a server has several. */
export function processesOf(server: RunningServer): number[] {
  return childrenOf(server.pid).filter((pid) => /\b(start|serve)\.mjs/.test(argumentsOf(pid)));
}

/** Reads Linux's /proc. */
export function childrenOf(pid: number): number[] {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function argumentsOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has ended
  }
}

/**
 * CPU time of a process, or of its first thread, which runs the event loop. Linux counts hundredths of
 * a second. Unlike elapsed time it does not depend on the machine's other processes.
 */
export function cpuMilliseconds(pid: number, { eventLoop = false } = {}): number {
  const fields = fs
    .readFileSync(eventLoop ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Reads Linux's /proc. */
export function residentMegabytes(pid: number) {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000);
}

function collectOutput(child: ChildProcess, port: number) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-20_000);
      fs.appendFileSync(LOG, chunk.replace(/^(?=.)/gm, `[${port}] `));
    });
  }
  return () => text;
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>) {
  child.kill("SIGTERM");
  const forced = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await exited;
  clearTimeout(forced);
}
