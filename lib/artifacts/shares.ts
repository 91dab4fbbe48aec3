import { createHmac, timingSafeEqual } from "node:crypto";
import { asDecidedOn, mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/accounts/caller";
import { config } from "@/lib/config";
import { newId } from "@/lib/db/ids";
import { query, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/http/errors";
import type { ArtifactShare, Format, ShareCreate } from "./contract";
import { access } from "./service";

const SIGNATURE_LENGTH = 32; // hex digits: 128 bits

/** What a share link shows. */
export interface SharedArtifact {
  name: string;
  format: Format;
  size: number;
  updated_at: number;
  expires_at: number | null;
}

/**
 * Makes a link that shows the artifact to anyone until it expires, is revoked, or the artifact
 * changes hands. Throws 404, or 403 when another organization owns it.
 */
export async function share(
  caller: Caller,
  id: string,
  input: ShareCreate,
): Promise<ArtifactShare> {
  const row = await access(caller, id);
  const shareId = newId("shr");
  const expiresIn = input.expires_in ?? null;
  const made = await queryOne<{ created_at: number; expires_at: number | null }>(sql`
    WITH expired AS (
      DELETE FROM artifact_shares WHERE artifact_id = ${id} AND expires_at <= unix_now()
    )
    INSERT INTO artifact_shares (id, artifact_id, organization_id, expires_at)
    SELECT ${shareId}, id, organization_id, unix_now() + ${expiresIn}::bigint
    FROM artifacts WHERE id = ${id} AND ${asDecidedOn(row, undefined)}
    FOR KEY SHARE
    RETURNING created_at, expires_at`);
  if (!made) return share(caller, id, input);
  return {
    object: "artifact_share",
    artifact_id: id,
    url: `${config().baseUrl}/a/${tokenOf(shareId)}`,
    ...made,
  };
}

/** Ends every share link of the artifact. Throws 404, or 403 when another organization owns it. */
export async function revoke(caller: Caller, id: string): Promise<void> {
  const row = await access(caller, id);
  await query(sql`
    DELETE FROM artifact_shares WHERE artifact_id IN (
      SELECT id FROM artifacts WHERE id = ${id} AND ${asDecidedOn(row, undefined)}
    )`);
}

/** How many links show the artifact now; 0 for whoever may not reach it. */
export async function countShares(caller: Caller, id: string): Promise<number> {
  const row = await queryOne<{ count: number }>(sql`
    SELECT count(*) FROM (SELECT id, organization_id AS owner FROM artifacts
                          WHERE id = ${id} AND ${mayReach(caller)}) AS artifact
    JOIN artifact_shares AS share ON artifact_id = artifact.id
    WHERE organization_id IS NOT DISTINCT FROM owner
      AND (expires_at IS NULL OR expires_at > unix_now())`);
  return row?.count ?? 0;
}

/** What the link with this token shows; undefined when it shows nothing, for whatever reason. */
export async function findShared(token: string): Promise<SharedArtifact | undefined> {
  const id = shareIdOf(token);
  if (id === undefined) return undefined;
  return queryOne<SharedArtifact>(sql`
    SELECT name, format, size, updated_at, expires_at ${live(id)}`);
}

/** Like `findShared`, with the content. Throws 404. */
export async function getShared(token: string): Promise<SharedArtifact & { content: string }> {
  const id = shareIdOf(token);
  const shared =
    id === undefined
      ? undefined
      : await queryOne<SharedArtifact & { content: string }>(sql`
          SELECT name, format, size, updated_at, expires_at, content ${live(id)}`);
  if (shared) return shared;
  throw new ApiError(
    "resource_not_found",
    "This link shows nothing: it has expired or was revoked, or the artifact is gone.",
  );
}

/** A link holds for the owner under whom it was made: a claim ends what strangers have shared. */
function live(shareId: string) {
  return sql`FROM (SELECT id AS share_id, artifact_id, organization_id AS shared_by, expires_at
                   FROM artifact_shares) AS share
    JOIN artifacts ON artifacts.id = artifact_id
    WHERE share_id = ${shareId} AND (expires_at IS NULL OR expires_at > unix_now())
      AND organization_id IS NOT DISTINCT FROM shared_by`;
}

/** The share's ID without its prefix, and its signature: letters and digits only, safe in any text. */
function tokenOf(shareId: string): string {
  return shareId.slice("shr_".length) + signatureOf(shareId);
}

/** The share that a token names, when the token is one of ours: the database is not asked before. */
function shareIdOf(token: string): string | undefined {
  if (!/^[0-9A-Za-z]{33,100}$/.test(token)) return undefined;
  const id = `shr_${token.slice(0, -SIGNATURE_LENGTH)}`;
  const given = Buffer.from(token.slice(-SIGNATURE_LENGTH));
  return timingSafeEqual(given, Buffer.from(signatureOf(id))) ? id : undefined;
}

function signatureOf(shareId: string): string {
  return createHmac("sha256", config().serverSecret)
    .update(`artifact-share:${shareId}`)
    .digest("hex")
    .slice(0, SIGNATURE_LENGTH);
}
