import { query, type Sql, type Transaction } from "./sql";

/** A statement that writes many more rows takes longer than a statement may. */
const ROWS_MAX = 5000;

/**
 * Repeats a statement that changes up to `limit` rows until none is left. Returns all rows that it returned. The
 * statement must lock the rows before it changes them, so that it changes fewer only if there are no more, and must
 * return one row for each.
 */
export async function inSteps<Row>(
  tx: Transaction,
  statement: (limit: number) => Sql,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const changed = await query<Row>(statement(ROWS_MAX), tx);
    rows.push(...changed);
    if (changed.length < ROWS_MAX) return rows;
  }
}
