import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import { recentOutcomes } from "@/lib/resources/webhooks/forward/outcomes";
import * as forwards from "@/lib/resources/webhooks/forward/service";
import * as verifications from "@/lib/resources/webhooks/verification/service";

/** How an endpoint's events are verified and forwarded; null for each that is off. */
export async function readFlow(caller: Caller, id: string) {
  const [verification, forward, outcomes] = await Promise.all([
    orNull(verifications.get(caller, id)),
    orNull(forwards.get(caller, id)),
    recentOutcomes(caller, id),
  ]);
  return { verification, forward, outcomes };
}

async function orNull<Setting>(setting: Promise<Setting>): Promise<Setting | null> {
  try {
    return await setting;
  } catch (error) {
    if (error instanceof ApiError && error.code === "resource_not_found") return null;
    throw error;
  }
}
