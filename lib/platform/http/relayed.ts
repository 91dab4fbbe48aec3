import type { Caller } from "@/lib/platform/caller";
import { ApiError } from "@/lib/platform/errors";
import type { HttpRequest } from "./request";

/**
 * Set on messages that forward an event or push a change, and on what they cause. None is forwarded
 * again.
 */
export const FORWARDED_HEADER = "webhook-forwarded";

/**
 * On a message to this service itself: its organization or the stranger's network, signed. Otherwise all
 * such messages would share the limits of the server's own address. No other target gets it.
 */
export const SENT_FOR_HEADER = "webhook-sent-for";

/** Set on messages of schedules. */
const SCHEDULE_HEADER = "schedule-id";

/** Set on messages that tell how a question ended. */
export const QUESTION_HEADER = "question-id";

/** Set on every message, except those that replay an event. */
export const ATTEMPT_HEADER = "message-attempt";

/** Set on messages that replay an event. */
export const REPLAY_HEADER = "replay-message-id";

/** Marks a caller whose request this service sent by itself, and so might send forever. */
export function markRelayed(caller: Caller, headers: HttpRequest["headers"]): Caller {
  const hasOneOf = (names: string[]) => names.some((name) => headers.get(name) !== null);
  return {
    ...caller,
    ...(hasOneOf([FORWARDED_HEADER, SCHEDULE_HEADER, QUESTION_HEADER]) && { isRelayed: true }),
    ...(hasOneOf([ATTEMPT_HEADER, REPLAY_HEADER]) && { isMessage: true }),
  };
}

/**
 * Throws 403 for a request that a message of ours makes: such a message could send itself again, or use up
 * the limits of our own address. OAuth calls it `invalid_request`, which is 400.
 */
export function assertNoMessage(
  { isMessage }: Caller,
  code: "forbidden" | "invalid_request" = "forbidden",
): void {
  if (isMessage) throw new ApiError(code, "A message cannot make this call.");
}
