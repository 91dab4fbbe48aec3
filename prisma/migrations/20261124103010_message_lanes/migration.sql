-- The queues of each sender and host: first attempts, and retries, which wait while the host is down.
-- The index before it, scheduled_messages_queue_idx, is for the previous version.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scheduled_messages_lanes_idx"
  ON "scheduled_messages" ((COALESCE("organization_id", "network", '')), "host", ("attempts" > "attempts_before"), "due_at", "id")
  WHERE "due_at" IS NOT NULL;
