-- The sweep of unclaimed messages passed all that are still to be sent, each minute.
CREATE INDEX CONCURRENTLY IF NOT EXISTS scheduled_messages_ended_public_idx
  ON scheduled_messages (organization_id, id DESC)
  WHERE organization_id IS NULL AND due_at IS NULL;
