import { organizationOf, unchangedSinceRead } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { newId } from "@/lib/db/ids";
import { type Db, queryOne, type Statement, sql } from "@/lib/db/sql";
import type { Precondition } from "@/lib/http/conditional";
import { emptyList, type List } from "@/lib/http/list";
import { listNewest } from "@/lib/http/newest";
import { claimableKind } from "@/lib/resources/kind";
import {
  Artifact,
  type ArtifactCreate,
  type ArtifactListQuery,
  type ArtifactUpdate,
  type CreatedArtifact,
  type ListedArtifact,
} from "./contract";
import {
  type ArtifactRow,
  type ListedArtifactRow,
  serializeArtifact,
  serializeListedArtifact,
} from "./serialize";
import { shareUrl } from "./share-token";
import { recordVersion, VERSIONS_MAX } from "./versions";

const LISTED_COLUMNS = sql`id, organization_id, name, size, format, external_id, created_at,
  updated_at, revision`;
const COLUMNS = sql`${LISTED_COLUMNS}, content`;

export const claimableArtifact = claimableKind<ArtifactRow>({
  name: "artifacts",
  schema: Artifact,
  table: sql`artifacts`,
  columns: COLUMNS,
  serialize: serializeArtifact,
});

const { find } = claimableArtifact;
export const { remove } = claimableArtifact;

/**
 * The artifacts of the caller's organization, newest first, without content. Empty for anonymous
 * callers.
 */
export async function list(
  caller: Caller,
  listQuery: ArtifactListQuery,
): Promise<List<ListedArtifact>> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) return emptyList(listQuery);
  const conditions = [sql`organization_id = ${organizationId}`];
  if (listQuery.external_id !== undefined) {
    conditions.push(sql`external_id = ${listQuery.external_id}`);
  }
  return listNewest<ListedArtifactRow, ListedArtifact>(
    {
      table: sql`artifacts`,
      columns: LISTED_COLUMNS,
      longTexts: [sql`external_id`],
      conditions,
      serialize: serializeListedArtifact,
    },
    listQuery,
  );
}

/**
 * Creates an artifact in the caller's organization, or a public one with a claim token. `share`
 * also creates a link that survives a claim.
 */
export async function create(
  caller: Caller,
  input: ArtifactCreate,
  db?: Db,
  options: { share: boolean } = { share: false },
): Promise<CreatedArtifact> {
  const { id, ...ticket } = claimableArtifact.newTicket(caller);
  const shareId = options.share ? newId("shr") : undefined;
  const row = await queryOne<ListedArtifactRow>(
    sql`WITH written AS (
          INSERT INTO artifacts (id, organization_id, claim_token_digest, name, format, content,
                                 size, external_id)
          VALUES (${id}, ${organizationOf(caller)}, ${ticket.digest}, ${input.name},
                  ${input.format ?? "markdown"}, ${input.content},
                  ${Buffer.byteLength(input.content)}, ${input.external_id ?? null})
          RETURNING ${LISTED_COLUMNS}, version_count
        ), ${recordVersion(caller)} ${shareId === undefined ? sql`` : insertShare(shareId)}
        SELECT ${LISTED_COLUMNS} FROM written`,
    db,
  );
  if (!row) throw new Error("An insert returned no row.");
  return {
    ...serializeArtifact({ ...row, content: input.content }),
    ...ticket.fields,
    ...(shareId !== undefined && { share_url: shareUrl(shareId) }),
  };
}

/** A `WITH` query that shares the artifact being created. */
function insertShare(shareId: string): Statement {
  return sql`, shared AS (
    INSERT INTO artifact_shares (id, artifact_id, organization_id, by_creator)
    SELECT ${shareId}, id, organization_id, true FROM written
  )`;
}

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Artifact> {
  return serializeArtifact(await find(caller, id));
}

/** Throws 404, 403, and 412 when the precondition fails. */
export async function update(
  caller: Caller,
  id: string,
  changes: ArtifactUpdate,
  precondition?: Precondition,
): Promise<Artifact> {
  const row = await find(caller, id);
  precondition?.(serializeArtifact(row));
  const { name = null, content = null, format = null } = changes;
  if (name === null && content === null && format === null) return serializeArtifact(row);
  const size = content === null ? null : Buffer.byteLength(content);
  // SET reads the locked row, so version numbers have no gaps or duplicates.
  const updated = await queryOne<ArtifactRow>(sql`
    WITH given AS (
      SELECT ${name}::text AS new_name, ${format}::text AS new_format,
             ${content}::text AS new_content, ${size}::int AS new_size
    ), written AS (
      UPDATE artifacts SET
        name = COALESCE(new_name, name), format = COALESCE(new_format, format),
        content = COALESCE(new_content, content), size = COALESCE(new_size, size),
        version_count = version_count + CASE
          WHEN new_name <> name OR new_format <> format OR new_content <> content THEN 1 ELSE 0 END,
        updated_at = unix_now(), revision = revision + 1
      FROM given
      WHERE id = ${id} AND ${unchangedSinceRead(row, precondition)}
      RETURNING ${COLUMNS}, version_count
    ), ${recordVersion(caller)}, dropped AS (
      DELETE FROM artifact_versions USING written
      WHERE artifact_id = id AND number = version_count - ${VERSIONS_MAX}::int
    )
    SELECT ${COLUMNS} FROM written`);
  return updated ? serializeArtifact(updated) : update(caller, id, changes, precondition);
}

/** Who owns an artifact and who may claim it. */
export interface ArtifactOwner {
  organization_id: string | null;
  claim_token_digest: string | null;
  revision: number;
}

/** Checks access without reading the content. Throws 404 and 403. */
export function access(caller: Caller, id: string): Promise<ArtifactOwner> {
  const columns = sql`organization_id, claim_token_digest, revision`;
  return find<ArtifactOwner>(caller, id, { columns });
}
