import { likePattern } from "@/lib/platform/db/like";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { hasExternalId } from "@/lib/resources/external-id";
import { IS_BLOCKED } from "./blocked";
import type { TaskListQuery } from "./contract";
import { type HeldFilter, heldCondition } from "./leased-condition";

/** The conditions of a list's filters, on rows of `tasks`. */
export function taskConditions(listQuery: TaskListQuery & HeldFilter): Sql[] {
  const conditions: Sql[] = [];
  const { label, not_label, priority, due_before, due_after, blocked, q, external_id } = listQuery;
  if (label?.length) conditions.push(sql`labels @> ${label}::text[]`);
  if (not_label) conditions.push(sql`NOT labels && ${not_label}::text[]`);
  if (priority) conditions.push(sql`priority = ANY (${priority}::task_priority[])`);
  if (due_before !== undefined) conditions.push(sql`due_at < ${due_before}`);
  if (due_after !== undefined) conditions.push(sql`due_at > ${due_after}`);
  if (blocked !== undefined) conditions.push(sql`${IS_BLOCKED} = ${blocked === "true"}`);
  if (q !== undefined) {
    const within = likePattern(q);
    conditions.push(sql`(name ILIKE ${within} OR description ILIKE ${within})`);
  }
  if (listQuery.held !== undefined) conditions.push(heldCondition(listQuery.held));
  if (external_id !== undefined) conditions.push(hasExternalId(external_id));
  return conditions;
}
