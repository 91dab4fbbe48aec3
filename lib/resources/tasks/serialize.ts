import { sql } from "@/lib/platform/db/sql";
import type { Task } from "./contract";

export const TASK_COLUMNS = sql`id, organization_id, name, description, priority, due_at, labels,
  external_id, created_at, updated_at, revision`;

/** A row of `tasks`. */
export interface TaskRow {
  id: string;
  organization_id: string | null;
  name: string;
  description: string | null;
  priority: Task["priority"];
  due_at: number | null;
  labels: string[];
  external_id: string | null;
  created_at: number;
  updated_at: number;
  revision: number;
}

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
