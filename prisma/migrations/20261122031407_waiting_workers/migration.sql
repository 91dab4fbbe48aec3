-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "tasks_awaited_until" BIGINT NOT NULL DEFAULT 0;

-- `lease_id` outlives a release, so that a repeated release is known.
ALTER TABLE "tasks" DROP CONSTRAINT "tasks_whole_lease";
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_whole_lease" CHECK (
    num_nonnulls("lease_holder", "lease_expires_at") IN (0, 2)
    AND ("lease_holder" IS NULL OR "lease_id" IS NOT NULL)
);
