import * as z from "zod";
import {
  created,
  externalId,
  externalIdFilter,
  idOf,
  objectType,
  resourceFields,
  text,
  UNIX_SECONDS,
  unixSeconds,
  unixSecondsText,
} from "@/lib/platform/http/fields";
import { listQuery } from "@/lib/platform/lists/list";
import { taskKind } from "./kind";

export const LABELS_MAX = 50;

export const priorities = ["low", "medium", "high", "critical"] as const;

const TASK_EXAMPLE = {
  id: "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q",
  object: "task" as const,
  name: "Write the release notes",
  description: null,
  priority: "high",
  due_at: 1_767_312_000,
  labels: ["docs"],
  organization_id: null,
  external_id: "crm-4711",
  created_at: 1_767_225_600,
  updated_at: 1_767_225_600,
};

const NAME = "What is to be done. It need not be unique.";
const DESCRIPTION = "More about it, or null.";
const PRIORITY = "How urgent it is. `lease-next` takes the most urgent first. Default: `low`.";
const DUE = "When it is due, in Unix seconds, not milliseconds, or null.";
const LABELS = "Any words. `in-progress` and `done` say how far it is.";

export const Task = z
  .object({
    id: idOf(taskKind.prefix),
    object: objectType("task"),
    name: z.string().describe(NAME),
    description: z.string().nullable().describe(DESCRIPTION),
    priority: z.enum(priorities).describe(PRIORITY),
    due_at: z.int().nullable().describe(DUE),
    labels: z.array(z.string()).describe(LABELS),
    ...resourceFields,
  })
  .meta({
    id: "Task",
    examples: [TASK_EXAMPLE],
  });
export type Task = z.infer<typeof Task>;

export const CreatedTask = created(Task, "CreatedTask", taskKind.name);
export type CreatedTask = z.infer<typeof CreatedTask>;

export const labels = z.array(text({ min: 1, max: 100 })).max(LABELS_MAX);

export const TaskCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }).describe(NAME),
    description: text({ max: 1_000_000 }).nullable().optional().describe(DESCRIPTION),
    priority: z.enum(priorities).optional().describe(PRIORITY),
    due_at: unixSeconds().nullable().optional().describe(DUE),
    labels: labels.optional().describe(LABELS),
    external_id: externalId.optional(),
  })
  .meta({
    id: "TaskCreate",
    examples: [
      {
        name: "Write the release notes",
        priority: "high",
        labels: ["docs"],
        external_id: "crm-4711",
      },
    ],
  });
export type TaskCreate = z.infer<typeof TaskCreate>;

export const TaskUpdate = TaskCreate.partial()
  .extend({
    labels: labels
      .nullable()
      .optional()
      .describe("The new list, instead of the present one; null removes all."),
  })
  .meta({ id: "TaskUpdate", examples: [{ priority: "low", due_at: null }] });
export type TaskUpdate = z.infer<typeof TaskUpdate>;

export const LabelsChange = z
  .strictObject({
    add: labels.optional().describe("Labels to add, unless it has them."),
    remove: labels.optional().describe("Labels to remove, if it has them."),
  })
  .check(({ value: { add = [], remove = [] }, issues, value }) => {
    const index = remove.findIndex((label) => add.includes(label));
    if (index === -1) return;
    const message = "must not also be in `add`";
    issues.push({ code: "custom", path: ["remove", index], message, input: value });
  })
  .meta({ id: "TaskLabelsChange", examples: [{ add: ["done"], remove: ["in-progress"] }] });
export type LabelsChange = z.infer<typeof LabelsChange>;

export const TaskListQuery = listQuery(taskKind.prefix).extend({
  label: z.array(text()).optional().describe("Only those with all of these labels. Repeatable."),
  not_label: z
    .array(text())
    .optional()
    .describe("Only those with none of these labels. Repeatable."),
  priority: z
    .array(z.enum(priorities))
    .optional()
    .describe("Only those with one of these priorities. Repeatable."),
  due_before: unixSecondsText().optional().describe(`Only those due earlier, in ${UNIX_SECONDS}.`),
  due_after: unixSecondsText().optional().describe(`Only those due later, in ${UNIX_SECONDS}.`),
  blocked: z
    .enum(["true", "false"])
    .optional()
    .describe("Whether they have a blocker that is not done.")
    .meta({ query: { type: "boolean" } }),
  q: text({ max: 200 }).optional().describe("Text in the name or the description, ignoring case."),
  external_id: externalIdFilter,
});
export type TaskListQuery = z.infer<typeof TaskListQuery>;
