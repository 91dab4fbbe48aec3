-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN     "takes_headers" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "header_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "sealed_headers" BYTEA,
ADD COLUMN     "text_field" TEXT;

-- AlterTable
ALTER TABLE "webhook_forwards" ADD COLUMN     "header_names" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "sealed_headers" BYTEA,
ADD COLUMN     "text_field" TEXT;
