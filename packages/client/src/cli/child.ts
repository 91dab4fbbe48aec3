import { type ChildProcess, spawn } from "node:child_process";
import { pause } from "../pause.js";

interface ChildOptions {
  input: Uint8Array;
  /** Added to ours. What is undefined is left out. */
  environment: Record<string, string | undefined>;
  /** Where its standard output goes: to ours, or to our standard error. */
  stdout: "stdout" | "stderr";
  /** Ends it with SIGTERM, and with SIGKILL after a while. */
  signal: AbortSignal;
}

interface ChildResult {
  exit_code: number | null;
  /** Why it failed; null if its exit code was 0 and nothing ended it. */
  error: string | null;
  /** True if the command could not be started at all. */
  unusable: boolean;
}

/** Why no try can start a command. */
const UNUSABLE = ["ENOENT", "ENOTDIR", "EACCES", "ERR_INVALID_ARG_VALUE"];
const KILL_MS = 2000;
const CHECK_MS = 50;

/** Kills the commands that are running, which are not to outlive this process. */
const kills = new Set<() => void>();
process.on("exit", () => {
  for (const kill of kills) kill();
});

/**
 * Runs a command with bytes on its standard input. It has a process group of its own, so Ctrl-C in
 * a terminal reaches us and not the child. Never rejects.
 */
export function runChild(
  [command = "", ...args]: string[],
  { input, environment, stdout, signal }: ChildOptions,
): Promise<ChildResult> {
  return new Promise((resolve) => {
    const unstarted = ({ code = "", message }: NodeJS.ErrnoException): ChildResult => {
      const reason = code === "ENOENT" ? "there is no such command" : message;
      return {
        exit_code: null,
        error: `${command}: ${reason}`,
        unusable: UNUSABLE.includes(code),
      };
    };
    let child: ChildProcess;
    try {
      child = spawn(command, args, {
        detached: process.platform !== "win32",
        env: { ...process.env, ...environment },
        stdio: ["pipe", stdout === "stdout" ? "inherit" : process.stderr.fd, "inherit"],
      });
    } catch (error) {
      return resolve(unstarted(error as NodeJS.ErrnoException));
    }
    /** Signals the process and those that it started. False if all have ended. */
    const kill = (name: NodeJS.Signals | 0) => {
      try {
        return process.kill(
          process.platform === "win32" ? (child.pid ?? 0) : -(child.pid ?? 0),
          name,
        );
      } catch {
        return false;
      }
    };
    const killNow = () => kill("SIGKILL");
    // Without an ID the signal would go to our own group.
    if (child.pid !== undefined) kills.add(killNow);
    let forced: NodeJS.Timeout | undefined;
    let isKilled = false;
    const end = () => {
      if (child.pid === undefined) return;
      kill("SIGTERM");
      forced = setTimeout(() => {
        isKilled = true;
        killNow();
      }, KILL_MS);
    };
    const settle = (result: ChildResult) => {
      signal.removeEventListener("abort", end);
      clearTimeout(forced);
      kills.delete(killNow);
      resolve(result);
    };
    child.on("error", (error) => settle(unstarted(error)));
    child.on("exit", async (exit_code, name) => {
      // Its descendants get the same time to exit.
      while (forced && !isKilled && kill(0)) await pause(CHECK_MS);
      // Many exit with 0 after SIGTERM, although their work is not done.
      const wasEnded = name ?? (forced && exit_code === 0 ? "SIGTERM" : null);
      const reason = wasEnded === null ? `exit code ${exit_code}` : `ended by ${wasEnded}`;
      const error = exit_code === 0 && !forced ? null : `${command}: ${reason}`;
      settle({ exit_code, error, unusable: false });
    });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
    // A command may end without reading its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
