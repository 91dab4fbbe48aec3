-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "uses_by_day" BIGINT[] DEFAULT ARRAY[]::BIGINT[];

