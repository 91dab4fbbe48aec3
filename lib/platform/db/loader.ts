import { inBatches } from "./batches";
import { pipelines, pool } from "./connections";
import { assertNoTransaction } from "./open-transactions";
import { query, type Sql } from "./sql";

/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;
const QUEUED_MAX = 20_000;
const BATCH_MAX = 200;
const LARGE_BATCH_MAX = 4;

/**
 * Makes a function that reads a row by a unique key, or resolves to undefined. Calls in the same
 * turn of the event loop share one statement; nothing is cached. `select` returns the rows of
 * `keys`, each with its `key`. Throws 503 `service_unavailable` when too many calls are queued.
 * Rows of up to a megabyte are `large`: each statement reads few of them, and other loaders do not
 * wait.
 */
export function loader<Row extends { key: string }>(
  select: (keys: string[]) => Sql,
  { large = false } = {},
): (key: string) => Promise<Row | undefined> {
  const load = inBatches<string, Row | undefined>(
    async (_, keys) => {
      const rows = await query<Row>(select(keys), large ? pool() : pipelines());
      const found = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => found.get(key));
    },
    {
      weightOf: () => 1,
      batchWeightMax: large ? LARGE_BATCH_MAX : BATCH_MAX,
      queuedWeightMax: QUEUED_MAX,
      concurrencyMax: BATCHES_AT_ONCE_MAX,
      isRead: true,
    },
  );
  return async (key) => {
    assertNoTransaction();
    // Postgres cannot store U+0000 and would refuse the whole statement.
    if (!key.includes("\0")) return load("", key);
  };
}
