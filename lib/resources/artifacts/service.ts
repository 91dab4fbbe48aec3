import type { Caller } from "@/lib/platform/caller";
import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import { newId } from "@/lib/platform/db/ids";
import { sql } from "@/lib/platform/db/sql";
import type { Precondition } from "@/lib/platform/http/conditional";
import { actorOf, recordChanges } from "@/lib/resources/change";
import { type Insertion, inserter } from "@/lib/resources/insertion";
import { lister } from "@/lib/resources/lister";
import { resource } from "@/lib/resources/resource";
import { toResource } from "@/lib/resources/to-resource";
import { givenColumns } from "@/lib/resources/update";
import {
  Artifact,
  ArtifactCreate,
  ArtifactUpdate,
  type CreatedArtifact,
  ListedArtifact,
  VERSIONS_MAX,
} from "./contract";
import { artifactKind } from "./kind";
import { auditShares, shareUrl } from "./share-link";

/** The columns of an artifact without its content. */
const LISTED_COLUMNS = columns(
  "Artifact",
  "id, organization_id, name, size, format, external_id, created_at, updated_at, revision",
);
const COLUMNS = sql`${LISTED_COLUMNS}, content`;

type ListedArtifactRow = RowOf<typeof LISTED_COLUMNS>;
type ArtifactRow = ListedArtifactRow & Row<"Artifact", "content">;

export const artifacts = resource(artifactKind, {
  schema: Artifact,
  columns: COLUMNS,
  serialize: serializeArtifact,
  get,
  // A link that is made or revoked is a use too, although it leaves `updated_at` alone.
  lastUsedAt: sql`greatest(updated_at, (
    SELECT max(CASE WHEN link.revoked THEN link.expires_at ELSE link.created_at END)
    FROM artifact_shares AS link WHERE link.artifact_id = artifacts.id))`,
  settings: (ids) => sql`
    SELECT artifact_id AS resource_id, 'share' AS setting, id AS value, by_creator AS survives_claim
    FROM artifact_shares WHERE artifact_id = ANY (${ids}) AND organization_id IS NULL
      AND (expires_at IS NULL OR expires_at > unix_now())`,
  large: true,
});

const { find } = artifacts;
export const { remove } = artifacts;

/** The artifacts of the caller's organization, without content. */
export const list = lister<ListedArtifactRow, ListedArtifact>({
  table: artifacts.table,
  columns: LISTED_COLUMNS,
  longTexts: ["external_id"],
  searched: [sql`name`],
  serialize: serializeListedArtifact,
});

/**
 * A new artifact of the caller's organization, or a public one with a claim token. With `isShared`, it
 * has a share link, which survives a claim.
 */
export function creation(
  caller: Caller,
  input: ArtifactCreate,
  { isShared = false } = {},
): Insertion<CreatedArtifact> {
  const { identity, claim } = artifacts.newIdentity(caller);
  const shareId = isShared ? newId("shr") : null;
  const row = {
    name: input.name,
    format: input.format ?? "markdown",
    content: input.content,
    size: Buffer.byteLength(input.content),
    external_id: input.external_id ?? null,
    author: authorOf(caller),
    share_id: shareId,
    ...identity,
  };
  return insertion(caller, row, (made) => ({
    ...serializeArtifact(made),
    ...claim,
    ...(shareId !== null && { share_url: shareUrl(shareId), url: shareUrl(shareId) }),
  }));
}

const insertion = inserter(artifactKind, {
  columns: [...ArtifactCreate.keyof().options, "size"],
  returned: sql`, version_count`,
  more: sql`, noted AS (
      INSERT INTO artifact_versions (artifact_id, number, name, format, size, author)
      SELECT id, written.version_count, name, format, size, item->>'author'
      FROM given JOIN written USING (id)
    ), shared AS (
      INSERT INTO artifact_shares (id, artifact_id, organization_id, by_creator)
      SELECT item->>'share_id', id, organization_id, true FROM given
      WHERE item->>'share_id' IS NOT NULL
      RETURNING id, artifact_id, organization_id
    ), link AS (
      SELECT shared.*, item->>'actor' AS actor FROM shared JOIN given ON given.id = shared.artifact_id
    ), announced AS (${recordChanges(
      "artifacts",
      "shared",
      sql`(SELECT artifact_id AS id, organization_id, actor FROM link)`,
      sql`changed.actor`,
    )}), audited AS (${auditShares(sql`link`)})`,
});

/** Throws 404, or 403 when another organization owns it. */
export async function get(caller: Caller, id: string): Promise<Artifact> {
  return serializeArtifact(await find(caller, id));
}

/** Throws 404, 403, and 412 when the precondition fails. */
export function update(
  caller: Caller,
  id: string,
  changes: ArtifactUpdate,
  precondition?: Precondition,
): Promise<Artifact> {
  const { content } = changes;
  const isEmpty = Object.values(changes).every((value) => value === undefined);
  const size = content === undefined ? undefined : Buffer.byteLength(content);
  const author = isEmpty ? undefined : authorOf(caller);
  return updateArtifact(caller, id, { ...changes, size, author }, precondition);
}

const updateArtifact = artifacts.updater({
  // SET reads the locked row, so version numbers have no gaps or duplicates.
  set: sql`${givenColumns("Artifact", [...ArtifactUpdate.keyof().options, "size"])},
    version_count = version_count + CASE
      WHEN (changes).name <> name OR (changes).format <> format OR (changes).content <> content
      THEN 1 ELSE 0 END,
    content_version = CASE
      WHEN (changes).content <> content THEN version_count + 1 ELSE content_version END`,
  more: sql`, noted AS (
      INSERT INTO artifact_versions (artifact_id, number, name, format, size, author, same_content)
      SELECT id, version_count, name, format, size, item->>'author', content_version < version_count
      FROM written
      ON CONFLICT DO NOTHING
    ), dropped AS (
      DELETE FROM artifact_versions USING written
      -- Possibly several: a parallel write does not see the version that has just become too old.
      WHERE artifact_id = id AND number <= version_count - ${VERSIONS_MAX}::int
    )`,
});

function serializeListedArtifact(row: ListedArtifactRow): ListedArtifact {
  return toResource(ListedArtifact, row, { raw_url: `/api/artifacts/${row.id}/raw` });
}

function serializeArtifact(row: ArtifactRow): Artifact {
  return { ...serializeListedArtifact(row), content: row.content };
}

/** How a version names its author: by an ID, or as `anonymous`. */
function authorOf(caller: Caller): string {
  return actorOf(caller) ?? "anonymous";
}

const OWNER_COLUMNS = columns("Artifact", "organization_id, claim_token_digest, revision");

/** Who owns an artifact and who may claim it. */
export type ArtifactOwner = RowOf<typeof OWNER_COLUMNS>;

/** Checks access without reading the content. Throws 404 and 403. */
export const { find: access } = artifacts.reader<ArtifactOwner>(OWNER_COLUMNS, {
  short: true,
});
