import { columns, type RowOf } from "@/lib/platform/db/columns";
import type { Task } from "./contract";

export const TASK_COLUMNS = columns(
  "Task",
  `id, organization_id, name, description, priority, due_at, labels, external_id, created_at,
   updated_at, revision`,
);

export type TaskRow = RowOf<typeof TASK_COLUMNS>;

/** A task as the API returns it. */
export function serializeTask(row: TaskRow): Task {
  return {
    id: row.id,
    object: "task",
    organization_id: row.organization_id,
    name: row.name,
    description: row.description,
    priority: row.priority,
    due_at: row.due_at,
    labels: row.labels,
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
