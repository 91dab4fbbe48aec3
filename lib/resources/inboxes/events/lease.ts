import { ApiError, quote } from "@/lib/platform/errors";

/** Throws 404 when the event does not exist, and 409 when the lease is not its latest. */
export function assertHeld(eventId: string, outcome: string | undefined): void {
  if (outcome === "lease_lost") {
    throw new ApiError(
      "lease_lost",
      "This lease is no longer valid: the event was returned or delivered again.",
      { param: "lease_id" },
    );
  }
  if (outcome === undefined || outcome === "not_found") {
    throw new ApiError(
      "resource_not_found",
      `No event of this inbox has the ID ${quote(eventId)}: already acknowledged, expired or deleted.`,
    );
  }
}
