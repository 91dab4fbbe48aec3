import type { Caller } from "@/lib/platform/caller";
import type { HttpRequest } from "./request";

/** Set on messages that forward an event, and on what they cause. Neither is forwarded again. */
export const FORWARDED_HEADER = "webhook-forwarded";

/** Set on messages of schedules. */
const SCHEDULE_HEADER = "schedule-id";

/** Marks a caller whose request this service sent by itself, and so might send forever. */
export function markRelayed(caller: Caller, headers: HttpRequest["headers"]): Caller {
  const isRelayed = [FORWARDED_HEADER, SCHEDULE_HEADER].some((name) => headers.get(name) !== null);
  return isRelayed ? { ...caller, isRelayed } : caller;
}
