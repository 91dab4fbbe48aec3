import { unchangedSinceRead } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { query, queryOne, type Statement, sql } from "@/lib/db/sql";
import { ApiError, notFound } from "@/lib/errors";
import type { List } from "@/lib/http/list";
import { listNewest } from "@/lib/http/newest";
import { assertClaimToken } from "@/lib/resources/claim-token";
import type { ArtifactShare, ListedShare, ShareCreate, ShareListQuery } from "./contract";
import { type ArtifactOwner, access } from "./service";
import { shareUrl } from "./share-token";

/** How long a link that ended can still say why. */
const ENDED_KEPT_SECONDS = 90 * 86_400;

/**
 * Makes a link that shows the artifact to anyone. A claim of the artifact ends it, unless `input`
 * has the claim token, which only the creator was given. `client` is who sends the token, for the
 * limit on wrong ones. Throws 404, 403 when another organization owns it or the token is wrong, and
 * 400 for a token of an artifact that was created with a key and never had one.
 */
export async function share(
  caller: Caller,
  id: string,
  input: ShareCreate,
  client: string,
): Promise<ArtifactShare> {
  const row = await access(caller, id);
  const token = input.claim_token;
  if (token !== undefined) {
    if (row.claim_token_digest === null) throw hasNoClaimToken();
    await assertClaimToken(row.claim_token_digest, token, client);
  }
  const shareId = newId("shr");
  const expiresIn = input.expires_in ?? null;
  // A claim that comes first makes the condition false. One that comes in between does not: the link
  // then has no owner, like every link made before the claim, and ends unless its maker had the token.
  const made = await queryOne<{ created_at: number; expires_at: number | null }>(sql`
    INSERT INTO artifact_shares (id, artifact_id, organization_id, by_creator, expires_at)
    SELECT ${shareId}, id, organization_id, ${token !== undefined}, unix_now() + ${expiresIn}::bigint
    FROM artifacts WHERE id = ${id} AND ${unchangedSinceRead(row, undefined)}
    FOR KEY SHARE
    RETURNING created_at, expires_at`);
  if (!made) return share(caller, id, input, client);
  return {
    id: shareId,
    object: "artifact_share",
    artifact_id: id,
    url: shareUrl(shareId),
    ...made,
  };
}

/** The links that show the artifact now, newest first. Throws 404 and 403. */
export async function listShares(
  caller: Caller,
  id: string,
  listQuery: ShareListQuery,
): Promise<List<ListedShare>> {
  const row = await access(caller, id);
  return listNewest<ShareRow, ListedShare>(
    {
      table: sql`artifact_shares`,
      columns: sql`id, artifact_id, organization_id, created_at, expires_at`,
      longTexts: [],
      conditions: [sql`artifact_id = ${id}`, works(row)],
      serialize: (one) => ({
        id: one.id,
        object: "artifact_share",
        artifact_id: one.artifact_id,
        survived_claim: one.organization_id !== row.organization_id,
        expires_at: one.expires_at,
        created_at: one.created_at,
      }),
    },
    listQuery,
  );
}

/** Ends one link. Throws 404 when it does not work any more, and like `share`. */
export async function revokeShare(caller: Caller, id: string, shareId: string): Promise<void> {
  const row = await access(caller, id);
  const revoked = await revoke(id, row, sql`id = ${shareId}`);
  if (revoked > 0) return;
  // After a claim in between it is 403.
  await access(caller, id);
  throw notFound("share link that works", shareId);
}

/** Ends every link of the artifact. Throws 404, or 403 when another organization owns it. */
export async function revokeAll(caller: Caller, id: string): Promise<void> {
  await revoke(id, await access(caller, id), sql`true`);
}

/** Removes links that ended long ago, `limit` at most; gives how many. */
export async function removeEndedShares(limit: number): Promise<number> {
  const removed = await query(sql`
    DELETE FROM artifact_shares WHERE id IN (
      SELECT id FROM artifact_shares
      WHERE expires_at <= unix_now() - ${ENDED_KEPT_SECONDS}
         OR (artifact_id IS NULL AND created_at <= unix_now() - ${ENDED_KEPT_SECONDS})
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING id`);
  return removed.length;
}

interface ShareRow {
  id: string;
  artifact_id: string;
  organization_id: string | null;
  created_at: number;
  expires_at: number | null;
}

/** Revokes only links that work: one that has ended keeps the reason why it did. */
async function revoke(id: string, row: ArtifactOwner, which: Statement): Promise<number> {
  const revoked = await query(sql`
    UPDATE artifact_shares SET revoked = true, expires_at = unix_now()
    WHERE ${which} AND ${works(row)} AND artifact_id IN (
      SELECT id FROM artifacts WHERE id = ${id} AND ${unchangedSinceRead(row, undefined)}
    ) RETURNING id`);
  return revoked.length;
}

function hasNoClaimToken() {
  return new ApiError(
    "resource_not_claimable",
    "This artifact was created with an API key and has no claim token. Leave claim_token out.",
    { param: "claim_token" },
  );
}

/** Whether a link of the artifact shows it: it has not ended, by time, by hand or by a claim. */
function works(row: ArtifactOwner): Statement {
  return sql`(expires_at IS NULL OR expires_at > unix_now())
    AND (by_creator OR organization_id IS NOT DISTINCT FROM ${row.organization_id})`;
}
