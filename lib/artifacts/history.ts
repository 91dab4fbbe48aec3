import { mayReach } from "@/lib/accounts/access";
import type { Caller } from "@/lib/caller";
import { query, type Statement, sql } from "@/lib/db/sql";
import type { Format } from "./contract";

/** The newest versions that are kept of an artifact; a new one takes the place of the oldest. */
export const VERSIONS_KEPT = 100;

/** What an artifact was after a write that changed it. */
export interface ArtifactVersion {
  /** Counts from 1. */
  number: number;
  name: string;
  format: Format;
  /** Bytes of the content in UTF-8; the content itself is not kept. */
  size: number;
  /** Unix seconds. */
  created_at: number;
  /** Who wrote it; null: nobody wrote it down. */
  author_kind: "key" | "person" | "anonymous" | null;
  /** The key's name or the person's address, where they are of the artifact's organization. */
  author_name: string | null;
}

/** The newest versions of an artifact, newest first; none for whoever may not read it. */
export function history(caller: Caller, id: string): Promise<ArtifactVersion[]> {
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
    ORDER BY version.number DESC LIMIT ${VERSIONS_KEPT}`);
}

/**
 * A statement of WITH that notes the version in the row that the part `written` returned, if it is a
 * new one.
 */
export function notingVersion(caller: Caller): Statement {
  return sql`noted AS (
      INSERT INTO artifact_versions (artifact_id, number, name, format, size, author)
      SELECT id, version_count, name, format, size, ${authorOf(caller)} FROM written
      ON CONFLICT DO NOTHING
    )`;
}

function authorOf(caller: Caller): string {
  if (caller.kind === "anonymous") return "anonymous";
  return caller.kind === "key" ? caller.keyId : caller.userId;
}
