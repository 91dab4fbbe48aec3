import { execFile } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import {
  copyFile,
  link,
  open,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  truncate,
} from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { OperatorError } from "@/lib/platform/operator-error";
import { isAlive } from "./alive";
import type { Cluster } from "./cluster";
import { spawnAs } from "./user";

/** The size above which `boundLog` moves the log to a second file. */
export const LOG_BYTES_MAX = 10_000_000;
const LOG_TAIL_BYTES = 4000;
const EMPTY_PID_FILE_MS_MAX = 5000;
const FAST_STOP_MS_MAX = 30_000;
const IMMEDIATE_STOP_MS_MAX = 10_000;

/** The main Postgres process as described by `postmaster.pid`. */
interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

export interface StartedPostmaster {
  pid: number;
  ended: () => boolean;
  readLog: () => Promise<string>;
}

/** The postmaster on this data, or null. Removes a stale pid file, even of a reused pid. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const file = path.join(cluster.dir, "postmaster.pid");
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (pid > 0) {
    if (await isPostmaster(pid, cluster.dir)) {
      return { pid, port: Number(lines[3]), ready: lines[7] === "ready" };
    }
  } else {
    // Postgres creates the file and then fills it; only after a crash does it stay empty.
    const written = await stat(file).catch(() => null);
    if (!written) return findPostmaster(cluster);
    if (Date.now() - written.mtimeMs < EMPTY_PID_FILE_MS_MAX) return { pid, port: 0, ready: false };
  }
  await removePidFile(file, text);
  return null;
}

/** Starts Postgres on loopback, in a process group of its own, which Ctrl-C does not reach. */
export async function startPostmaster(cluster: Cluster, port: number): Promise<StartedPostmaster> {
  const { logFile } = cluster;
  await boundLog(cluster);
  const logStart = await logSize(cluster);
  const log = openSync(logFile, "a", 0o600);
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 200,
    timezone: "UTC",
    log_timezone: "UTC",
  };
  const child = spawnAs(
    cluster.user,
    [
      cluster.binaries.postgres,
      "-D",
      cluster.dir,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  let ended = false;
  let spawnError = "";
  child.once("exit", () => {
    ended = true;
  });
  child.once("error", (error) => {
    spawnError = error.message;
    ended = true;
  });
  child.unref();
  return {
    pid: child.pid ?? 0,
    ended: () => ended,
    readLog: async () => spawnError || (await readTail(logFile, logStart)),
  };
}

/** Moves a log that is too large to a second file. Safe while Postgres writes the log, since it appends. */
export async function boundLog(cluster: Pick<Cluster, "logFile">): Promise<void> {
  if ((await logSize(cluster)) <= LOG_BYTES_MAX) return;
  const { logFile } = cluster;
  // A full disk has no room for the copy, and needs the space.
  await copyFile(logFile, `${logFile}.1`).catch(() => {});
  await truncate(logFile);
}

async function logSize({ logFile }: Pick<Cluster, "logFile">): Promise<number> {
  return (await stat(logFile).catch(() => null))?.size ?? 0;
}

/** Shuts down the Postgres on this data (fast, then immediate) and waits until it has exited. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const stops = [
    { signal: "SIGINT", waitMs: FAST_STOP_MS_MAX },
    { signal: "SIGQUIT", waitMs: IMMEDIATE_STOP_MS_MAX },
  ] as const;
  for (const { signal, waitMs } of stops) {
    const postmaster = await findPostmaster(cluster);
    if (!postmaster) return;
    if (postmaster.pid > 0) sendSignal(postmaster.pid, signal);
    for (
      const deadline = performance.now() + waitMs;
      performance.now() < deadline;
      await pause(20)
    ) {
      if (!(await isAlive(postmaster.pid))) return;
    }
  }
  throw new OperatorError(
    `Postgres on ${cluster.dir} does not stop: check ${cluster.logFile} and stop it by hand.`,
  );
}

async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform !== "linux") {
    const { stdout } = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(
      () => ({ stdout: "" }),
    );
    return stdout.includes("postgres");
  }
  // The working directory is reliable, but hidden in a container without CAP_SYS_PTRACE; then use
  // the arguments.
  const workingDir = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  const args = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  if (!args.some((arg) => path.basename(arg).startsWith("postgres"))) return false;
  const dir = workingDir ?? args[args.indexOf("-D") + 1] ?? "";
  return isSameFolder(dir, clusterDir);
}

async function isSameFolder(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((dir) => stat(dir).catch(() => null)));
  if (!first || !second) return false;
  return first.ino === second.ino && first.dev === second.dev;
}

/**
 * A concurrent start may have replaced the file since it was read, so it is renamed first and put
 * back if its content differs.
 */
async function removePidFile(file: string, judged: string): Promise<void> {
  const taken = `${file}.${process.pid}`;
  try {
    await rename(file, taken);
  } catch {
    return;
  }
  if ((await readFile(taken, "utf8")) !== judged) await link(taken, file).catch(() => {});
  await rm(taken);
}

function sendSignal(pid: number, signal: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // already exited
  }
}

async function readTail(logFile: string, start: number): Promise<string> {
  const file = await open(logFile, "r").catch(() => null);
  if (!file) return "";
  try {
    const { size } = await file.stat();
    const from = Math.max(start, size - LOG_TAIL_BYTES);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(LOG_TAIL_BYTES), { position: from });
    return buffer.toString("utf8", 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}
