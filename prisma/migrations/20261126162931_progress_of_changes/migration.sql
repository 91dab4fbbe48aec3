-- AlterTable
ALTER TABLE "changes" ADD COLUMN     "progress" TEXT;

