import { networkOf } from "@/lib/platform/addresses";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { rateLimitFields } from "@/lib/platform/errors";
import { isAnonymousWrite, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { countArrival } from "./arrival-limits";
import type { Limit } from "./fixed-window";
import { type Allowance, countByNetwork, countRecentUse, readUses } from "./sliding-window";

const MINUTE = 60;

/**
 * Counts a request against its caller's limit, in public mode: all requests with a key, writes
 * without one, and arrivals at a capture or ingest URL. Returns the rate limit headers. Throws 429
 * `rate_limited`.
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
  if (caller.kind === "anonymous" && !isAnonymousWrite(operation)) return undefined;
  const { id, limit } = meterOf(caller, request);
  return caller.kind === "key"
    ? countRecentUse(id, limit)
    : countByNetwork("write", countedAddress(request), limit);
}

/** A caller's remaining limits; empty when unlimited. */
export async function remainingLimits(caller: Caller, request: HttpRequest) {
  if (config().localMode) return [];
  const { id, limit, counts } = meterOf(caller, request);
  const { remaining, resetSeconds } = await readUses(id, limit);
  return [
    {
      counts,
      limit: limit.limit,
      window_seconds: limit.windowSeconds,
      remaining,
      resets_in_seconds: resetSeconds,
    },
  ];
}

export function keyLimit(): Limit {
  return { limit: config().callerLimits.key, windowSeconds: MINUTE, policy: "default" };
}

export function anonymousWriteLimit(): Limit {
  return { limit: config().callerLimits.anonymousWrites, windowSeconds: MINUTE, policy: "default" };
}

/** The counter of a caller's requests. */
function meterOf(caller: Caller, request: HttpRequest) {
  if (caller.kind === "key") {
    return {
      id: `key:${caller.meter ?? caller.keyId}`,
      limit: keyLimit(),
      counts: "requests with this key",
    };
  }
  return {
    id: `write:${networkOf(countedAddress(request))}`,
    limit: anonymousWriteLimit(),
    counts: "writes without a key from this address",
  };
}
