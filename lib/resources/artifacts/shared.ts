import { isDeleted } from "@/lib/identity/organizations/deleted";
import type { Row } from "@/lib/platform/db/columns";
import { queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { shareIdOf } from "./share-link";

/** The artifact that a share link shows. */
type SharedArtifact = Row<"Artifact", "name" | "format" | "size" | "updated_at"> &
  Row<"ArtifactShare", "expires_at">;

/** Why a link no longer works. `unknown`: the token is invalid. `gone`: why is no longer known. */
type EndReason = "unknown" | "gone" | "expired" | "revoked" | "claimed" | "deleted";

/** The reasons, as shown to visitors. */
export const END_MESSAGES: Record<EndReason, string> = {
  unknown: "This is not a valid share link. Part of it may be missing; letter case matters.",
  gone: "This share link no longer works.",
  expired: "This share link has expired.",
  revoked: "This share link was revoked by the owner of the document.",
  claimed: "This share link ended when an organization claimed the document.",
  deleted: "The document behind this share link was deleted.",
};

type ShareLookup<Artifact> = (Artifact & { ended: null }) | { ended: EndReason };

/** The shared artifact without its content, or why the link no longer works. */
export function findShared(token: string): Promise<ShareLookup<SharedArtifact>> {
  return read<SharedArtifact>(token, DESCRIPTION);
}

/** Like `findShared`, with the content. Throws 404 with the reason. */
export async function getShared(token: string): Promise<SharedArtifact & { content: string }> {
  const shared = await read<SharedArtifact & { content: string }>(
    token,
    sql`${DESCRIPTION}, content`,
  );
  if (shared.ended === null) return shared;
  throw new ApiError("resource_not_found", END_MESSAGES[shared.ended]);
}

const DESCRIPTION = sql`name, format, size, updated_at, expires_at`;

async function read<Artifact>(token: string, columns: Sql): Promise<ShareLookup<Artifact>> {
  const id = shareIdOf(token);
  if (id === undefined) return { ended: "unknown" };
  // (c) Every visit of a link runs it.
  const row = await queryOne<ShareLookup<Artifact>>(sql`
    SELECT ended, ${columns}
    FROM (SELECT artifact_id, expires_at,
                 CASE WHEN revoked THEN 'revoked'
                      WHEN expires_at <= unix_now() THEN 'expired'
                      WHEN artifact_id IS NULL OR ${isDeleted(sql`owner`)} THEN 'deleted'
                      WHEN NOT (by_creator OR share.organization_id IS NOT DISTINCT FROM owner)
                      THEN 'claimed' END AS ended
          FROM artifact_shares AS share
          LEFT JOIN (SELECT id AS owned_id, organization_id AS owner FROM artifacts) AS owned
            ON owned_id = artifact_id
          WHERE share.id = ${id}) AS link
    LEFT JOIN artifacts ON artifacts.id = artifact_id AND ended IS NULL`);
  return row ?? { ended: "gone" };
}
