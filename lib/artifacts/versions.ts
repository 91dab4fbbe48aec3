import { mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { query, sql } from "@/lib/db/sql";
import type { Format } from "./contract";

/** Versions kept per artifact; a new one evicts the oldest. */
export const VERSIONS_MAX = 100;

/** The metadata of an artifact after a write that changed it. */
export interface ArtifactVersion {
  /** Counts from 1. */
  number: number;
  name: string;
  format: Format;
  /** Size of the content in UTF-8 bytes; the content itself is not kept. */
  size: number;
  /** Unix seconds. */
  created_at: number;
  /** Null when unknown. */
  author_kind: "key" | "person" | "anonymous" | null;
  /** The key's name or the person's email, if they belong to the artifact's organization. */
  author_name: string | null;
}

/** The versions of an artifact, newest first; empty when the caller may not read it. */
export function listVersions(caller: Caller, id: string): Promise<ArtifactVersion[]> {
  return query<ArtifactVersion>(sql`
    SELECT version.number, version.name, version.format, version.size, version.created_at,
           CASE WHEN author = 'anonymous' THEN 'anonymous' WHEN author LIKE 'key\\_%' THEN 'key'
                WHEN author LIKE 'usr\\_%' THEN 'person' END AS author_kind,
           COALESCE(api_keys.name, users.email) AS author_name
    FROM (SELECT id, organization_id FROM artifacts WHERE id = ${id} AND ${mayReach(caller)})
      AS artifact
    JOIN artifact_versions AS version ON version.artifact_id = artifact.id
    LEFT JOIN api_keys
      ON api_keys.id = author AND api_keys.organization_id = artifact.organization_id
    LEFT JOIN members
      ON members.user_id = author AND members.organization_id = artifact.organization_id
    LEFT JOIN users ON users.id = members.user_id
    ORDER BY version.number DESC LIMIT ${VERSIONS_MAX}`);
}

/** How a version refers to its author: an ID, or `anonymous`. */
export function authorOf(caller: Caller): string {
  if (caller.kind === "anonymous") return "anonymous";
  return caller.kind === "key" ? caller.keyId : caller.userId;
}
