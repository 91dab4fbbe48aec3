-- AlterTable
ALTER TABLE "one_time_codes" ADD COLUMN     "digits" INTEGER NOT NULL DEFAULT 6,
ADD COLUMN     "source" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "window" BIGINT;
