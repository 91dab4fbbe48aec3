import { actor } from "@/app/_shared/act";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { requireAccount } from "@/app/_shared/session";
import { toApiError } from "@/lib/platform/http/error-envelope";
import type { Operation } from "@/lib/platform/http/operation";
import { LIMIT_MAX } from "@/lib/platform/lists/list";
import { messageOperations as messages } from "@/lib/resources/messages/operations";
import { list, type MessageFilter } from "@/lib/resources/messages/service";
import { inTens } from "./in-tens";
import { RETRIED_MAX } from "./retried-max";

type Filter = Omit<MessageFilter, "failed">;

/** Makes the newest permanently failed messages due again, and returns their number. */
export function retryFailed(filter: Filter): Promise<number> {
  return moveEach(messages.retry, { ...filter, failed: "final" });
}

/** Cancels the newest messages that failed and would be retried, and returns their number. */
export function cancelRetrying(filter: Filter): Promise<number> {
  return moveEach(messages.cancel, { ...filter, failed: "retrying" });
}

async function moveEach(operation: Operation, filter: MessageFilter): Promise<number> {
  const { caller } = await requireAccount();
  const move = await actor(operation);
  let moved = 0;
  let after: string | undefined;
  for (let found = 0; found < RETRIED_MAX; found += LIMIT_MAX) {
    const page = { limit: LIMIT_MAX, after, status: "failed" } as const;
    // Only the search takes a turn: the changes take longer, and others wait for the turn.
    const { data, next_cursor } = await inSearchTurn(caller, () => list(caller, page, filter));
    const outcomes = await inTens(data, ({ id }) =>
      move({ params: { id } }).then(() => true, unlessChanged),
    );
    moved += outcomes.filter(Boolean).length;
    if (next_cursor === null) break;
    after = next_cursor;
  }
  return moved;
}

const CHANGED = ["message_not_retryable", "message_not_cancelable", "resource_not_found"];

/** The message may have been sent, changed or deleted since it was listed. */
function unlessChanged(error: unknown): false {
  if (!CHANGED.includes(toApiError(error).code)) throw error;
  return false;
}
