import type { Caller } from "@/lib/platform/caller";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { LIMIT_MAX } from "@/lib/platform/lists/list";
import { list, type MessageFilter, retry } from "./service";

/** The maximum number of messages that one call retries. */
export const RETRIED_MAX = 1000;

/** Makes the newest messages that failed for good due again. Returns their number. */
export async function retryFailed(
  caller: Caller,
  filter: Omit<MessageFilter, "failed">,
): Promise<number> {
  let retried = 0;
  let after: string | undefined;
  do {
    const found = await list(
      caller,
      { limit: LIMIT_MAX, after, status: "failed" },
      { ...filter, failed: "final" },
    );
    const outcomes = await Promise.all(found.data.map(({ id }) => retryUnlessChanged(caller, id)));
    retried += outcomes.filter(Boolean).length;
    after = found.next_cursor ?? undefined;
  } while (after !== undefined && retried < RETRIED_MAX);
  return retried;
}

/** False if the message has been retried, changed or deleted since it was listed. */
async function retryUnlessChanged(caller: Caller, id: string): Promise<boolean> {
  try {
    await retry(caller, id);
    return true;
  } catch (error) {
    const { code } = toApiError(error);
    if (code === "message_not_retryable" || code === "resource_not_found") return false;
    throw error;
  }
}
