-- AlterTable
ALTER TABLE "inbox_events" ADD COLUMN     "schedule_id" TEXT COLLATE "C",
ADD COLUMN     "schedule_time" BIGINT;

-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN     "schedule_id" TEXT COLLATE "C",
ADD COLUMN     "schedule_time" BIGINT;

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "schedule_id" TEXT COLLATE "C",
ADD COLUMN     "schedule_time" BIGINT;

-- CreateTable
CREATE TABLE "schedules" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "name" TEXT,
    "cron" TEXT,
    "timezone" TEXT,
    "every_seconds" BIGINT,
    "starts_at" BIGINT,
    "ends_at" BIGINT,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "catch_up" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "public_only" BOOLEAN NOT NULL DEFAULT false,
    "external_id" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "updated_at" BIGINT NOT NULL DEFAULT unix_now(),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "checked_until" BIGINT NOT NULL DEFAULT unix_now(),
    "due_at" BIGINT,
    "last_run_at" BIGINT,
    "run_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_runs" (
    "schedule_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "scheduled_for" BIGINT NOT NULL,
    "manual" BOOLEAN NOT NULL,
    "resource_id" TEXT COLLATE "C",
    "inbox_id" TEXT COLLATE "C",
    "reason" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "schedule_runs_pkey" PRIMARY KEY ("schedule_id","id")
);

-- CreateIndex
CREATE INDEX "schedules_organization_id_id_idx" ON "schedules"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "schedules_external_id_idx" ON "schedules" USING HASH ("external_id");

-- CreateIndex
CREATE INDEX "schedules_due_at_id_idx" ON "schedules"("due_at", "id");

-- What a claim token claims.
CREATE INDEX "schedules_claim_token_digest_idx" ON "schedules"("claim_token_digest") WHERE "claim_token_digest" IS NOT NULL;

-- Each time runs once, whatever dispatchers do; runs by hand are not limited.
CREATE UNIQUE INDEX "schedule_runs_once_key" ON "schedule_runs"("schedule_id", "scheduled_for") WHERE NOT "manual";

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;
