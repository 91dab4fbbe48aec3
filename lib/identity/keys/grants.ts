import { maySeeAddresses } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { contains } from "@/lib/platform/db/like";
import { query, sql } from "@/lib/platform/db/sql";
import { USES } from "./key-uses";

/** The access that a person granted to an OAuth client. `revokeKey` ends it by its ID. */
export type GrantSummary = Row<"ApiKey", "id" | "name" | "scopes" | "created_at" | "last_used_at"> &
  Row<"OAuthGrant", "client_id" | "client_host" | "audience"> & {
    /** The email of the person who allowed it; null for callers that may not see addresses. */
    person: string | null;
    /** How often it was used on each of the last days, the oldest first. */
    uses: number[];
    /** Moves forward whenever the client is used. */
    expires_at: number;
    state: "live" | "expired" | "revoked";
  };

const GRANTS_SHOWN = 200;

/** The first grants of a list, and how many others there are. */
export interface GrantList {
  data: GrantSummary[];
  others: number;
}

/**
 * (d) The grants of the caller's organization: live ones first, then newest first. With `words`,
 * only those whose ID, name, host or shown person contains them. Ended grants are removed later.
 */
export async function listGrants(caller: Caller, words?: string): Promise<GrantList> {
  if (caller.kind === "anonymous") return { data: [], others: 0 };
  const person = maySeeAddresses(caller) ? sql`users.email` : sql`NULL::text`;
  const columns = [sql`key.id`, sql`key.name`, sql`client_host`, person] as const;
  const matching = words === undefined ? sql`true` : contains(columns, words);
  const rows = await query<GrantSummary & { total: number }>(sql`
    SELECT key.id, key.name, client_id, client_host, audience, key.scopes, ${person} AS person,
           key.created_at, key.expires_at, key.last_used_at, ${USES} AS uses,
           CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                WHEN expires_at <= unix_now() THEN 'expired' ELSE 'live' END AS state,
           count(*) OVER () AS total
    FROM api_keys AS key JOIN oauth_grants USING (id)
    LEFT JOIN users ON users.id = oauth_grants.user_id
    WHERE organization_id = ${caller.organizationId} AND key.kind = 'oauth_grant'
      AND ${matching}
    ORDER BY revoked_at IS NOT NULL OR expires_at <= unix_now(), id DESC
    LIMIT ${GRANTS_SHOWN}`);
  const others = (rows[0]?.total ?? 0) - rows.length;
  return { data: rows.map(({ total: _, ...grant }) => grant), others };
}
