import * as z from "zod";
import { maySeeAddresses } from "@/lib/identity/access";
import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { requireMember, requirePerson } from "@/lib/identity/people/person";
import { type Caller, scopes } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import { columns, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, together } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { contains } from "@/lib/platform/db/like";
import { queryShown } from "@/lib/platform/db/replica";
import { sql, transaction } from "@/lib/platform/db/sql";
import { notFound } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { countTry } from "@/lib/platform/limits/fixed-window";
import { emptyList, type List, type ListQuery, page, rowsToRead } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { endChain } from "./end-keys";
import { newApiKey, storedForm } from "./key-format";
import { USES } from "./key-uses";

const DAYS_MAX = 36_500;

export const KeyCreate = z.strictObject({
  name: text({ min: 1, max: 100 }),
  scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
  /** Null for a key that does not expire. */
  expires_in_days: z.int().min(1).max(DAYS_MAX).nullable(),
});
export type KeyCreate = z.infer<typeof KeyCreate>;

/** Everything about a key except the key itself. */
export type KeySummary = RowOf<typeof STORED> & {
  state: "live" | "expired" | "revoked";
  /** Whether another key has replaced it. */
  is_rotated: boolean;
  /** How often it was used on each of the last days, the oldest first. */
  uses: number[];
  /** The address of the member who made it; null for callers that may not see addresses. */
  creator: string | null;
  /** The other live key of its rotation chain, which a revocation ends too. */
  ends_with: "the one that replaced it" | "the one that it replaced" | null;
};

/** A page of the keys of the caller's organization: live ones first, then newest first. */
export async function listKeys(caller: Caller, listQuery: ListQuery): Promise<List<KeySummary>> {
  if (caller.kind === "anonymous") return emptyList(listQuery);
  const last = listQuery.after ?? null;
  // (d) Reads the keys once, to sort and to count them.
  const rows = await queryShown<KeySummary & { total: number }>(sql`
    WITH owned AS MATERIALIZED (
      SELECT id AS owned_id, ${HAS_ENDED} AS has_ended FROM api_keys
      WHERE organization_id = ${caller.organizationId} AND kind <> 'oauth_grant'
    ), shown AS (
      SELECT owned_id, has_ended FROM owned
      WHERE ${last}::text IS NULL OR (has_ended, ${last}) > (
        coalesce((SELECT ${HAS_ENDED} FROM api_keys WHERE id = ${last}), false), owned_id)
      ORDER BY has_ended, owned_id DESC LIMIT ${rowsToRead(listQuery)}
    )
    SELECT ${columnsFor(caller)}, (SELECT count(*) FROM owned) AS total
    FROM shown JOIN api_keys ON id = owned_id
    ORDER BY has_ended, id DESC`);
  const keys = rows.map(({ total: _, ...key }) => key);
  return page(keys, listQuery, rows[0]?.total ?? 0);
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
      columns: columnsFor(caller),
      conditions: [sql`kind <> 'oauth_grant'`],
      search: contains([sql`name`, sql`id`, sql`prefix || '…' || last_four`], words),
      serialize: (row) => row,
    },
    listQuery,
  );
}

/** Keys that an organization may create in a day, since each has its own rate limit. */
export const KEY_CREATION_LIMIT = { limit: 1000, windowSeconds: 86_400 };

/** Creates a key. The key itself is returned once and never stored. Throws 429 after too many. */
export function makeKey(
  caller: Caller,
  { expires_in_days: days, ...given }: KeyCreate,
  commit: Commit,
): Promise<string> {
  return commit(
    together(async (tx) => {
      const { userId, organizationId } = await requireMember(caller, tx);
      await countTry(`keys:${organizationId}`, KEY_CREATION_LIMIT, tx);
      const key = newApiKey();
      const { id } = await tx.apiKey.create({
        data: {
          ...given,
          ...storedForm(key),
          expires_at: days === null ? null : (await unixNow(tx)) + days * 86_400,
          id: newId("key"),
          organization_id: organizationId,
          created_by_user_id: userId,
        },
        select: { id: true },
      });
      await audit(tx, {
        action: "key.created",
        actor: userId,
        organizationId,
        data: { key: id, name: given.name },
      });
      return key;
    }),
  );
}

/** Revokes a key with its chain of rotations, or a grant. Throws 403 and 404. */
export async function revokeKey(caller: Caller, id: string): Promise<void> {
  const { organizationId } = requirePerson(caller);
  await transaction(async (tx) => {
    await lockOrganizations(tx, sql`${organizationId}`);
    const { userId } = await requireMember(caller, tx);
    const found = await tx.apiKey.findUnique({
      where: { id, organization_id: organizationId },
      select: { id: true },
    });
    if (!found) throw notFound("key", id);
    await endChain(tx, id, { actor: userId, organizationId });
  });
}

const HAS_ENDED = sql`(revoked_at IS NOT NULL OR coalesce(expires_at <= unix_now(), false))`;

const STORED = columns(
  "ApiKey",
  `id, name, kind, prefix, last_four, scopes, registration_id, created_at, expires_at,
   last_used_at`,
);

const columnsFor = (caller: Caller) => sql`${STORED}, ${USES} AS uses,
  ${maySeeAddresses(caller) ? sql`(SELECT email FROM users WHERE users.id = created_by_user_id)` : sql`NULL`} AS creator,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
       WHEN expires_at <= unix_now() THEN 'expired' ELSE 'live' END AS state,
  replaced_by_id IS NOT NULL AS is_rotated,
  CASE WHEN replaced_by_id IS NOT NULL THEN 'the one that replaced it'
       WHEN old_key_ends_at > unix_now() THEN 'the one that it replaced' END AS ends_with`;
