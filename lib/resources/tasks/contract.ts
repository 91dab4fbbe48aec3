import * as z from "zod";
import { withAliases } from "@/lib/platform/http/aliases";
import {
  claimFields,
  externalId,
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

/** Also shown on the home page. */
export const TASK_EXAMPLE = {
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

export const Task = z
  .object({
    id: z.string(),
    object: z.literal("task"),
    name: z.string(),
    description: z.string().nullable(),
    priority: z.enum(priorities),
    due_at: z.int().nullable(),
    labels: z.array(z.string()),
    ...resourceFields,
  })
  .meta({
    id: "Task",
    examples: [TASK_EXAMPLE],
  });
export type Task = z.infer<typeof Task>;

export const CreatedTask = Task.extend(claimFields).meta({ id: "CreatedTask" });
export type CreatedTask = z.infer<typeof CreatedTask>;

export const labels = z.array(text({ min: 1, max: 100 })).max(LABELS_MAX);

export const TaskCreate = z
  .strictObject({
    name: text({ min: 1, max: 200 }),
    description: text({ max: 1_000_000 }).nullable().optional(),
    priority: z.enum(priorities).optional().describe("Default: `low`"),
    due_at: unixSeconds().nullable().optional().describe(UNIX_SECONDS),
    labels: labels.optional(),
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
    labels: labels.nullable().optional().describe("null removes all labels"),
  })
  .meta({ id: "TaskUpdate", examples: [{ priority: "low", due_at: null }] });
export type TaskUpdate = z.infer<typeof TaskUpdate>;

export const LabelsChange = z
  .strictObject({
    add: labels.optional(),
    remove: labels.optional(),
  })
  .check(({ value: { add = [], remove = [] }, issues, value }) => {
    const index = remove.findIndex((label) => add.includes(label));
    if (index === -1) return;
    const message = "must not also be in `add`";
    issues.push({ code: "custom", path: ["remove", index], message, input: value });
  })
  .meta({ id: "TaskLabelsChange", examples: [{ add: ["done"], remove: ["in-progress"] }] });
export type LabelsChange = z.infer<typeof LabelsChange>;

const listFilters = listQuery(taskKind.prefix).extend({
  label: z.array(text()).optional().describe("Repeatable: has all of them."),
  not_label: z.array(text()).optional().describe("Repeatable: has none of them."),
  priority: z.array(z.enum(priorities)).optional().describe("Repeatable: any of them."),
  due_before: unixSecondsText().optional().describe(UNIX_SECONDS),
  due_after: unixSecondsText().optional().describe(UNIX_SECONDS),
  blocked: z.enum(["true", "false"]).optional().describe("Has a blocker that is not done."),
  q: text({ max: 200 }).optional().describe("Text in name or description, case-insensitive."),
  external_id: text().optional(),
});
export const TaskListQuery = withAliases(listFilters, { labels: "label", not_labels: "not_label" });
export type TaskListQuery = z.infer<typeof TaskListQuery>;

export const BlockerListQuery = listQuery(taskKind.prefix);
export type BlockerListQuery = z.infer<typeof BlockerListQuery>;
