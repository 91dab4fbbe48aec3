-- Only messages of replays are in these.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_replayed_endpoint_idx"
  ON "scheduled_messages" ("replayed_endpoint_id", "id" DESC) WHERE "replayed_endpoint_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_replayed_event_idx"
  ON "scheduled_messages" ("replayed_event_id", "id" DESC) WHERE "replayed_event_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_due_replays_idx"
  ON "scheduled_messages" ("due_at", "id") WHERE "replayed_endpoint_id" IS NOT NULL AND "due_at" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_bulk_replays_idx"
  ON "scheduled_messages" ("webhook_replay_id", "status") WHERE "webhook_replay_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_pending_bulk_replays_idx"
  ON "scheduled_messages" ("webhook_replay_id", "due_at") WHERE "webhook_replay_id" IS NOT NULL AND "due_at" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_ended_replays_idx"
  ON "scheduled_messages" ("updated_at") WHERE "webhook_replay_id" IS NOT NULL AND "due_at" IS NULL;
