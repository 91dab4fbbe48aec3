-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN     "public_only" BOOLEAN NOT NULL DEFAULT false;
