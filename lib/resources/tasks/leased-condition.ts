import { type Sql, sql } from "@/lib/platform/db/sql";

/** Whether a task is held. A lease ends at its expiry second, not after it. */
export const IS_HELD = sql`coalesce(tasks.lease_expires_at > unix_now(), false)`;

/** A filter that only pages have: open tasks that this holder, anyone or nobody holds. */
export interface HeldFilter {
  held?: { by: string } | "anyone" | "nobody" | undefined;
}

/** The condition of the filter, on rows of `tasks`. Like a search, it reads the organization's tasks. */
export function heldCondition(held: NonNullable<HeldFilter["held"]>): Sql {
  const isHeld = sql`(${IS_HELD} AND NOT labels @> '{done}'::text[])`;
  if (held === "anyone") return isHeld;
  if (held === "nobody") return sql`NOT ${isHeld}`;
  return sql`(${isHeld} AND lease_holder = ${held.by})`;
}
