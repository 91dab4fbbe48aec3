import { duration } from "@/components/ui/relative-time";
import { type Schedule, ScheduleTarget } from "@/lib/resources/schedules/contract";

/** The name of a schedule in lists and titles. */
export function titleOf(schedule: Pick<Schedule, "name" | "cron" | "every_seconds">): string {
  return schedule.name ?? timesName(schedule);
}

/** When it runs, in words or as its cron expression. */
export function timesName({
  cron,
  every_seconds,
}: Pick<Schedule, "cron" | "every_seconds">): string {
  return cron ?? `Every ${duration(every_seconds ?? 0)}`;
}

/** A schedule's target in words. */
export function targetName(schedule: Schedule): string {
  const { task, message } = ScheduleTarget.safeParse(schedule.target).data ?? {};
  if (task) return "a task";
  return message ? "a message" : "an inbox event";
}
