import { config } from "@/lib/platform/config/config";
import { type LoggedRequest, logRequest } from "./log";
import { metrics } from "./metrics";

/** Operations that monitoring calls every few seconds, and static files of pages. */
const ROUTINE = ["getHealth", "getLiveness", "getReadiness", "getMetrics", "file"];

const counted = new Set<string>();

/**
 * Counts and logs a request that got a response. `waited` marks a long poll or stream. The response does
 * not wait for it, except on Vercel, which suspends the process afterwards.
 */
export function recordRequest(request: LoggedRequest, { waited = false } = {}): void {
  if (config().onVercel) record(request, waited);
  else setImmediate(record, request, waited);
}

function record(request: LoggedRequest, waited: boolean) {
  const { status, ms } = request;
  const operation = request.operation ?? "none";
  const { requests, requestSeconds } = metrics();
  // Prometheus sees no increase in a counter that appears, so the first failure needs a 0 before it.
  if (!counted.has(operation)) requests.inc({ operation, status: 500 }, 0);
  counted.add(operation);
  requests.inc({ operation, status });
  if (!waited) requestSeconds.observe({ operation }, ms / 1000);
  logRequest({ ...request, ms: Math.round(ms) }, levelOf(status, operation));
}

function levelOf(status: number, operation: string) {
  if (status === 500) return "error";
  if (status > 500) return "warn";
  return ROUTINE.includes(operation) ? "debug" : "info";
}
