-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN "network" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN "network" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "schedules" ADD COLUMN "network" TEXT COLLATE "C";
