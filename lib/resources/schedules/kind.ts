import type { KindDescription } from "@/lib/resources/kind";

export const scheduleKind = {
  name: "schedules",
  title: "Schedules",
  noun: "schedule",
  description: "Messages, inbox events and tasks, created at recurring times.",
  icon: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.6V8l2.4 1.6",
  prefix: "sch",
  model: "Schedule",
  table: "schedules",
  madeFor: [],
  parts: [
    {
      model: "ScheduleRun",
      table: "schedule_runs",
      parent: "schedule_id",
      key: "id",
      prefix: "run",
    },
  ],
  volatile: ["next_runs", "last_run_at"],
  first: {
    title: "Repeat",
    text: "A task, a message or an event, at the times of a cron expression.",
    button: "Create this schedule",
    body: {
      name: "Daily report",
      cron: "0 9 * * *",
      target: { task: { name: "Write the daily report" } },
    },
  },
} as const satisfies KindDescription;
