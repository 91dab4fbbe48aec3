import { unchangedSinceRead } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { columns, type OrNull, type Row, type RowOf } from "@/lib/platform/db/columns";
import { type Commit, UNRECORDED } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { join, query, queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError, invalidParam, notFound } from "@/lib/platform/errors";
import type { List, ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { isCreators } from "@/lib/resources/claim-token";
import { type ArtifactShare, type ListedShare, SHARES_MAX, type ShareCreate } from "./contract";
import { type ArtifactOwner, access } from "./service";
import { auditShares, shareUrl } from "./share-link";

/** How long an ended link still reports the reason. */
export const ENDED_RETENTION_SECONDS = 90 * 86_400;
/**
 * The maximum number of ended links of an artifact that are kept to report theirs. The artifact's
 * deletion writes to each of them in one statement.
 */
export const ENDED_MAX = 1000;

const COLUMNS = columns("ArtifactShare", "id, organization_id, by_creator, created_at, expires_at");

/**
 * Creates a share link. A claim of the artifact ends it unless it was created with the claim token,
 * which only the creator knows. Throws 404, 403 if another organization owns the artifact or the
 * token is wrong, and 400 if the body has a token but the artifact has none, or after `SHARES_MAX`.
 */
export async function share(
  caller: Caller,
  id: string,
  input: ShareCreate,
  commit: Commit,
): Promise<ArtifactShare> {
  const row = await access(caller, id);
  if (input.claim_token !== undefined && row.claim_token_digest === null) throw noClaimToken();
  const byCreator = await isCreators(caller, id);
  const shareId = newId("shr");
  const expiresIn = input.expires_in ?? null;
  // Strangers do not use up the links of a public artifact's creator.
  const isCounted = row.organization_id === null ? sql`by_creator = ${byCreator}` : outlives(row);
  // Two conditions of an index, which reads no link that has expired: there may be very many.
  const live = [sql`expires_at IS NULL`, sql`expires_at > unix_now()`].map(
    (isLive) =>
      sql`SELECT 1 FROM artifact_shares WHERE artifact_id = ${id} AND ${isLive} AND ${isCounted}`,
  );
  // (a) The condition is false if a claim came first. If one commits later, the link belongs to the
  // public artifact, so it ends unless it was created with the token. Links that are made at the
  // same time may exceed the maximum, and skip the ended links that another one of them deletes.
  const insert = sql`
    WITH live AS (
      SELECT count(*) AS links FROM (${join(live, " UNION ALL ")}) AS link
    ), made AS (
      INSERT INTO artifact_shares (id, artifact_id, organization_id, by_creator, expires_at)
      SELECT ${shareId}, id, organization_id, ${byCreator}, unix_now() + ${expiresIn}::bigint
      FROM artifacts WHERE id = ${id} AND ${unchangedSinceRead(row, undefined)}
        AND (SELECT links FROM live) < ${SHARES_MAX}
      FOR KEY SHARE
      RETURNING artifact_id AS id, organization_id, created_at, expires_at
    ), forgotten AS (
      DELETE FROM artifact_shares WHERE EXISTS (SELECT FROM made) AND id IN (
        SELECT id FROM artifact_shares WHERE id IN (
          SELECT id FROM artifact_shares WHERE artifact_id = ${id} AND expires_at <= unix_now()
          ORDER BY expires_at DESC OFFSET ${ENDED_MAX} LIMIT ${ENDED_MAX}
        ) FOR UPDATE SKIP LOCKED
      )
    ), recorded AS (${recordChanges("artifacts", "shared", sql`made`, actorOf(caller))}
    ), audited AS (${auditShares(sql`(
        SELECT ${shareId}::text AS id, id AS artifact_id, organization_id,
               ${actorOf(caller)}::text AS actor FROM made) AS link`)})
    SELECT links, created_at, expires_at FROM live LEFT JOIN made ON true`;
  const shared = await commit(async (db) => {
    const made = await queryOne<Made>(insert, db);
    if (made && made.links >= SHARES_MAX) {
      const most = `An artifact can have at most ${SHARES_MAX} active share links.`;
      throw invalidParam("id", `${most} Revoke one first.`);
    }
    if (!made || made.created_at === null) return UNRECORDED;
    const { created_at, expires_at } = made;
    return {
      id: shareId,
      object: "artifact_share" as const,
      artifact_id: id,
      url: shareUrl(shareId),
      share_url: shareUrl(shareId),
      survives_claim: byCreator || row.organization_id !== null,
      ...{ created_at, expires_at },
    };
  });
  return shared === UNRECORDED ? share(caller, id, input, commit) : shared;
}

/** The links that worked before, and the new one if it was made. */
type Made = { links: number } & OrNull<Row<"ArtifactShare", "created_at" | "expires_at">>;

/** The active links of an artifact, newest first. Throws 404 and 403. */
export async function listShares(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<ListedShare>> {
  const row = await access(caller, id);
  return listNewest<RowOf<typeof COLUMNS>, ListedShare>(
    {
      table: sql`artifact_shares`,
      columns: COLUMNS,
      conditions: [sql`artifact_id = ${id}`, isActive(row)],
      serialize: (one) => ({
        id: one.id,
        object: "artifact_share",
        artifact_id: id,
        survives_claim: one.by_creator || row.organization_id !== null,
        survived_claim: one.organization_id !== row.organization_id,
        expires_at: one.expires_at,
        created_at: one.created_at,
      }),
    },
    listQuery,
  );
}

/** Throws 404 if the link is not active, and 404 and 403 for the artifact. */
export async function revokeShare(caller: Caller, id: string, shareId: string): Promise<void> {
  const revoked = await revoke(caller, id, sql`id = ${shareId}`);
  if (revoked === 0) throw notFound("active share link", shareId);
}

/** Revokes every link of the artifact. Throws 404, or 403 when another organization owns it. */
export async function revokeAll(caller: Caller, id: string): Promise<void> {
  await revoke(caller, id, sql`true`);
}

/**
 * Deletes up to `limit` links that ended long ago and returns their number. `created_at` of a link
 * without an artifact is the time of the artifact's deletion.
 */
export function removeEndedShares(limit: number): Promise<number> {
  const where = sql`expires_at <= unix_now() - ${ENDED_RETENTION_SECONDS}
    OR (artifact_id IS NULL AND created_at <= unix_now() - ${ENDED_RETENTION_SECONDS})`;
  return removeRows({ table: sql`artifact_shares`, where }, limit);
}

/**
 * (a) Revokes only active links, so that an ended one keeps its reason, and returns their number.
 * Throws 404 and 403 for the artifact.
 */
async function revoke(caller: Caller, id: string, which: Sql): Promise<number> {
  const row = await access(caller, id);
  const changed = sql`(SELECT ${id}::text AS id, ${row.organization_id}::text AS organization_id
    WHERE EXISTS (SELECT FROM revoked))`;
  const revoked = await query(sql`
    WITH revoked AS (
      UPDATE artifact_shares SET revoked = true, expires_at = unix_now()
      WHERE ${which} AND ${isActive(row)} AND artifact_id IN (
        SELECT id FROM artifacts WHERE id = ${id} AND ${unchangedSinceRead(row, undefined)}
      ) RETURNING id
    ), recorded AS (${recordChanges("artifacts", "unshared", changed, actorOf(caller))})
    SELECT id FROM revoked`);
  if (revoked.length > 0) return revoked.length;
  // A claim may have come between the two statements.
  const { organization_id } = await access(caller, id);
  return organization_id === row.organization_id ? 0 : revoke(caller, id, which);
}

function noClaimToken() {
  return new ApiError(
    "resource_not_claimable",
    "This artifact was created with an API key and has no claim token. Omit claim_token.",
    { param: "claim_token" },
  );
}

/** Whether a link has not expired, been revoked or been ended by a claim. */
function isActive(row: ArtifactOwner): Sql {
  return sql`(expires_at IS NULL OR expires_at > unix_now()) AND ${outlives(row)}`;
}

/** Whether no claim has ended a link. */
function outlives({ organization_id }: ArtifactOwner): Sql {
  return sql`(by_creator OR organization_id IS NOT DISTINCT FROM ${organization_id})`;
}
