import type { Caller } from "@/lib/platform/caller";
import { type Sql, sql } from "@/lib/platform/db/sql";
import { maySeeAddresses } from "./access";

/**
 * Names the key or person with the ID `actor`, if it belongs to the organization `owner`: the key's name
 * or, if the caller may see it, the person's email. `name` is the column, which `joins` finds.
 */
export function actorName(caller: Caller, actor: Sql, owner: Sql): { name: Sql; joins: Sql } {
  const email = maySeeAddresses(caller) ? sql`person.email` : sql`NULL::text`;
  return {
    name: sql`coalesce(api_keys.name, ${email})`,
    joins: sql`
      LEFT JOIN api_keys ON api_keys.id = ${actor} AND api_keys.organization_id = ${owner}
      LEFT JOIN members ON members.user_id = ${actor} AND members.organization_id = ${owner}
      LEFT JOIN users AS person ON person.id = members.user_id`,
  };
}
