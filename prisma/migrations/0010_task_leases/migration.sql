-- AlterTable
-- On the task's own row: a worker that skips locked rows then sees the newest lease of each.
ALTER TABLE "tasks" ADD COLUMN     "fencing_token" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "lease_expires_at" BIGINT,
ADD COLUMN     "lease_holder" TEXT,
ADD COLUMN     "lease_id" TEXT;

ALTER TABLE "tasks" ADD CONSTRAINT "tasks_whole_lease"
    CHECK (num_nonnulls("lease_id", "lease_holder", "lease_expires_at") IN (0, 3));

-- No index has a column of the lease, so with some room in each page a lease rewrites none.
ALTER TABLE "tasks" SET (fillfactor = 85);

-- CreateIndex
-- The order in which tasks are leased: by priority, then due, then age.
CREATE INDEX "tasks_lease_order_idx" ON "tasks"
    ("organization_id", (array_position('{critical,high,medium,low}'::text[], "priority")), "due_at", "id")
    WHERE "organization_id" IS NOT NULL;

-- CreateIndex
-- The same without what is done, which grows for ever in an organization that deletes nothing.
CREATE INDEX "tasks_open_lease_order_idx" ON "tasks"
    ("organization_id", (array_position('{critical,high,medium,low}'::text[], "priority")), "due_at", "id")
    WHERE "organization_id" IS NOT NULL AND NOT "labels" @> '{done}'::text[];
