-- The links of an artifact that work are counted without reading those that have ended, which are kept for a while.
CREATE INDEX CONCURRENTLY IF NOT EXISTS artifact_shares_artifact_id_expires_at_idx
  ON artifact_shares (artifact_id, expires_at);
DROP INDEX CONCURRENTLY IF EXISTS artifact_shares_artifact_id_idx;
