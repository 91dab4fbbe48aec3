import { type Sql, sql } from "./sql";

/**
 * The condition that rows belong to an organization, to be used with the order `NEWEST_OWNED`. With
 * `=` and `ORDER BY id`, Postgres may walk the primary key, over the rows of all organizations.
 */
export function ownedBy(organizationId: string | Sql | null): Sql {
  return sql`organization_id = ANY (ARRAY[${organizationId}]::text[])`;
}

export const NEWEST_OWNED = sql`organization_id, id DESC`;

/**
 * A text value that the planner does not know. Postgres then plans a statement once per connection, where it
 * would plan again for each call because it expects more or fewer rows for this value than for others.
 */
export function hiddenFromPlanner(value: string): Sql {
  return sql`(SELECT ${value}::text)`;
}
