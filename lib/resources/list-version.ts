import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown } from "@/lib/platform/db/replica";
import { join, type Sql, sql } from "@/lib/platform/db/sql";
import { versionTag } from "@/lib/platform/http/conditional";

/** Which rows of a list a page shows: so many, and after which ID. */
export interface Range {
  after: string | undefined;
  shown: number;
}

/** Selects columns `FROM` a table, in the rows of the caller's organization that a page shows. */
export function shownRows(
  caller: Caller,
  { after, shown }: Range,
  columns: Sql,
  conditions: readonly Sql[] = [],
): Sql {
  const all = [ownedBy(organizationOf(caller)), ...conditions];
  if (after !== undefined) all.push(sql`id < ${after}`);
  return sql`SELECT ${columns} WHERE ${join(all, " AND ")} ORDER BY ${NEWEST_OWNED} LIMIT ${shown}`;
}

/** A tag that changes whenever one of the selected rows does. */
export async function versionOf(rows: Sql): Promise<string> {
  return versionTag(await queryShown(rows));
}
