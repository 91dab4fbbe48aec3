-- AlterTable
ALTER TABLE "inboxes" ADD COLUMN     "ready_from" TIMESTAMPTZ(6) NOT NULL DEFAULT '-infinity'::timestamp with time zone;
