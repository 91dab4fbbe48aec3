-- Searches read an organization's newest keys first.

CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_newest_idx" ON "api_keys" ("organization_id", "id" DESC);

DROP INDEX CONCURRENTLY IF EXISTS "api_keys_organization_id_id_idx";
