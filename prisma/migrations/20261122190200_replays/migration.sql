-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN     "attempts_max" INTEGER,
ADD COLUMN     "replayed_endpoint_id" TEXT COLLATE "C",
ADD COLUMN     "replayed_event_id" TEXT COLLATE "C",
ADD COLUMN     "verbatim" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "webhook_replay_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "webhook_replays" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "url" TEXT NOT NULL,
    "retry" BOOLEAN NOT NULL DEFAULT false,
    "public_only" BOOLEAN NOT NULL DEFAULT false,
    "method" TEXT,
    "q" TEXT,
    "header" TEXT,
    "since" TEXT COLLATE "C",
    "up_to" TEXT COLLATE "C" NOT NULL,
    "position" TEXT COLLATE "C" NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "total" INTEGER NOT NULL,
    "searched" INTEGER NOT NULL DEFAULT 0,
    "made" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER,
    "failed" INTEGER,
    "canceled" INTEGER,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "ended_at" BIGINT,

    CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_replays_endpoint_id_id_idx" ON "webhook_replays"("endpoint_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_replays_organization_id_created_at_idx" ON "webhook_replays"("organization_id", "created_at");

-- AddForeignKey
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_replays" ADD CONSTRAINT "webhook_replays_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Those that have not ended.
CREATE INDEX "webhook_replays_unended_idx" ON "webhook_replays"("id") WHERE "ended_at" IS NULL;
