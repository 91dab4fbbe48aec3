-- A hash index on the external ID alone also has the rows of all other organizations. External IDs may be
-- too long for a B-tree, so it has their hashes.

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_owned_external_id_idx"
  ON "tasks" ("organization_id", hashtextextended("external_id", 0), "id" DESC) WHERE "external_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_endpoints_owned_external_id_idx"
  ON "webhook_endpoints" ("organization_id", hashtextextended("external_id", 0), "id" DESC) WHERE "external_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "artifacts_owned_external_id_idx"
  ON "artifacts" ("organization_id", hashtextextended("external_id", 0), "id" DESC) WHERE "external_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_owned_external_id_idx"
  ON "scheduled_messages" ("organization_id", hashtextextended("external_id", 0), "id" DESC) WHERE "external_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "inboxes_owned_external_id_idx"
  ON "inboxes" ("organization_id", hashtextextended("external_id", 0), "id" DESC) WHERE "external_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "schedules_owned_external_id_idx"
  ON "schedules" ("organization_id", hashtextextended("external_id", 0), "id" DESC) WHERE "external_id" IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS "tasks_external_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "webhook_endpoints_external_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "artifacts_external_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "scheduled_messages_external_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "inboxes_external_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "schedules_external_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "tasks_labels_idx";
