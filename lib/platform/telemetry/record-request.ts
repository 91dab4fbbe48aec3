import { type LoggedRequest, logRequest } from "./log";
import { metrics } from "./metrics";

/** Operations that monitoring calls every few seconds, and static files of pages. */
const ROUTINE = ["getHealth", "getLiveness", "getReadiness", "getMetrics", "file"];

/**
 * Counts and logs a request that got a response. `waited` marks a long poll or stream. This is done
 * after the turn of the event loop, so that the response need not wait for it.
 */
export function recordRequest(request: LoggedRequest, { waited = false } = {}): void {
  setImmediate(record, request, waited);
}

function record(request: LoggedRequest, waited: boolean) {
  const { status, ms } = request;
  const operation = request.operation ?? "none";
  const { requests, requestSeconds } = metrics();
  requests.inc({ operation, status });
  if (!waited) requestSeconds.observe({ operation }, ms / 1000);
  logRequest({ ...request, ms: Math.round(ms) }, levelOf(status, operation));
}

function levelOf(status: number, operation: string) {
  if (status === 500) return "error";
  if (status > 500) return "warn";
  return ROUTINE.includes(operation) ? "debug" : "info";
}
