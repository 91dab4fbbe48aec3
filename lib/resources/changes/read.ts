import { columns, type OrNull, type Row, type RowOf } from "@/lib/platform/db/columns";
import { query, queryOne, type Sql, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import type { ChangeAction } from "@/lib/resources/change";
import type { KindName } from "@/lib/resources/kinds";
import { toResource } from "@/lib/resources/to-resource";
import { Change, RETENTION_SECONDS } from "./contract";
import { isBefore, MOVED_ID, type Position, START, textOf } from "./position";

/** The number of changes that one read scans for matches. */
const SCANNED_MAX = 1000;

export interface ChangeFilter {
  kind?: readonly KindName[] | undefined;
  action?: readonly ChangeAction[] | undefined;
}

export interface ChangePage {
  changes: Change[];
  /** Where to continue, even if there are no changes. */
  next: Position;
  hasMore: boolean;
}

const COLUMNS = columns("Change", "xid, id, kind, action, resource_id, actor, created_at");

type ChangeRow = RowOf<typeof COLUMNS>;

/** All transactions below this ID have ended, so no change can appear there. It never decreases. */
export const HORIZON = sql`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + change_xid_offset())`;

/** The current position: every change that a reader can see precedes it. */
export async function latestPosition(db?: Transaction): Promise<Position> {
  const row = await queryOne<{ xid: number }>(sql`SELECT ${HORIZON} AS xid`, db);
  if (!row) throw new Error("A SELECT without FROM returned no row.");
  return { xid: row.xid, id: 0 };
}

/** The newest visible change of each organization, in order, one index lookup each; "" for none. */
export async function newestChanges(organizationIds: readonly string[]): Promise<string[]> {
  const rows = await query<Row<"Change", "organization_id" | "xid" | "id">>(sql`
    SELECT last.* FROM unnest(${[...new Set(organizationIds)]}::text[]) AS owner (id)
    CROSS JOIN LATERAL (
      SELECT organization_id, xid, id FROM changes
      WHERE organization_id = owner.id AND xid < ${HORIZON} ORDER BY xid DESC, id DESC LIMIT 1
    ) AS last`);
  const newest = new Map(rows.map((row) => [row.organization_id, textOf(row)]));
  return organizationIds.map((id) => newest.get(id) ?? "");
}

/**
 * The organization's matching changes after a position, oldest first. If none of many scanned
 * changes match, the page is empty, but `hasMore` is true. Throws 410 `cursor_expired` if changes
 * after the position have been removed.
 */
export async function readChanges(
  organizationId: string,
  after: Position,
  { kind, action }: ChangeFilter,
  limit: number,
): Promise<ChangePage> {
  const isFiltered = kind !== undefined || action !== undefined;
  const scanned = isFiltered ? SCANNED_MAX : limit;
  // (c) Also finds, in one snapshot, up to where all transactions have ended.
  const rows = await query<OrNull<ChangeRow> & Bounds>(sql`
    SELECT horizon.xid AS horizon, horizon.end, horizon.is_lost, owner.changes_removed_xid,
           owner.changes_removed_id, change.*
    FROM (SELECT ${HORIZON} AS xid,
                 pg_snapshot_xmax(pg_current_snapshot())::text::bigint + change_xid_offset() AS end,
                 EXISTS (SELECT FROM restores WHERE ${isLost(after)}) AS is_lost) AS horizon
    JOIN organizations AS owner ON owner.id = ${organizationId}
    LEFT JOIN (
      SELECT ${COLUMNS} FROM changes
      WHERE organization_id = ${organizationId} AND xid < ${HORIZON}
        AND (xid, id) > (${after.xid}::bigint, ${after.id}::bigint)
      ORDER BY xid, id LIMIT ${scanned + 1}
    ) AS change ON true
    ORDER BY change.xid, change.id`);
  const [first] = rows;
  if (!first) throw new Error("The organization of a caller is gone.");
  assertNoGap(after, first);
  const found = rows.filter((row) => row.id !== null);
  const candidates = found.slice(0, scanned);
  const matching = candidates.filter(
    (row) => (kind?.includes(row.kind) ?? true) && (action?.includes(row.action) ?? true),
  );
  const changes = matching.slice(0, limit);
  // The next read scans again the changes behind the last match of a full page.
  const last = matching.length > limit ? changes.at(-1) : candidates.at(-1);
  const hasMore = matching.length > limit || found.length > scanned;
  const reached = { xid: first.horizon, id: 0 };
  // A position never moves back, not even a forged one in the future.
  const end = isBefore(reached, after) ? after : reached;
  const next = hasMore && last ? { xid: last.xid, id: last.id } : end;
  return {
    changes: changes.map((row) => toResource(Change, row, { id: textOf(row) })),
    next,
    hasMore,
  };
}

/**
 * Whether a position was issued between the backup and its restore. Changes that nobody could read
 * when the backup was made have the first position's transaction and IDs from `MOVED_ID`.
 */
function isLost({ xid, id }: Position): Sql {
  return sql`(${xid}::bigint, ${id}::bigint) > (lost_after_xid, 0) AND ${xid}::bigint <= lost_until_xid
    AND NOT (${xid}::bigint = lost_after_xid AND ${id}::bigint >= ${MOVED_ID}::bigint)`;
}

type Bounds = Row<"Organization", "changes_removed_xid" | "changes_removed_id"> & {
  horizon: number;
  /** No transaction has this ID yet. */
  end: number;
  /** True if it was issued after the backup and before the restore. */
  is_lost: boolean;
};

function assertNoGap(after: Position, bounds: Bounds): void {
  const { changes_removed_xid: xid, changes_removed_id: id, end, is_lost } = bounds;
  const isStart = !isBefore(START, after);
  const hasGap = !isStart && isBefore(after, { xid, id });
  // A position from another database, for example before a move by dump.
  const isForeign = after.xid > end;
  if (!hasGap && !isForeign && !is_lost) return;
  throw new ApiError(
    "cursor_expired",
    `Changes after this position are gone: older than ${RETENTION_SECONDS / 86_400} days, or lost in a restore. Read your resources, then start with after=latest.`,
    { param: "after" },
  );
}
