-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "replaced_by_id" TEXT;
