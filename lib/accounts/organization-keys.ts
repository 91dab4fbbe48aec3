import * as z from "zod";
import { type Caller, type Scope, scopes } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { contains } from "@/lib/db/like";
import { type Db, query, queryOne, sql, transaction } from "@/lib/db/sql";
import { ApiError, notFound } from "@/lib/errors";
import { text, unixSeconds } from "@/lib/http/fields";
import { emptyList, type List, type ListQuery } from "@/lib/http/list";
import { listNewest } from "@/lib/http/newest";
import { audit, revocationOf } from "./audit";
import { newApiKey, storedForm } from "./key-format";

export const KeyCreate = z.strictObject({
  name: text({ min: 1, max: 100 }),
  scopes: z.array(z.enum(scopes)).min(1),
  expires_at: unixSeconds().nullable(),
});
export type KeyCreate = z.infer<typeof KeyCreate>;

/** Everything about a key except the key itself. */
export interface KeySummary {
  id: string;
  name: string;
  kind: "api_key" | "access_token";
  prefix: string;
  last_four: string;
  scopes: Scope[];
  registration_id: string | null;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  state: "live" | "expired" | "revoked";
}

/** The keys of the caller's organization: live ones first, then newest first. */
export async function listKeys(caller: Caller): Promise<KeySummary[]> {
  if (caller.kind === "anonymous") return [];
  return query<KeySummary>(sql`
    SELECT ${COLUMNS} FROM api_keys
    WHERE organization_id = ${caller.organizationId} AND kind <> 'oauth_grant'
    ORDER BY revoked_at IS NOT NULL OR coalesce(expires_at <= unix_now(), false), id DESC
    LIMIT 200`);
}

/** The keys whose name, ID, or shown first or last characters contain the words, newest first. */
export async function findKeys(
  caller: Caller,
  words: string,
  listQuery: ListQuery,
): Promise<List<KeySummary>> {
  if (caller.kind === "anonymous") return emptyList(listQuery);
  return listNewest<KeySummary, KeySummary>(
    {
      table: sql`api_keys`,
      organizationId: caller.organizationId,
      columns: COLUMNS,
      longTexts: [],
      conditions: [sql`kind <> 'oauth_grant'`],
      search: contains([sql`name`, sql`id`, sql`prefix || '…' || last_four`], words),
      serialize: (row) => row,
    },
    listQuery,
  );
}

/** Creates a key in the transaction `db`. The key itself is returned once and never stored. */
export async function makeKey(
  caller: Caller,
  input: KeyCreate,
  db: Db,
): Promise<{ key: string; shown: KeySummary }> {
  const { userId, organizationId } = requirePerson(caller);
  const key = newApiKey();
  const stored = storedForm(key);
  const shown = await queryOne<KeySummary>(
    sql`
    INSERT INTO api_keys (id, organization_id, name, digest, prefix, last_four, scopes, expires_at)
    VALUES (${newId("key")}, ${organizationId}, ${input.name}, ${stored.digest}, ${stored.prefix},
            ${stored.lastFour}, ${input.scopes}, ${input.expires_at})
    RETURNING ${COLUMNS}`,
    db,
  );
  if (!shown) throw new Error("An insert returned no row.");
  await audit(db, {
    action: "key.created",
    actor: userId,
    organizationId,
    data: { key: shown.id, name: input.name },
  });
  return { key, shown };
}

/** Revokes a key or OAuth grant and ends its sessions. Throws 404 for a key of another organization. */
export async function revokeKey(caller: Caller, id: string): Promise<void> {
  const { userId, organizationId } = requirePerson(caller);
  await transaction(async (db) => {
    const revoked = await queryOne<{ name: string; kind: string }>(
      sql`
      UPDATE api_keys SET revoked_at = coalesce(revoked_at, unix_now())
      WHERE id = ${id} AND organization_id = ${organizationId} RETURNING name, kind`,
      db,
    );
    if (!revoked) throw notFound("key", id);
    await query(sql`DELETE FROM sessions WHERE key_id = ${id}`, db);
    await audit(db, {
      action: revocationOf(revoked.kind),
      actor: userId,
      organizationId,
      data: { key: id, name: revoked.name },
    });
  });
}

/**
 * Revokes the live keys a member created, the keys that replaced them by rotation, and their
 * sessions. The creator is found in the audit log. `db` is a transaction.
 */
export async function revokeKeysCreatedBy(
  db: Db,
  actor: { userId: string; organizationId: string },
  creatorId: string,
): Promise<void> {
  const { userId, organizationId } = actor;
  const revoked = await query<{ id: string; name: string }>(
    sql`
    WITH RECURSIVE made (id) AS (
      SELECT data->>'key' FROM audit_events
      WHERE organization_id = ${organizationId} AND action = 'key.created' AND actor = ${creatorId}
      UNION
      SELECT replaced_by_id FROM api_keys JOIN made USING (id) WHERE replaced_by_id IS NOT NULL
    )
    UPDATE api_keys SET revoked_at = unix_now() FROM made
    WHERE api_keys.id = made.id AND organization_id = ${organizationId} AND revoked_at IS NULL
    RETURNING api_keys.id, name`,
    db,
  );
  await query(
    sql`DELETE FROM sessions WHERE key_id = ANY(${revoked.map(({ id }) => id)}::text[])`,
    db,
  );
  for (const { id, name } of revoked) {
    const data = { key: id, name };
    await audit(db, { action: "key.revoked", actor: userId, organizationId, data });
  }
}

/** Only people manage keys and members: a leaked key must not be able to create more. */
export function requirePerson(caller: Caller): { userId: string; organizationId: string } {
  if (caller.kind === "user") return caller;
  throw new ApiError(
    "forbidden",
    "Only a person may do this. Sign in with your email address instead of an API key.",
  );
}

const COLUMNS = sql`id, name, kind, prefix, last_four, scopes, registration_id, created_at, expires_at,
  last_used_at,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
       WHEN expires_at <= unix_now() THEN 'expired' ELSE 'live' END AS state`;
