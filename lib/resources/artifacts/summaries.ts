import { organizationOf } from "@/lib/identity/access";
import { actorName } from "@/lib/identity/actor-name";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryShown } from "@/lib/platform/db/replica";
import { sql } from "@/lib/platform/db/sql";

/** Postgres reads only the beginning of a long content for a summary. */
const START_CHARACTERS = 200;

/** What a list says about an artifact beside its name. */
export type ArtifactSummary = Row<"Artifact", "id" | "version_count"> & {
  /** The beginning of its content. */
  start: string;
  /** Who wrote the newest version: a key's name or a person's email, if the caller may see it. */
  author: string | null;
  is_shared: boolean;
};

/** Keyed by ID, for artifacts of the caller's organization; a few index lookups each. */
export async function summariesOf(
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, ArtifactSummary>> {
  if (ids.length === 0) return new Map();
  const author = actorName(caller, sql`version.author`, sql`artifact.organization_id`);
  const rows = await queryShown<ArtifactSummary>(sql`
    SELECT artifact.id, artifact.version_count,
           left(artifact.content, ${START_CHARACTERS}::integer) AS start,
           ${author.name} AS author,
           EXISTS (SELECT FROM artifact_shares AS share
                   WHERE share.artifact_id = artifact.id AND NOT share.revoked
                     AND (share.expires_at IS NULL OR share.expires_at > unix_now())
                     AND (share.by_creator OR share.organization_id = artifact.organization_id)
                  ) AS is_shared
    FROM artifacts AS artifact
    LEFT JOIN artifact_versions AS version
      ON version.artifact_id = artifact.id AND version.number = artifact.version_count
    ${author.joins}
    WHERE artifact.id = ANY (${ids}::text[]) AND artifact.organization_id = ${organizationOf(caller)}`);
  return new Map(rows.map((row) => [row.id, row]));
}
