import type { ServerContext } from "@modelcontextprotocol/server";
import { type Arguments, type Tool, variantFor, waitArgument } from "./tool";

const PROGRESS_MS = 5000;

type Request = Pick<ServerContext["mcpReq"], "_meta" | "notify">;

/** Runs a tool. If it waits and the client asked for progress, reports the seconds waited. */
export async function withProgress<Result>(
  tool: Tool,
  args: Arguments,
  { _meta, notify }: Request,
  call: () => Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  const total = waitOf(tool, args);
  if (progressToken === undefined || total === 0) return call();
  const started = performance.now();
  const report = () => {
    const progress = Math.round((performance.now() - started) / 1000);
    const params = { progressToken, progress, total, message: "Waiting." };
    // A client that has disconnected needs no progress.
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
  report();
  const timer = setInterval(report, PROGRESS_MS);
  try {
    return await call();
  } finally {
    clearInterval(timer);
  }
}

/** How many seconds the call may wait. */
export function waitOf(tool: Tool, args: Arguments): number {
  const variant = variantFor(tool, args);
  const name = variant && waitArgument(variant);
  const seconds = name && (args[name] ?? variant.defaults?.[name]);
  return typeof seconds === "number" ? seconds : 0;
}
