import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { queryShown, queryShownOne } from "@/lib/platform/db/replica";
import { join, type Sql, sql } from "@/lib/platform/db/sql";
import { emptyList, type List, page, rowsToRead, wantsTotal } from "@/lib/platform/lists/list";
import { WAITING } from "./blocked";
import { priorities, type Task, type TaskListQuery } from "./contract";
import { type HeldFilter, taskConditions } from "./filters";
import { areRare, labelled } from "./labels";
import { serializeTask, type TaskRow } from "./serialize";
import {
  cursorOf,
  type Order,
  type Position,
  positionOf,
  rankOf,
  type SortedRow,
} from "./sort-cursor";

/** Without the long texts, of which a page could have gigabytes. */
const LISTED = sql`id, organization_id, name, NULL::text AS description, priority, due_at, labels,
  NULL::text AS external_id, created_at, updated_at, revision`;

/**
 * The conditions of the indexes: all tasks; those not done, without a blocker; and those with one,
 * which is `WAITING`.
 */
const ALL = sql`true`;
const READY = sql`NOT labels @> '{done}'::text[] AND waits_for IS NULL`;

/**
 * The tasks of the caller's organization by due date (none last), by priority and then due date, or
 * by their last change, without their descriptions and external IDs. `cursor` is the previous page's
 * `next_cursor`; one from another order starts over. Empty for anonymous callers.
 */
export async function listSorted(
  caller: Caller,
  order: Order,
  listQuery: SortedQuery,
  cursor?: string,
): Promise<List<Task>> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return emptyList(listQuery);
  const { label } = listQuery;
  const through =
    label?.length && (await areRare(organizationId, label))
      ? labelled(organizationId, label).source
      : undefined;
  const list = { organizationId, order, listQuery, position: positionOf(order, cursor) };
  const branches = through
    ? [branch(list, { source: through, within: join(after(list), " AND ") })]
    : order === "updated"
      ? byChange(list)
      : byDue(list);
  const [rows, total] = await Promise.all([
    // No priority is left after the position.
    branches.length === 0
      ? []
      : queryShown<TaskRow & SortedRow>(sql`
          SELECT * FROM (${join(branches, " UNION ALL ")}) AS found
          ORDER BY ${KEYS[order]} LIMIT ${rowsToRead(listQuery)}`),
    wantsTotal(listQuery)
      ? queryShownOne<{ count: number }>(sql`
          SELECT count(*) FROM ${through ?? sql`tasks`} WHERE ${matching(list)}`)
      : undefined,
  ]);
  const sorted = page(rows.map(serializeTask), listQuery, total?.count);
  if (sorted.has_more) {
    sorted.next_cursor = cursorOf(order, rows.slice(0, sorted.data.length), list.position);
  }
  return sorted;
}

type SortedQuery = Omit<TaskListQuery, "after" | "external_id"> & HeldFilter;

interface Sorted {
  organizationId: string;
  order: Order;
  listQuery: SortedQuery;
  position: Position | undefined;
}

const KEYS: Record<Order, Sql> = {
  due: sql`due_at, id`,
  priority: sql`priority, due_at, id`,
  updated: sql`changed_at DESC, id DESC`,
};

function matching({ organizationId, listQuery }: Sorted, owner = ownedBy(organizationId)): Sql {
  return join([owner, ...taskConditions(listQuery)], " AND ");
}

interface Branch {
  source?: Sql;
  within: Sql;
  /** The order of an index; undefined if all rows are read. */
  by?: Sql;
  owner?: Sql;
  /** The sort key of `updated`. */
  changedAt?: Sql;
}

/** The first rows of one part of the list, in the order of an index. */
function branch(list: Sorted, { source, within, by, owner, changedAt }: Branch): Sql {
  const limit = by ? sql`ORDER BY ${by} LIMIT ${rowsToRead(list.listQuery)}` : sql``;
  const columns = sql`${LISTED}, updated_at > created_at AS is_changed,
    ${changedAt ?? sql`updated_at`} AS changed_at`;
  return sql`(SELECT ${columns} FROM (
    SELECT tasks.* FROM ${source ?? sql`tasks`}
    WHERE ${matching(list, owner)} AND ${within} ${limit}
  ) AS tasks)`;
}

/** One range per priority, dated and undated, in each index. */
function byDue(list: Sorted): Sql[] {
  const { order, position, listQuery } = list;
  const { not_label: without = [], priority: wanted } = listQuery;
  return (without.includes("done") ? [READY, WAITING] : [ALL]).flatMap((kept) =>
    priorities.flatMap((priority) => {
      const from = position?.order === "updated" ? undefined : position;
      const isPast =
        order === "priority" && from !== undefined && rankOf(priority) < rankOf(from.priority);
      if (isPast || (wanted && !wanted.includes(priority))) return [];
      const begins = order === "due" || priority === from?.priority ? from : undefined;
      const part = (within: Sql) =>
        branch(list, {
          within: sql`${kept} AND priority = ${priority} AND ${within}`,
          by: sql`priority, due_at, id`,
          owner: sql`organization_id = ${list.organizationId}`,
        });
      if (begins === undefined) return [part(sql`due_at IS NOT NULL`), part(sql`due_at IS NULL`)];
      if (begins.due === null) return [part(sql`due_at IS NULL AND id > ${begins.id}`)];
      return [
        part(sql`(due_at, id) > (${begins.due}::bigint, ${begins.id})`),
        part(sql`due_at IS NULL`),
      ];
    }),
  );
}

/**
 * The index by change contains only changed tasks, so that creating one costs nothing more. The
 * others were created in the order of their IDs, except for clock differences, which `min` evens
 * out.
 */
function byChange(list: Sorted): Sql[] {
  const from = list.position?.order === "updated" ? list.position : undefined;
  const changed = from?.changed
    ? sql`(updated_at, id) < (${from.changed.at}::bigint, ${from.changed.id})`
    : sql`true`;
  const created = from?.created ? sql`id < ${from.created}` : sql`true`;
  return [
    branch(list, {
      within: sql`updated_at > created_at AND ${changed}`,
      by: sql`organization_id, updated_at DESC, id DESC`,
    }),
    branch(list, {
      within: sql`NOT updated_at > created_at AND ${created}`,
      by: NEWEST_OWNED,
      changedAt: sql`min(updated_at) OVER (ORDER BY id DESC)`,
    }),
  ];
}

/** The conditions for rows after the position, if no index is used. */
function after({ position }: Sorted): Sql[] {
  const none = Number.MAX_SAFE_INTEGER;
  if (position === undefined) return [sql`true`];
  if (position.order === "updated") {
    const { changed, created } = position;
    return [
      changed
        ? sql`(NOT updated_at > created_at OR (updated_at, id) < (${changed.at}::bigint, ${changed.id}))`
        : sql`true`,
      created ? sql`(updated_at > created_at OR id < ${created})` : sql`true`,
    ];
  }
  const { due, id, priority } = position;
  const row = sql`coalesce(due_at, ${none}::bigint), id`;
  const at = sql`${due ?? none}::bigint, ${id}`;
  return position.order === "due"
    ? [sql`(${row}) > (${at})`]
    : [sql`(priority, ${row}) > (${priority}::task_priority, ${at})`];
}
