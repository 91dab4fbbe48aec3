import { type Schedule, ScheduleTarget } from "@/lib/resources/schedules/contract";
import { TIMEZONE_DEFAULT } from "@/lib/resources/schedules/timing";

/** A schedule as its form shows it, with the fields of its kind of target. */
export function shownSchedule(schedule: Schedule): object {
  const timezone = schedule.timezone ?? TIMEZONE_DEFAULT;
  return { ...schedule, timezone, ...shownTarget(schedule) };
}

function shownTarget({ target }: Schedule): object {
  const { task, message, inbox_event: event } = ScheduleTarget.safeParse(target).data ?? {};
  if (message) {
    return {
      kind: "message",
      "target.message.method": message.method ?? "POST",
      "target.message.url": message.url,
      "target.message.body": message.body,
    };
  }
  if (event) {
    return {
      kind: "inbox_event",
      "target.inbox_event.inbox_id": event.inbox_id,
      "target.inbox_event.body": event.body,
    };
  }
  return {
    kind: "task",
    "target.task.name": task?.name,
    "target.task.description": task?.description,
  };
}
