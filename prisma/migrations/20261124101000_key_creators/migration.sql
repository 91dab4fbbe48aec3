-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "created_by_user_id" TEXT COLLATE "C";
