import { inspect } from "node:util";
import { config } from "@/lib/platform/config/config";
import { oncePerProcess } from "@/lib/platform/process";

/** The values of `LOG_LEVEL`. Each level also logs those after it. */
const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** Lines logged within this many milliseconds share a write. */
const FLUSH_MS = 20;

type Level = Exclude<(typeof LEVELS)[number], "silent">;

/** A request that got a response, with only what the contract declares: IDs may grant access. */
export interface LoggedRequest {
  /** The operation's ID, a tool's name, or the page's route; null if there is none. */
  operation: string | null;
  method: string;
  path: string | null;
  status: number;
  ms: number;
  request_id: string;
  key_id?: string | null;
  address?: string | null;
  traceparent?: string | undefined;
}

/** Logs a request on standard output: a line of JSON, or a readable one on a terminal. */
export function logRequest(request: LoggedRequest, level: Level): void {
  if (!isLogged(level)) return;
  const { method, path, operation, status, ms, request_id } = request;
  write(
    "stdout",
    process.stdout.isTTY
      ? `${clock()} ${method} ${path ?? "unknown path"} ${status} ${ms} ms${path === operation ? "" : ` ${operation}`} ${request_id}`
      : JSON.stringify({ time: new Date().toISOString(), level, ...request }),
    level === "error",
  );
}

/** Logs a message for the operator on standard error, with the error behind it. */
export function logError(message: string, error?: unknown, requestId?: string): void {
  logMessage("error", message, error, requestId);
}

/** Logs something that needs attention but is not a failure of this service. */
export function logWarning(message: string): void {
  logMessage("warn", message);
}

function logMessage(level: Level, message: string, error?: unknown, requestId?: string) {
  if (!isLogged(level)) return;
  const cause = error === undefined ? undefined : inspect(error);
  write(
    "stderr",
    process.stderr.isTTY
      ? [clock(), requestId, message, cause].filter(Boolean).join(" ")
      : JSON.stringify({
          time: new Date().toISOString(),
          level,
          message,
          error: cause,
          request_id: requestId,
        }),
    true,
  );
}

function isLogged(level: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(config().logLevel);
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}

/** Failures are written at the end of this turn of the event loop, since the process may not live on. */
function write(stream: "stdout" | "stderr", line: string, isFailure: boolean) {
  const pending = oncePerProcess("log.pending", () => {
    process.once("exit", flush);
    return { stdout: "", stderr: "" };
  });
  const isPlanned = pending.stdout + pending.stderr !== "";
  pending[stream] += `${line}\n`;
  // Vercel suspends the process after a response.
  if (isFailure || config().onVercel) setImmediate(flush);
  else if (!isPlanned) setTimeout(flush, FLUSH_MS).unref();

  function flush() {
    for (const name of ["stdout", "stderr"] as const) {
      const lines = pending[name];
      pending[name] = "";
      if (lines !== "") process[name].write(lines);
    }
  }
}
