import { likePattern } from "@/lib/platform/db/like";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { IS_BLOCKED } from "./blocked";
import type { TaskListQuery } from "./contract";

/** Whether a task is held. A lease ends at its expiry second, not after it. */
export const IS_HELD = sql`coalesce(tasks.lease_expires_at > unix_now(), false)`;

/** A filter that only pages have: open tasks that this holder, anyone or nobody holds. */
export interface HeldFilter {
  held?: { by: string } | "anyone" | "nobody" | undefined;
}

/** The conditions of a list's filters, but for the external ID, on rows of `tasks`. */
export function taskConditions(listQuery: Omit<TaskListQuery, "external_id"> & HeldFilter): Sql[] {
  const conditions: Sql[] = [];
  const { label, not_label, priority, due_before, due_after, blocked, q, held } = listQuery;
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
  if (held !== undefined) conditions.push(heldCondition(held));
  return conditions;
}

/** Like a search, it reads the organization's tasks. */
function heldCondition(held: NonNullable<HeldFilter["held"]>): Sql {
  const isHeld = sql`(${IS_HELD} AND NOT labels @> '{done}'::text[])`;
  if (held === "anyone") return isHeld;
  if (held === "nobody") return sql`NOT ${isHeld}`;
  return sql`(${isHeld} AND lease_holder = ${held.by})`;
}
