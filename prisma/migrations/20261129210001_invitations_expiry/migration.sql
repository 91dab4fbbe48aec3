-- The sweep deletes invitations that have expired.
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitations_expires_at_idx ON invitations (expires_at);
