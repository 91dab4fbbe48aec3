import type { KindDescription } from "@/lib/resources/kind";

export const taskKind = {
  name: "tasks",
  title: "Tasks",
  noun: "task",
  description: "Units of work with a priority, a due date and labels.",
  icon: "M2.5 4l1.2 1.2L6 2.8M2.5 11l1.2 1.2L6 9.8M8.5 4.2h5M8.5 11.2h5",
  prefix: "tsk",
  model: "Task",
  table: "tasks",
  madeFor: ["schedule_id"],
  parts: [{ model: "TaskNote", table: "task_notes", parent: "task_id", key: "id" }],
  volatile: [],
  longText: "description",
  first: {
    title: "Track tasks",
    text: "Work with a priority, a due date and labels.",
    button: "Create this task",
    body: { name: "Say hello", labels: ["demo"] },
  },
} as const satisfies KindDescription;
