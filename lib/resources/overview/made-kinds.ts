import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { hiddenFromPlanner } from "@/lib/platform/db/owned";
import { queryShownOne } from "@/lib/platform/db/replica";
import { join, sql } from "@/lib/platform/db/sql";
import type { KindName } from "@/lib/resources/kinds";
import { resources } from "@/lib/resources/registry";

/** The kinds of which an organization has something, as an array. */
export function kindsOf(organizationId: string) {
  const each = resources.map(
    ({ kind, table }) => sql`
      CASE WHEN EXISTS (SELECT FROM ${table}
                        WHERE organization_id = ${hiddenFromPlanner(organizationId)})
           THEN ${kind.name}::text END`,
  );
  return sql`array_remove(ARRAY[${join(each, ", ")}], NULL)`;
}

/** The kinds of which the caller's organization has something. */
export async function madeKinds(caller: Caller): Promise<KindName[]> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return [];
  const row = await queryShownOne<{ made: KindName[] }>(
    sql`SELECT ${kindsOf(organizationId)} AS made`,
  );
  return row?.made ?? [];
}
