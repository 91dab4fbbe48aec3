import type { Caller } from "@/lib/platform/caller";
import type { HttpRequest } from "./request";

/** Set on messages that forward an event, which are not forwarded again, and on those that they cause. */
export const FORWARDED_HEADER = "webhook-forwarded";

/** Set on messages of schedules. */
const SCHEDULE_HEADER = "schedule-id";

/** Marks a caller whose request this service has sent by itself and might send again and again. */
export function markRelayed(caller: Caller, headers: HttpRequest["headers"]): Caller {
  const isRelayed = [FORWARDED_HEADER, SCHEDULE_HEADER].some((name) => headers.get(name) !== null);
  return isRelayed ? { ...caller, isRelayed } : caller;
}
