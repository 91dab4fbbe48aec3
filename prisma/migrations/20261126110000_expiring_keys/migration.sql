-- The overview lists keys that expire soon. Keys that were revoked stay in the table.
CREATE INDEX api_keys_expiring_idx ON api_keys (organization_id, expires_at)
  WHERE revoked_at IS NULL AND expires_at IS NOT NULL;
