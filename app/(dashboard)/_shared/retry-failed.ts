import { actor } from "@/app/_shared/act";
import { visitor } from "@/app/_shared/session";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { LIMIT_MAX } from "@/lib/platform/lists/list";
import { messageOperations as messages } from "@/lib/resources/messages/operations";
import { list, type MessageFilter } from "@/lib/resources/messages/service";

/** The maximum number of messages that one form retries. */
export const RETRIED_MAX = 1000;

/** Makes the newest messages that failed for good due again. */
export async function retryFailed(filter: Omit<MessageFilter, "failed">): Promise<void> {
  const { caller } = await visitor();
  const retry = await actor(messages.retry);
  let after: string | undefined;
  for (let found = 0; found < RETRIED_MAX; found += LIMIT_MAX) {
    const { data, next_cursor } = await list(
      caller,
      { limit: LIMIT_MAX, after, status: "failed" },
      { ...filter, failed: "final" },
    );
    await Promise.all(data.map(({ id }) => retry({ params: { id } }).catch(unlessChanged)));
    if (next_cursor === null) return;
    after = next_cursor;
  }
}

/** The message may have been retried, changed or deleted since it was listed. */
function unlessChanged(error: unknown): void {
  const { code } = toApiError(error);
  if (code !== "message_not_retryable" && code !== "resource_not_found") throw error;
}
