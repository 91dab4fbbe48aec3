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
import { notingVersion, VERSIONS_KEPT } from "./history";
import {
  type ArtifactRow,
  type ListedArtifactRow,
  serializeArtifact,
  serializeListedArtifact,
} from "./serialize";
import { shareUrl } from "./share-token";

const LISTED_COLUMNS = sql`id, organization_id, name, size, format, external_id, created_at,
  updated_at, revision`;
const COLUMNS = sql`${LISTED_COLUMNS}, content`;

export const claimableArtifact = claimableKind<ArtifactRow>({
  prefix: "art",
  noun: "artifact",
  page: "artifacts",
  schema: Artifact,
  table: sql`artifacts`,
  columns: COLUMNS,
  serialize: serializeArtifact,
});

const { find } = claimableArtifact;
export const { remove } = claimableArtifact;

/** The artifacts of the caller's organization, newest first, without content. Anonymous: none. */
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
 * Creates an artifact for the caller's organization, or a public one with a claim token; with
 * `share`, also a link that shows it to anyone and survives a claim.
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
        ), ${notingVersion(caller)} ${shareId === undefined ? sql`` : sharing(shareId)}
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

/** The part of the statement that creates an artifact which shares it. */
function sharing(shareId: string): Statement {
  return sql`, shared AS (
    INSERT INTO artifact_shares (id, artifact_id, organization_id, by_creator)
    SELECT ${shareId}, id, organization_id, true FROM written
  )`;
}

/** One artifact with its content. Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Artifact> {
  return serializeArtifact(await find(caller, id));
}

/** Changes the given fields. Throws 404, 403, and 412 when it is not what the caller saw. */
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
  // What SET reads is the row under its lock, so that versions have no gaps and none comes twice.
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
    ), ${notingVersion(caller)}, dropped AS (
      DELETE FROM artifact_versions USING written
      WHERE artifact_id = id AND number = version_count - ${VERSIONS_KEPT}::int
    )
    SELECT ${COLUMNS} FROM written`);
  return updated ? serializeArtifact(updated) : update(caller, id, changes, precondition);
}

/** To whom an artifact belongs, and who may claim it. */
export interface ArtifactOwner {
  organization_id: string | null;
  claim_token_digest: string | null;
  revision: number;
}

/** The owner of an artifact that the caller may reach, without its content. Throws 404 and 403. */
export function access(caller: Caller, id: string): Promise<ArtifactOwner> {
  const columns = sql`organization_id, claim_token_digest, revision`;
  return find<ArtifactOwner>(caller, id, { columns });
}
