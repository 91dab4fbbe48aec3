import { networkOf, networksOf } from "@/lib/platform/addresses";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { clientAddress } from "@/lib/platform/http/address";
import { isAnonymousWrite, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countArrival } from "./arrival-limits";
import type { Limit } from "./fixed-window";
import {
  type Allowance,
  countByNetwork,
  countRecentUse,
  rateLimitFields,
  readUses,
  secondsUntilRoom,
} from "./sliding-window";

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
    : countByNetwork("write", clientAddress(request), limit);
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

/** When the caller may make so many requests, or as many as its limit allows, if it makes none before. */
export async function secondsUntilRequests(
  caller: Caller,
  request: HttpRequest,
  needed: number,
): Promise<number> {
  const { id, limit } = meterOf(caller, request);
  if (caller.kind === "key") return secondsUntilRoom(id, limit, needed);
  const waits = networksOf(clientAddress(request)).map(([network, factor]) =>
    secondsUntilRoom(`write:${network}`, { ...limit, limit: limit.limit * factor }, needed),
  );
  return Math.max(...(await Promise.all(waits)));
}

export function keyLimit(): Limit {
  return { limit: config().callerLimits.key, windowSeconds: MINUTE };
}

export function anonymousWriteLimit(): Limit {
  return { limit: config().callerLimits.anonymousWrites, windowSeconds: MINUTE };
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
    id: `write:${networkOf(clientAddress(request))}`,
    limit: anonymousWriteLimit(),
    counts: "writes without a key from this address",
  };
}
