-- Orders of lists. A new task is in neither index, so creating one costs nothing more.

-- By the last change, of tasks that were changed after their creation.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_changed_idx"
  ON "tasks" ("organization_id", "updated_at" DESC, "id" DESC)
  WHERE "organization_id" IS NOT NULL AND "updated_at" > "created_at";

-- The open tasks that tasks_open_lease_order_idx leaves out, in the same order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tasks_waiting_lease_order_idx" ON "tasks"
  ("organization_id", (array_position('{critical,high,medium,low}'::text[], "priority")), "due_at", "id")
  WHERE "organization_id" IS NOT NULL AND NOT "labels" @> '{done}'::text[] AND "waits_for" IS NOT NULL;
