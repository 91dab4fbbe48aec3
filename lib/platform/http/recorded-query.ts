import { sql } from "@/lib/platform/db/sql";

/** Approximate response bytes of `query_string`. As in `lease_events`. */
export const QUERY_WEIGHT = sql`8 * octet_length(query_string)`;

/** The query of a recorded request, by name; of a repeated name, the last value. */
export function readQuery(query: string): Record<string, string> {
  if (query === "") return {};
  // `fromEntries` treats `__proto__` as a normal name. URLSearchParams strips one leading question
  // mark, so add one.
  return Object.fromEntries(new URLSearchParams(`?${query}`));
}
