-- The sweep finds the old ones among the links of deleted artifacts. The index on `artifact_id` would
-- give it all of them each time.
CREATE INDEX "artifact_shares_deleted_idx" ON "artifact_shares"("created_at") WHERE "artifact_id" IS NULL;
