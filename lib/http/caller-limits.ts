import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { clientAddress } from "./address";
import { isCreate, type Operation } from "./operation";
import type { HttpRequest } from "./request";
import { countRecentUse, networkOf, rateLimitFields } from "./sliding-window";

const MINUTE = 60;

/**
 * Counts a request against its caller's limit, in public mode: all that a key does, and what is
 * created without one. Gives the fields that tell what is left. Throws 429 `rate_limited`.
 */
export async function countCaller(
  operation: Operation,
  caller: Caller,
  request: HttpRequest,
): Promise<Record<string, string>> {
  const { key, anonymousCreates } = config().callerLimits;
  const allowance =
    caller.kind === "key"
      ? await countRecentUse(`key:${caller.keyId}`, { limit: key, windowSeconds: MINUTE })
      : caller.kind === "anonymous" && isCreate(operation)
        ? await countRecentUse(`create:${networkOf(clientAddress(request))}`, {
            limit: anonymousCreates,
            windowSeconds: MINUTE,
          })
        : undefined;
  return allowance ? rateLimitFields(allowance) : {};
}
