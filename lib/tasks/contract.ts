import { z } from "zod";
import { withAliases } from "@/lib/http/aliases";
import {
  claimFields,
  externalId,
  resourceFields,
  text,
  UNIX_SECONDS,
  unixSeconds,
  unixSecondsText,
} from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list";

export const LABELS_MAX = 50;

export const priorities = ["low", "medium", "high", "critical"] as const;

export const Task = z.object({
  id: z.string().describe("Begins with tsk_"),
  object: z.literal("task"),
  name: z.string(),
  description: z.string().nullable(),
  priority: z.enum(priorities),
  due_at: z.int().nullable().describe("Unix seconds"),
  labels: z.array(z.string()),
  ...resourceFields,
});
export type Task = z.infer<typeof Task>;

export const CreatedTask = Task.extend(claimFields);
export type CreatedTask = z.infer<typeof CreatedTask>;

export const labels = z.array(text({ min: 1, max: 100 })).max(LABELS_MAX);

export const TaskCreate = z.strictObject({
  name: text({ min: 1, max: 200 }),
  description: text({ max: 100_000 }).nullable().optional(),
  priority: z.enum(priorities).optional().describe("`low` when left out"),
  due_at: unixSeconds().nullable().optional().describe(UNIX_SECONDS),
  labels: labels.optional(),
  external_id: externalId.optional(),
});
export type TaskCreate = z.infer<typeof TaskCreate>;

export const TaskUpdate = TaskCreate.partial().extend({
  labels: labels.nullable().optional().describe("null removes all labels"),
});
export type TaskUpdate = z.infer<typeof TaskUpdate>;

export const LabelsChange = z
  .strictObject({
    add: labels.optional().describe("Labels to add"),
    remove: labels.optional().describe("Labels to remove"),
  })
  .check(({ value: { add = [], remove = [] }, issues, value }) => {
    const index = remove.findIndex((label) => add.includes(label));
    if (index === -1) return;
    const message = "must not be in `add` too";
    issues.push({ code: "custom", path: ["remove", index], message, input: value });
  });
export type LabelsChange = z.infer<typeof LabelsChange>;

const listFilters = listQuery("tsk").extend({
  label: z.array(text()).optional().describe("May be repeated: a task must carry every one."),
  not_label: z.array(text()).optional().describe("May be repeated: a task must carry none."),
  priority: z.array(z.enum(priorities)).optional().describe("May be repeated: any of them."),
  due_before: unixSecondsText().optional().describe(UNIX_SECONDS),
  due_after: unixSecondsText().optional().describe(UNIX_SECONDS),
  q: text({ max: 200 })
    .optional()
    .describe("Text within the name or the description, in any case."),
  external_id: text().optional(),
});
export const TaskListQuery = withAliases(listFilters, { labels: "label", not_labels: "not_label" });
export type TaskListQuery = z.infer<typeof TaskListQuery>;
