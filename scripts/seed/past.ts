import { query, type Sql, sql } from "@/lib/platform/db/sql";

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** How many seconds ago a row was created, which determines its times and ID. */
export interface AgedRow {
  id: string;
  ago: number;
  /** When it was last changed. */
  changedAgo?: number;
}

/** Moves resources into the past and returns their new IDs. Dependent rows follow. */
export async function moveToPast(table: Sql, rows: AgedRow[]): Promise<string[]> {
  const moved = await query<{ old: string; id: string }>(sql`
    UPDATE ${table} AS row SET id = ${pastId(sql`row.id`, sql`one.ago`)},
      created_at = unix_now() - one.ago, updated_at = unix_now() - one.changed_ago
    FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ ago }) => ago)}::bigint[],
                ${rows.map(({ ago, changedAgo = ago }) => changedAgo)}::bigint[])
      AS one (id, ago, changed_ago)
    WHERE row.id = one.id RETURNING one.id AS old, row.id`);
  const byOld = new Map(moved.map(({ old, id }) => [old, id]));
  return rows.map(({ id }) => byOld.get(id) ?? id);
}

/** An ID with its time replaced (lib/platform/db/ids.ts): prefix, nine digits of time, random rest. */
export function pastId(id: Sql, ago: Sql): Sql {
  return sql`split_part(${id}, '_', 1) || '_' || id_time((unix_now() - ${ago}) * 1000000)
    || substr(split_part(${id}, '_', 2), 10)`;
}

/**
 * Returns `count` deterministic times within the last `span` seconds, as seconds ago, the latest
 * last. Fewer fall into the night.
 */
export function randomTimes(count: number, span: number, seed: number): number[] {
  const random = seededRandom(seed);
  const now = Date.now() / 1000;
  const found: number[] = [];
  while (found.length < count) {
    const ago = Math.floor(random() * span);
    const hour = ((now - ago) / HOUR) % 24;
    const business = 0.12 + 0.88 * Math.max(0, Math.sin(((hour - 5) / 15) * Math.PI));
    if (random() < business) found.push(ago);
  }
  return found.sort((one, other) => other - one);
}

/** Mulberry32: a seeded generator of numbers from 0 to 1. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
