import { columns, type Row, type RowOf } from "@/lib/platform/db/columns";
import type { Artifact, ListedArtifact } from "./contract";

/** The columns of an artifact without its content. */
export const LISTED_COLUMNS = columns(
  "Artifact",
  "id, organization_id, name, size, format, external_id, created_at, updated_at, revision",
);

export type ListedArtifactRow = RowOf<typeof LISTED_COLUMNS>;
export type ArtifactRow = ListedArtifactRow & Row<"Artifact", "content">;

export function serializeListedArtifact(row: ListedArtifactRow): ListedArtifact {
  return {
    id: row.id,
    object: "artifact",
    organization_id: row.organization_id,
    name: row.name,
    size: row.size,
    format: row.format,
    raw_url: `/api/artifacts/${row.id}/raw`,
    external_id: row.external_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function serializeArtifact(row: ArtifactRow): Artifact {
  return { ...serializeListedArtifact(row), content: row.content };
}
