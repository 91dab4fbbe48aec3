import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { contains } from "@/lib/platform/db/like";
import type { Sql } from "@/lib/platform/db/sql";
import { emptyList, type List, type ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { hasExternalId } from "./external-id";

interface More {
  conditions?: readonly Sql[];
  /** Another source of the rows: see `listNewest`. */
  through?(organizationId: string): { source: Sql; id: Sql } | undefined;
}

/**
 * Makes the function that lists the resources of the caller's organization, newest first. With
 * `words`, it lists only those that contain them. The list is empty for anonymous callers.
 */
export function lister<Row, Item extends { id: string }>(code: {
  table: Sql;
  columns: Sql;
  /** The columns without a small length limit. */
  longTexts: readonly (keyof Row & string)[];
  /** The columns that words are searched in. */
  searched: readonly [Sql, ...Sql[]];
  serialize(row: Row, caller: Caller): Item;
}) {
  const { searched, serialize, ...from } = code;
  return async function list(
    caller: Caller,
    listQuery: ListQuery & { external_id?: string | undefined },
    words?: string,
    { conditions = [], through }: More = {},
  ): Promise<List<Item>> {
    const organizationId = organizationOf(caller);
    if (organizationId === null) return emptyList(listQuery);
    const { external_id } = listQuery;
    return listNewest<Row, Item>(
      {
        ...from,
        organizationId,
        through: through?.(organizationId),
        conditions:
          external_id === undefined ? conditions : [...conditions, hasExternalId(external_id)],
        search: words === undefined ? undefined : contains(searched, words),
        serialize: (row) => serialize(row, caller),
      },
      listQuery,
    );
  };
}
