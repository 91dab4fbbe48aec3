import { type Sql, sql } from "@/lib/platform/db/sql";

/** The condition that a resource has this external ID, served by the index on owners and hashes. */
export function hasExternalId(externalId: string): Sql {
  return sql`(external_id = ${externalId}
    AND hashtextextended(external_id, 0) = hashtextextended(${externalId}::text, 0))`;
}
