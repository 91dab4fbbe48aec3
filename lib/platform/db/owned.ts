import { type Sql, sql } from "./sql";

/**
 * The condition that rows belong to an organization; use it with the order `NEWEST_OWNED`. With `=`
 * and `ORDER BY id`, Postgres may walk the primary key across the rows of all organizations.
 */
export function ownedBy(organizationId: string | Sql | null): Sql {
  return sql`organization_id = ANY (ARRAY[${organizationId}]::text[])`;
}

export const NEWEST_OWNED = sql`organization_id, id DESC`;

/**
 * A text value hidden from the planner. Postgres then plans a statement once per connection,
 * instead of for each call because it expects more or fewer rows for this value than for others.
 */
export function hiddenFromPlanner(value: string): Sql {
  return sql`(SELECT ${value}::text)`;
}
