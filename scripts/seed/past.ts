import { query, type Statement, sql } from "@/lib/db/sql";

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** A row as if it had been made that many seconds ago: its times, and the time in its ID. */
export interface Aged {
  id: string;
  ago: number;
  /** How long ago it was changed last. */
  changedAgo?: number;
}

/** Moves resources into the past; what belongs to them follows by its foreign keys. Gives their new IDs. */
export async function moveToPast(table: Statement, rows: Aged[]): Promise<string[]> {
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

/** An ID with another time in it (lib/db/ids.ts): prefix, nine digits of time, the random rest. */
export function pastId(id: Statement, ago: Statement): Statement {
  return sql`split_part(${id}, '_', 1) || '_' || id_time((unix_now() - ${ago}) * 1000000)
    || substr(split_part(${id}, '_', 2), 10)`;
}

/**
 * Seconds ago at which `count` things happened in the last `span` seconds, the latest last: few at
 * night, most by day, and the same ones every time.
 */
export function moments(count: number, span: number, seed: number): number[] {
  const random = randomFrom(seed);
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

/** Mulberry32: numbers from 0 to 1 that follow from the seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
