import { type Sql, sql } from "./sql";

/**
 * A LIKE pattern that finds `text` anywhere. Postgres rejects NUL, which no stored text contains.
 */
export function likePattern(text: string): string {
  return `%${text.replaceAll("\0", "").replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** The condition that one of the columns contains `words`, ignoring case. */
export function contains(columns: readonly [Sql, ...Sql[]], words: string): Sql {
  const pattern = likePattern(words);
  return columns
    .map((column) => sql`coalesce(${column}, '') ILIKE ${pattern}`)
    .reduce((left, right) => sql`(${left} OR ${right})`);
}
