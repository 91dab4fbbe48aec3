import { type Sql, sql } from "@/lib/platform/db/sql";

/**
 * Whether an owner has deleted the organization with this ID, of which rows may be left for a while.
 * False for null. The statement reads the IDs once; they are few.
 */
export function isDeleted(organizationId: Sql): Sql {
  return sql`coalesce(${organizationId} IN (SELECT id FROM deleted_organizations), false)`;
}
