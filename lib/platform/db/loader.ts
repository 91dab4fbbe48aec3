import type { KeyCheck } from "@/lib/platform/caller";
import { inBatches } from "./batches";
import { pipelines, pool } from "./connections";
import { assertNoTransaction } from "./open-transactions";
import { query, type Sql, sql } from "./sql";

/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;
const QUEUED_MAX = 20_000;
const BATCH_MAX = 200;
const LARGE_BATCH_MAX = 4;

/**
 * Makes a function that reads a row by a unique key, or resolves to undefined. Calls in the same
 * turn of the event loop share one statement; nothing is cached. `select` returns the rows of
 * `keys`, each with its `key`. The `check` of the caller's key, one at a time, becomes part of the
 * statement. It is not done if the key has ended or there is no row. Throws 503 `service_unavailable`
 * when too many calls are queued. Rows with megabytes are `large`: each statement reads few of
 * them, and other loaders do not wait.
 */
export function loader<Row extends { key: string }>(
  select: (keys: string[]) => Sql,
  { large = false } = {},
): (key: string, check?: KeyCheck) => Promise<Row | undefined> {
  const load = inBatches<{ key: string; check: KeyCheck | undefined }, Row | undefined>(
    async (_, wanted) => {
      const check = wanted.find((one) => one.check && !one.check.isDone)?.check;
      const found = select(wanted.map(({ key }) => key));
      const rows = await query<Row & { is_live?: boolean }>(
        check
          ? sql`SELECT found.*, is_live FROM (${found}) AS found
                CROSS JOIN (SELECT ${check.isLive()} AS is_live) AS credential`
          : found,
        large ? pool() : pipelines(),
      );
      if (rows[0]?.is_live) check?.pass();
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return wanted.map(({ key }) => byKey.get(key));
    },
    {
      weightOf: () => 1,
      batchWeightMax: large ? LARGE_BATCH_MAX : BATCH_MAX,
      queuedWeightMax: QUEUED_MAX,
      concurrencyMax: BATCHES_AT_ONCE_MAX,
      isRead: true,
    },
  );
  return async (key, check) => {
    assertNoTransaction();
    // Postgres cannot store U+0000 and would refuse the whole statement.
    if (!key.includes("\0")) return load("", { key, check });
  };
}
