-- Tables that stay small and lists that stay fast.

CREATE INDEX "agent_registrations_revoked_idx" ON "agent_registrations" ("revoked_at")
  WHERE "revoked_at" IS NOT NULL;

-- The default, a fifth of the table, leaves millions of dead rows in large tables.
ALTER TABLE "inbox_events" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "webhook_events" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "scheduled_messages" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "message_attempts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "idempotency_records" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Small tables whose rows are updated with every request.
ALTER TABLE "inboxes" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "webhook_endpoints" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "usage_counters" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "usage_windows" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- Lists filtered by label or status read the rows of one organization only.
CREATE FUNCTION owned_labels(organization_id TEXT, labels TEXT[]) RETURNS TEXT[]
  LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE
  RETURN (SELECT array_agg(organization_id || ' ' || label) FROM unnest(labels) AS label);
CREATE INDEX "tasks_owned_labels_idx" ON "tasks"
  USING GIN (owned_labels("organization_id", "labels")) WHERE "labels" <> '{}';
DROP INDEX "tasks_labels_idx";

CREATE INDEX "scheduled_messages_status_idx"
  ON "scheduled_messages" ("organization_id", "status", "id" DESC);
