import { ApiError, quote } from "@/lib/platform/errors";

/** The error for a lease that is not the event's latest, or for an event that does not exist. */
export function notHeld(eventId: string, exists: boolean | undefined): ApiError {
  if (exists) {
    return new ApiError(
      "lease_lost",
      "This lease is no longer valid: the event was returned or delivered again.",
      { param: "lease_id" },
    );
  }
  return new ApiError(
    "resource_not_found",
    `No event of this inbox has the ID ${quote(eventId)}: already acknowledged, expired or deleted.`,
  );
}
