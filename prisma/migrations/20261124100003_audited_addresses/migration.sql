-- The deletion of an account removes its address from the logs.

CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_email_idx" ON "audit_events" ((data->>'email'))
  WHERE data->>'email' IS NOT NULL;
