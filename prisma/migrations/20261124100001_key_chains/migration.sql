-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "first_id" TEXT,
ADD COLUMN     "old_key_ends_at" BIGINT;

-- The chains that exist. Only rotated keys are in one.
WITH RECURSIVE chain (first_id, id) AS (
  SELECT id, replaced_by_id FROM api_keys
  WHERE replaced_by_id IS NOT NULL AND id NOT IN (
    SELECT replaced_by_id FROM api_keys WHERE replaced_by_id IS NOT NULL)
  UNION ALL
  SELECT chain.first_id, replaced_by_id FROM chain JOIN api_keys USING (id)
  WHERE replaced_by_id IS NOT NULL
)
UPDATE api_keys SET first_id = chain.first_id, old_key_ends_at = old.expires_at
FROM chain JOIN api_keys AS old ON old.replaced_by_id = chain.id
WHERE api_keys.id = chain.id;
