import { actor } from "@/app/_shared/act";
import { requireAccount } from "@/app/_shared/session";
import { toApiError } from "@/lib/platform/http/error-envelope";
import type { Operation } from "@/lib/platform/http/operation";
import { LIMIT_MAX } from "@/lib/platform/lists/list";
import { messageOperations as messages } from "@/lib/resources/messages/operations";
import { list, type MessageFilter } from "@/lib/resources/messages/service";

/** The maximum number of messages that one form retries or stops. */
export const RETRIED_MAX = 1000;

type Filter = Omit<MessageFilter, "failed">;

/** Makes the newest messages that failed for good due again. */
export function retryFailed(filter: Filter): Promise<void> {
  return moveEach(messages.retry, { ...filter, failed: "final" });
}

/** Cancels the newest messages that failed and would be retried. */
export function cancelRetrying(filter: Filter): Promise<void> {
  return moveEach(messages.cancel, { ...filter, failed: "retrying" });
}

async function moveEach(operation: Operation, filter: MessageFilter): Promise<void> {
  const { caller } = await requireAccount();
  const move = await actor(operation);
  let after: string | undefined;
  for (let found = 0; found < RETRIED_MAX; found += LIMIT_MAX) {
    const { data, next_cursor } = await list(
      caller,
      { limit: LIMIT_MAX, after, status: "failed" },
      filter,
    );
    await Promise.all(data.map(({ id }) => move({ params: { id } }).catch(unlessChanged)));
    if (next_cursor === null) return;
    after = next_cursor;
  }
}

const CHANGED = ["message_not_retryable", "message_not_cancelable", "resource_not_found"];

/** The message may have been sent, changed or deleted since it was listed. */
function unlessChanged(error: unknown): void {
  if (!CHANGED.includes(toApiError(error).code)) throw error;
}
