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
 * Reads rows by a unique key. Lookups that arrive in the same turn of the event loop share one
 * statement; nothing is cached. `select` returns the rows of `keys`, each with its `key`; the
 * function returned by `lookup` resolves to the row of one key, or undefined. Throws 503
 * `service_unavailable` when too many lookups are queued. Rows of up to a megabyte are `large`: a
 * statement reads few, and other lookups do not wait for them.
 */
export function lookup<Row extends { key: string }>(
  select: (keys: string[]) => Sql,
  { large = false } = {},
): (key: string) => Promise<Row | undefined> {
  const lookUp = inBatches<string, Row | undefined>(
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
    // Postgres stores no U+0000, and refuses the whole statement.
    if (!key.includes("\0")) return lookUp("", key);
  };
}
