-- What ends is found without reading what has not ended: agents whose last key ended, grants and sessions.
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_ended_agents_idx ON api_keys ((least(revoked_at, expires_at)))
  WHERE registration_id IS NOT NULL AND replaced_by_id IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_ended_grants_idx ON api_keys ((least(revoked_at, expires_at)))
  WHERE kind = 'oauth_grant';
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_created_at_idx ON sessions (created_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_last_seen_at_idx ON sessions (last_seen_at);
-- So is what refers to a person or an organization that is deleted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_organization_id_idx ON sessions (organization_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS delegations_user_id_idx ON delegations (user_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS delegations_organization_id_user_id_idx
  ON delegations (organization_id, user_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitations_invited_by_user_id_idx ON invitations (invited_by_user_id);
