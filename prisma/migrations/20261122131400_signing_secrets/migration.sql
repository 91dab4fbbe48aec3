-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "signing_secret_rotated_at" BIGINT,
ADD COLUMN     "signing_secret_version" INTEGER NOT NULL DEFAULT 1;
