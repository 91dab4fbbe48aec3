import { queryOne, sql } from "@/lib/platform/db/sql";
import { RETENTION_SECONDS } from "./contract";

/** Deletes up to `limit` changes that are too old and returns their number. */
export async function removeOldChanges(limit: number): Promise<number> {
  const removed = await queryOne<{ count: number }>(sql`
    WITH removed AS (
      DELETE FROM changes WHERE (organization_id, xid, id) IN (
        SELECT organization_id, xid, id FROM changes
        WHERE created_at <= unix_now() - ${RETENTION_SECONDS}::bigint
        ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING organization_id, xid, id
    ), last AS (
      SELECT DISTINCT ON (organization_id) organization_id, xid, id FROM removed
      ORDER BY organization_id, xid DESC, id DESC
    ), owners AS (
      -- Locked in the order of lockOrganizations().
      SELECT id FROM organizations WHERE id IN (SELECT organization_id FROM last)
      ORDER BY id FOR NO KEY UPDATE
    ), noted AS (
      -- In the same statement, so that no reader misses a change without an error.
      UPDATE organizations AS owner SET changes_removed_xid = last.xid, changes_removed_id = last.id
      FROM last JOIN owners ON owners.id = last.organization_id
      WHERE owner.id = owners.id
        AND (last.xid, last.id) > (owner.changes_removed_xid, owner.changes_removed_id)
    )
    SELECT count(*) FROM removed`);
  return removed?.count ?? 0;
}
