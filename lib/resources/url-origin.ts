import { type Sql, sql } from "@/lib/platform/db/sql";

/** The origin of a URL, in SQL. The rest of a URL may contain a secret. */
export function originOf(url: Sql): Sql {
  return sql`substring(${url} FROM '^[^:]+://[^/?#]+')`;
}
