-- Unclaimed resources are looked for by organization and ID, for which each table has an index.
DROP INDEX CONCURRENTLY IF EXISTS tasks_unclaimed_idx;
DROP INDEX CONCURRENTLY IF EXISTS artifacts_unclaimed_idx;
DROP INDEX CONCURRENTLY IF EXISTS webhook_endpoints_unclaimed_idx;
DROP INDEX CONCURRENTLY IF EXISTS inboxes_unclaimed_idx;
DROP INDEX CONCURRENTLY IF EXISTS scheduled_messages_unclaimed_idx;
DROP INDEX CONCURRENTLY IF EXISTS questions_unclaimed_idx;
