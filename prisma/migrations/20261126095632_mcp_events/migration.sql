-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "arguments" TEXT,
ADD COLUMN     "cursor" TEXT,
ADD COLUMN     "event" TEXT,
ADD COLUMN     "expires_at" BIGINT,
ADD COLUMN     "key_id" TEXT,
ADD COLUMN     "message_cursor" TEXT,
ADD COLUMN     "message_id" TEXT,
ADD COLUMN     "previous_secret" BYTEA,
ADD COLUMN     "previous_until" BIGINT,
ADD COLUMN     "secret" BYTEA,
ADD COLUMN     "suspended_at" BIGINT,
ADD COLUMN     "updated_at" BIGINT NOT NULL DEFAULT unix_now();
