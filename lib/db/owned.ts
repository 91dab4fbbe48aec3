import { type Statement, sql } from "./sql";

/**
 * The condition that rows belong to an organization, to be used with the order `NEWEST_OWNED`. With
 * `=` and `ORDER BY id`, Postgres may walk the primary key, over the rows of all organizations.
 */
export function ownedBy(organizationId: string | null): Statement {
  return sql`organization_id = ANY (ARRAY[${organizationId}]::text[])`;
}

export const NEWEST_OWNED = sql`organization_id, id DESC`;
