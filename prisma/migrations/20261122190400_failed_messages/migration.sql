-- The dashboard lists the messages that failed for good apart from those that will be retried.

CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_owned_failed_idx"
  ON "scheduled_messages" ("organization_id", (("due_at" IS NULL)::integer), "id" DESC) WHERE "status" = 'failed';
