import { setTimeout as pause } from "node:timers/promises";
import { waitUntil } from "@vercel/functions";
import { config } from "@/lib/platform/config/config";
import { inBatches, ONE_EACH } from "@/lib/platform/db/batches";
import { query, sql } from "@/lib/platform/db/sql";
import { oncePerProcess, stopping } from "@/lib/platform/process";

/** Minimum interval between writes of a key's `last_used_at` and uses by a process. */
const WRITE_SECONDS = 60;
/** For uses on Vercel, where an instance stays up until they are written. */
const WRITE_SECONDS_ON_VERCEL = 1;
/** The days that are counted, today included. */
const DAYS = 7;
const STOPPING_TRIES = 10;
const STOPPING_PAUSE_MS = 10;

/** Whether a key's last use was written so long ago that the next one is written, too. */
export const IS_STALE = sql`
  (last_used_at IS NULL OR last_used_at <= unix_now() - ${WRITE_SECONDS}::bigint)`;

/** The uses of a row of `api_keys` on each of the last days, the oldest first. */
export const USES = sql`ARRAY(
  SELECT coalesce((SELECT slot & 4294967295 FROM unnest(uses_by_day) AS slot
                   WHERE slot >> 32 = day), 0)::int
  FROM generate_series(unix_now() / 86400 - ${DAYS - 1}::bigint, unix_now() / 86400) AS day ORDER BY day)`;

/** Uses that are not written, and when the last one was, in the time of `performance.now()`. */
interface Uses {
  count: number;
  lastAt: number;
}

interface State {
  unwritten: Map<string, Uses>;
  isPlanned: boolean;
  /** Stale keys that are being written. */
  writing: Set<string>;
}

const state = oncePerProcess<State>("accounts.uses", () => ({
  unwritten: new Map(),
  isPlanned: false,
  writing: new Set(),
}));

/**
 * Counts a request made with a key, or with a token of a grant, without delaying it. A count is lost
 * only with its process.
 */
export function countKeyUse(keyId: string, isStale: boolean): void {
  add(keyId, 1, performance.now());
  if (!state.isPlanned) {
    state.isPlanned = true;
    waitUntil(writeLater());
  }
  if (!isStale || state.writing.has(keyId)) return;
  state.writing.add(keyId);
  waitUntil(
    writeTogether("", keyId)
      .catch(() => {}) // the next request retries
      .finally(() => state.writing.delete(keyId)),
  );
}

function add(keyId: string, count: number, lastAt: number) {
  const uses = state.unwritten.get(keyId);
  if (uses) {
    uses.count += count;
    uses.lastAt = Math.max(uses.lastAt, lastAt);
  } else state.unwritten.set(keyId, { count, lastAt });
}

/** Writes the uses that no later request of the key has written; at once when the server stops. */
async function writeLater() {
  const seconds = config().onVercel ? WRITE_SECONDS_ON_VERCEL : WRITE_SECONDS;
  await pause(seconds * 1000, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
  state.isPlanned = false;
  // A count that fails is written with the next uses, if there are any. A server that stops tries
  // again, since another one may be writing the same keys.
  for (let tries = stopping.signal.aborted ? STOPPING_TRIES : 1; tries > 0; tries -= 1) {
    const keyIds = [...state.unwritten.keys()];
    if (keyIds.length === 0) return;
    await Promise.allSettled(keyIds.map((keyId) => writeTogether("", keyId)));
    if (tries > 1) await pause(STOPPING_PAUSE_MS);
  }
}

const writeTogether = inBatches<string, void>(
  async (_, keyIds) => {
    await write(new Set(keyIds));
    return keyIds.map(() => undefined);
  },
  { ...ONE_EACH, concurrencyMax: 1 },
);

async function write(keyIds: Set<string>) {
  const taken = new Map<string, Uses>();
  for (const keyId of keyIds) {
    const uses = state.unwritten.get(keyId);
    if (uses) taken.set(keyId, uses);
    state.unwritten.delete(keyId);
  }
  const putBack = (keyId: string) => {
    const uses = taken.get(keyId);
    if (uses) add(keyId, uses.count, uses.lastAt);
  };
  try {
    for (const { id } of await writeUses(taken)) putBack(id);
  } catch (error) {
    for (const keyId of taken.keys()) putBack(keyId);
    throw error;
  }
}

/**
 * (a) Returns the keys that it could not lock: skipping them, it cannot deadlock with a revocation of
 * several. Each day has its slot, as hours do in `endpoint_state`.
 */
function writeUses(taken: Map<string, Uses>): Promise<{ id: string }[]> {
  const now = performance.now();
  const counts = [...taken.values()].map(({ count }) => count);
  // Whole seconds, so that no use is recorded as earlier than it was.
  const ages = [...taken.values()].map(({ lastAt }) => Math.floor((now - lastAt) / 1000));
  const day = sql`(unix_now() / 86400)`;
  const slot = sql`uses_by_day[(${day} % ${DAYS}::bigint + 1)::int]`;
  return query<{ id: string }>(sql`
    WITH used AS MATERIALIZED (
      SELECT * FROM unnest(${[...taken.keys()]}::text[], ${counts}::bigint[], ${ages}::bigint[])
        AS used (id, count, age)
    ), locked AS MATERIALIZED (
      SELECT id FROM api_keys WHERE id IN (SELECT id FROM used) FOR NO KEY UPDATE SKIP LOCKED
    ), written AS (
      UPDATE api_keys SET
        last_used_at = greatest(last_used_at, unix_now() - used.age),
        ${slot} = (${day} << 32) + used.count
          + CASE WHEN ${slot} >> 32 = ${day} THEN ${slot} & 4294967295 ELSE 0 END
      FROM locked JOIN used USING (id) WHERE api_keys.id = locked.id
    )
    SELECT id FROM api_keys WHERE id IN (SELECT id FROM used) AND id NOT IN (SELECT id FROM locked)`);
}
