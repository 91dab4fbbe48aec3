import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import path from "node:path";
import { pause } from "../pause.js";
import { CliError } from "./failure.js";

/** The credentials that `login` stores for one server. */
export interface Stored {
  api_key?: string;
  oauth?: Grant;
}

/** A sign-in in the browser. */
export interface Grant {
  token_endpoint: string;
  revocation_endpoint?: string;
  access_token: string;
  refresh_token?: string;
  /** Unix seconds. */
  expires_at: number;
}

interface Config {
  /** The base URL of the last login. */
  current?: string;
  /** The credentials by base URL. */
  servers: Record<string, Stored>;
  /** The leases that `tasks next` has taken, by task, newest last. */
  leases: Record<string, string>;
}

export function configFile(): string {
  const { XDG_CONFIG_HOME: given } = process.env;
  // The XDG specification says to ignore relative paths.
  const folder = given && path.isAbsolute(given) ? given : path.join(homedir(), ".config");
  return path.join(folder, "agent-infra", "config.json");
}

/** The stored configuration; empty if there is none. */
export async function readConfig(): Promise<Config> {
  const file = configFile();
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new CliError("failure", `Cannot read ${file}: ${error.message}`, { cause: error });
  });
  try {
    const { current, servers = {}, leases = {} }: Partial<Config> = JSON.parse(text);
    return { ...(current !== undefined && { current }), servers, leases };
  } catch (cause) {
    throw new CliError("failure", `${file} is not valid JSON. Delete it and log in again.`, {
      cause,
    });
  }
}

/** How long a process waits for another that holds the lock and may be alive. */
const LOCK_MS_MAX = 30_000;

/**
 * Changes the configuration under a lock, so that two processes never spend the same refresh token.
 * Only its owner may read the file.
 */
export async function changeConfig<Result>(
  change: (config: Config) => Promise<Result> | Result,
): Promise<Result> {
  const file = configFile();
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.locked`;
  const holder = await takeLock(lock);
  try {
    const config = await readConfig();
    const result = await change(config);
    await replaceFile(file, `${JSON.stringify(config, null, 2)}\n`);
    return result;
  } finally {
    await free(lock, holder);
  }
}

/**
 * Waits for the lock, a folder, and returns the name of the folder in it that holds it. Only an empty
 * folder can be replaced, and each holder has its own name: removing that of a killed process never
 * frees the lock of the next.
 */
async function takeLock(lock: string): Promise<string> {
  let seen = { holder: "", since: performance.now() };
  for (;;) {
    const name = `${process.pid}@${hostname()}@${randomUUID()}`;
    const draft = `${lock}-${name}`;
    await mkdir(path.join(draft, name), { recursive: true });
    try {
      await rename(draft, lock);
      return name;
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      const { code = "" } = error as NodeJS.ErrnoException;
      const isHeld = ["ENOTEMPTY", "EEXIST", "EPERM"].includes(code);
      // By then it seems that nobody can end the lock.
      if (!isHeld || performance.now() - seen.since > 2 * LOCK_MS_MAX) throw error;
    }
    const [holder = ""] = await readdir(lock).catch(() => []);
    if (holder !== seen.holder) seen = { holder, since: performance.now() };
    // By this process's own time: a clock may be set, and both may have slept.
    const hangs = performance.now() - seen.since > LOCK_MS_MAX;
    if (holder === "" || hangs || wasKilled(holder)) await free(lock, holder);
    await pause(50);
  }
}

/** Ends this hold, and no other. */
async function free(lock: string, holder: string): Promise<void> {
  for (const folder of [path.join(lock, holder), lock]) await rmdir(folder).catch(() => {});
}

/** Whether the process that holds the lock was killed, as far as this host knows. */
function wasKilled(holder: string): boolean {
  const [pid, host] = holder.split("@");
  if (host !== hostname()) return false;
  try {
    return !process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Other processes see the old file or the new one, never a part of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: "wx", mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const LEASES_MAX = 100;

/** Keeps the lease of a task for `tasks done`. The newest replace the oldest. */
export async function rememberLease(taskId: string, leaseId: string): Promise<void> {
  await changeConfig((config) => {
    const others = Object.entries(config.leases).filter(([id]) => id !== taskId);
    const kept = [...others, [taskId, leaseId]].slice(-LEASES_MAX);
    config.leases = Object.fromEntries(kept);
  });
}

export async function rememberedLease(taskId: string): Promise<string | undefined> {
  return (await readConfig()).leases[taskId];
}

export async function forgetLease(taskId: string): Promise<void> {
  if ((await rememberedLease(taskId)) === undefined) return;
  await changeConfig(({ leases }) => {
    delete leases[taskId];
  });
}
