import { openDatabase } from "@/lib/platform/db/open";
import { query, sql } from "@/lib/platform/db/sql";
import { connectEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { assertCount } from "./usage-error";

export const usage = `Usage: npm run storage

Lists the tables of the database with their sizes.`;

interface TableSize {
  table: string;
  total: string;
  rows_on_disk: string;
  indexes: string;
  rows: number;
  dead: number;
  vacuumed: string;
}

/** Prints the sizes of the tables. */
export async function run({ positionals }: { positionals: string[] }): Promise<void> {
  assertCount(positionals, 0, 0);
  const close = await openDatabase(connectEmbeddedPostgres);
  // `rows_on_disk` includes values stored out of line. Row counts are the statistics' estimates.
  const tables = await query<TableSize>(sql`
    SELECT relname AS table, pg_size_pretty(pg_total_relation_size(relid)) AS total,
           pg_size_pretty(pg_table_size(relid)) AS rows_on_disk,
           pg_size_pretty(pg_indexes_size(relid)) AS indexes, n_live_tup AS rows, n_dead_tup AS dead,
           coalesce(to_char(greatest(last_vacuum, last_autovacuum) AT TIME ZONE 'UTC',
                            'YYYY-MM-DD HH24:MI'), 'never') AS vacuumed
    FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC, relname`);
  await close();

  const headings = [
    "Table",
    "Total",
    "Rows on disk",
    "Indexes",
    "Rows",
    "Dead rows",
    "Vacuumed (UTC)",
  ];
  const lines = [headings, ...tables.map((table) => Object.values(table).map(String))];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 || column === line.length - 1 ? cell.padEnd(width) : cell.padStart(width);
    });
    console.log(cells.join("  ").trimEnd());
  }
}
