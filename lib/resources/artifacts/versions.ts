import { mayReach } from "@/lib/identity/access";
import { actorName } from "@/lib/identity/actor-name";
import type { Caller } from "@/lib/platform/caller";
import type { OrNull, Row } from "@/lib/platform/db/columns";
import { prisma } from "@/lib/platform/db/prisma";
import { LARGE_ROWS_MAX, removeRows } from "@/lib/platform/db/remove-rows";
import { queryShown } from "@/lib/platform/db/replica";
import { queryOne, type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError, quote } from "@/lib/platform/errors";
import { type List, type ListQuery, page, rowsToRead, wantsTotal } from "@/lib/platform/lists/list";
import { toResource } from "@/lib/resources/to-resource";
import { ArtifactVersion, EARLIER_CONTENT_SECONDS, type Format, VERSIONS_MAX } from "./contract";
import { access } from "./service";

/** A version of an artifact, without its content. */
export type VersionRow = Row<
  "ArtifactVersion",
  "number" | "name" | "format" | "size" | "created_at"
> & {
  /** Null when unknown. */
  author_kind: "key" | "person" | "anonymous" | null;
  /** The key's name or the person's email, if they belong to the artifact's organization. */
  author_name: string | null;
  /** Whether the content can still be read. */
  kept: boolean;
};

/** The versions of an artifact, newest first. Throws 404 and 403. */
export async function listVersions(
  caller: Caller,
  id: string,
  listQuery: ListQuery,
): Promise<List<ArtifactVersion>> {
  await access(caller, id);
  const { after } = listQuery;
  const position = after === undefined ? sql`true` : sql`version.number < ${partsOf(after).number}`;
  const rows = await readVersions(caller, id, position, rowsToRead(listQuery));
  const total = wantsTotal(listQuery)
    ? await prisma.artifactVersion.count({ where: { artifact_id: id } })
    : undefined;
  return page(
    rows.map((row) => serializeVersion(id, row)),
    listQuery,
    total,
  );
}

/** All versions of an artifact, newest first; empty if the caller may not read it. */
export function allVersions(caller: Caller, id: string): Promise<VersionRow[]> {
  return readVersions(caller, id, sql`true`, VERSIONS_MAX);
}

/**
 * A version with its content. `number` is the text from a path. Throws 403, and 404 if there is no
 * such version or its content is no longer kept.
 */
export async function getVersion(
  caller: Caller,
  id: string,
  number: string,
): Promise<{ number: number; name: string; format: Format; content: string; isPublic: boolean }> {
  const { organization_id } = await access(caller, id);
  const wanted = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 0;
  // (d) The content is the artifact's, or that of the last version before the next content.
  const row = await queryOne<
    Row<"ArtifactVersion", "name" | "format"> & OrNull<Row<"ArtifactContent", "content">>
  >(sql`
    SELECT version.name, version.format,
           CASE WHEN later.number IS NULL THEN artifact.content ELSE replaced.content END AS content
    FROM (SELECT id, content FROM artifacts WHERE id = ${id} AND ${mayReach(caller)}) AS artifact
    JOIN artifact_versions AS version ON version.artifact_id = artifact.id
    LEFT JOIN LATERAL (
      SELECT number FROM artifact_versions
      WHERE artifact_id = version.artifact_id AND number > version.number AND NOT same_content
      ORDER BY number LIMIT 1
    ) AS later ON true
    LEFT JOIN artifact_contents AS replaced
      ON replaced.artifact_id = artifact.id AND replaced.number = later.number - 1
    WHERE version.number = ${wanted}`);
  if (!row) throw new ApiError("resource_not_found", `There is no version ${quote(number)}.`);
  const { content } = row;
  if (content !== null) {
    return { ...row, number: wanted, content, isPublic: organization_id === null };
  }
  throw new ApiError("resource_not_found", `The content of version ${wanted} is no longer kept.`);
}

/** The artifact that a version's ID belongs to. */
export function artifactOfVersion(versionId: string): string {
  return `art_${partsOf(versionId).artifact}`;
}

/** Deletes up to `limit` contents that were replaced long ago and returns their number. */
export function removeOldContents(limit: number): Promise<number> {
  const old = {
    table: sql`artifact_contents`,
    key: sql`artifact_id, number`,
    where: sql`replaced_at <= unix_now() - ${EARLIER_CONTENT_SECONDS}`,
    order: sql`replaced_at`,
  };
  return removeRows(old, Math.min(limit, LARGE_ROWS_MAX));
}

/** The versions that match `position`, newest first; none when the caller may not read the artifact. */
// (d) Window functions find which contents are kept.
function readVersions(
  caller: Caller,
  id: string,
  position: Sql,
  limit: number,
): Promise<VersionRow[]> {
  const author = actorName(caller, sql`version.author`, sql`artifact.organization_id`);
  return queryShown<VersionRow>(sql`
    SELECT version.number, version.name, version.format, version.size, version.created_at,
           CASE WHEN author = 'anonymous' THEN 'anonymous' WHEN author LIKE 'key\\_%' THEN 'key'
                WHEN author LIKE 'usr\\_%' THEN 'person' END AS author_kind,
           ${author.name} AS author_name,
           version.replaced_by IS NULL OR contents.number IS NOT NULL AS kept
    FROM (SELECT id, organization_id FROM artifacts WHERE id = ${id} AND ${mayReach(caller)})
      AS artifact
    JOIN (
      SELECT *, min(number) FILTER (WHERE NOT same_content) OVER (
                  ORDER BY number DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS replaced_by
      FROM artifact_versions WHERE artifact_id = ${id}
    ) AS version ON version.artifact_id = artifact.id
    LEFT JOIN artifact_contents AS contents
      ON contents.artifact_id = artifact.id AND contents.number = version.replaced_by - 1
    ${author.joins}
    WHERE ${position}
    ORDER BY version.number DESC LIMIT ${limit}`);
}

/**
 * The parts of a version's ID. For a text that is no such ID the number is 0, which precedes all
 * others.
 */
function partsOf(versionId: string): { artifact: string; number: number } {
  const [, artifact = "", number = "0"] = /^ver_([0-9A-Za-z]+)_(\d{1,9})$/.exec(versionId) ?? [];
  return { artifact, number: Number(number) };
}

function serializeVersion(artifactId: string, row: VersionRow): ArtifactVersion {
  return toResource(ArtifactVersion, row, {
    // The artifact's ID without its prefix, and the number: unique, and enough to continue a list.
    id: `ver_${artifactId.slice("art_".length)}_${row.number}`,
    artifact_id: artifactId,
    author: row.author_name,
    raw_url: row.kept ? `/api/artifacts/${artifactId}/versions/${row.number}/raw` : null,
  });
}
