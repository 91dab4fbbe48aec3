import { duration } from "@/components/ui/relative-time";
import { type Schedule, ScheduleTarget } from "@/lib/resources/schedules/contract";
import { cronWords } from "@/lib/resources/schedules/cron-words";

/** The name of a schedule in lists and titles. */
export function titleOf(schedule: Pick<Schedule, "name"> & Times): string {
  return schedule.name ?? timesName(schedule);
}

type Times = Pick<Schedule, "cron" | "every_seconds">;

/** When it runs: its cron expression, or its interval. */
function timesName({ cron, every_seconds }: Times): string {
  return cron ?? `Every ${duration(every_seconds ?? 0)}`;
}

/** When it runs, in words if they are clearer than its cron expression. */
export function timesWords(times: Times): string {
  return (times.cron !== null && cronWords(times.cron)) || timesName(times);
}

export function targetName(schedule: Schedule): string {
  const { task, message } = ScheduleTarget.safeParse(schedule.target).data ?? {};
  if (task) return "a task";
  return message ? "a message" : "an inbox event";
}
