import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { clientAddress } from "./address";
import { countArrival } from "./arrival-limits";
import { isAnonymousWrite, type Operation } from "./operation";
import type { HttpRequest } from "./request";
import { type Allowance, countRecentUse, networkOf, rateLimitFields } from "./sliding-window";

const MINUTE = 60;

/**
 * Counts a request against its caller's limit, in public mode: all that a key does, what is written
 * without one, and what strangers send to one capture or ingest URL. Gives the fields that tell what
 * is left. Throws 429 `rate_limited`.
 */
export async function countCaller(
  operation: Operation,
  caller: Caller,
  request: HttpRequest,
  params: Record<string, string>,
): Promise<Record<string, string>> {
  const allowance = operation.takesArrivals
    ? countArrival(params.id ?? "")
    : await count(operation, caller, request);
  return allowance ? rateLimitFields(allowance) : {};
}

async function count(
  operation: Operation,
  caller: Caller,
  request: HttpRequest,
): Promise<Allowance | undefined> {
  const { key, anonymousWrites } = config().callerLimits;
  if (caller.kind === "key") {
    return countRecentUse(`key:${caller.keyId}`, { limit: key, windowSeconds: MINUTE });
  }
  if (caller.kind !== "anonymous" || !isAnonymousWrite(operation)) return undefined;
  const id = `write:${networkOf(clientAddress(request))}`;
  return countRecentUse(id, { limit: anonymousWrites, windowSeconds: MINUTE });
}
