import type { ScheduleRun } from "@/lib/resources/schedules/contract";

/** Why a run of a schedule created nothing, as sentences. */
export const runFailures: Record<NonNullable<ScheduleRun["reason"]>, string> = {
  inbox_full: "The inbox was full.",
  inbox_deleted: "The inbox was deleted.",
  other_owner: "The inbox has another owner.",
  forbidden: "The message may not be sent to that address.",
  public_limit: "A schedule without an owner runs 100 times. Claim it to continue.",
  storage_full: "The storage of its owner, or of public data, was used up.",
  internal_error: "An internal error occurred.",
};
