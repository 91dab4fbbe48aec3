-- AlterTable
ALTER TABLE "idempotency_records" ADD COLUMN     "owned_until" BIGINT,
ADD COLUMN     "owner" TEXT;
