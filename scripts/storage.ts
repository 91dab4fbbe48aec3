import { query, sql } from "@/lib/platform/db/sql";
import { withDatabase } from "./with-database";

export const usage = `Usage: npm run storage

Lists the tables of the database with their sizes.`;

/** Prints the sizes of the tables. */
export async function run(): Promise<void> {
  // `rows_on_disk` includes values stored out of line. Row counts are the statistics' estimates.
  const tables = await withDatabase(() =>
    query<Record<string, unknown>>(sql`
    SELECT relname AS table, pg_size_pretty(pg_total_relation_size(relid)) AS total,
           pg_size_pretty(pg_table_size(relid)) AS rows_on_disk,
           pg_size_pretty(pg_indexes_size(relid)) AS indexes, n_live_tup AS rows, n_dead_tup AS dead,
           coalesce(to_char(greatest(last_vacuum, last_autovacuum) AT TIME ZONE 'UTC',
                            'YYYY-MM-DD HH24:MI'), 'never') AS vacuumed
    FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC, relname`),
  );

  const lines = [HEADINGS, ...tables.map((table) => Object.values(table).map(String))];
  const widths = HEADINGS.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  for (const [table = "", ...figures] of lines) {
    const cells = figures.map((figure, at) => figure.padStart(widths[at + 1] ?? 0));
    console.log([table.padEnd(widths[0] ?? 0), ...cells].join("  "));
  }
}

const HEADINGS = "Table, Total, Rows on disk, Indexes, Rows, Dead rows, Vacuumed (UTC)".split(", ");
