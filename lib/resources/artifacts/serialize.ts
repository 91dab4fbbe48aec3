import type { Artifact, Format, ListedArtifact } from "./contract";

/** A row of `artifacts`, without the content. */
export interface ListedArtifactRow {
  id: string;
  organization_id: string | null;
  name: string;
  size: number;
  format: Format;
  external_id: string | null;
  created_at: number;
  updated_at: number;
  revision: number;
}

export interface ArtifactRow extends ListedArtifactRow {
  content: string;
}

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
