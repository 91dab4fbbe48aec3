-- To end the keys of a member or an organization reads only those that are not revoked, and of these not the ones that
-- were rotated: they stay in the table.
DROP INDEX api_keys_expiring_idx;
CREATE INDEX api_keys_unrevoked_idx ON api_keys (organization_id, expires_at) WHERE revoked_at IS NULL;
