import { inBatches } from "./batches";
import { assertNoTransaction, pipelines, query, type Statement } from "./sql";

/** Leaves database connections for other requests. */
const BATCHES_AT_ONCE_MAX = 4;
const QUEUED_MAX = 20_000;

/**
 * Reads rows by a unique key. Lookups that arrive in the same turn of the event loop share one
 * statement; nothing is cached. `select` returns the rows of `keys`, each with its `key`; the
 * function returned by `lookup` resolves to the row of one key, or undefined. Throws 503
 * `service_unavailable` when too many lookups are queued.
 */
export function lookup<Row extends { key: string }>(
  select: (keys: string[]) => Statement,
  { batchMax = 200 } = {},
): (key: string) => Promise<Row | undefined> {
  const lookUp = inBatches<string, Row | undefined>(
    async (_, keys) => {
      const rows = await query<Row>(select(keys), pipelines());
      const found = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => found.get(key));
    },
    {
      weightOf: () => 1,
      batchWeightMax: batchMax,
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
