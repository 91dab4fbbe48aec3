-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "changes_removed_id" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "changes_removed_xid" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "scheduled_messages" ADD COLUMN     "subscription_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "changes" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource_id" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "changes_pkey" PRIMARY KEY ("organization_id","xid","id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "kinds" TEXT[],
    "actions" TEXT[],
    "url" TEXT,
    "inbox_id" TEXT COLLATE "C",
    "public_only" BOOLEAN NOT NULL DEFAULT false,
    "after_xid" BIGINT NOT NULL,
    "after_id" BIGINT NOT NULL,
    "obstacle" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "changes_created_at_idx" ON "changes"("created_at");

-- CreateIndex
CREATE INDEX "subscriptions_organization_id_id_idx" ON "subscriptions"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "subscriptions_inbox_id_idx" ON "subscriptions"("inbox_id");

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_inbox_id_fkey" FOREIGN KEY ("inbox_id") REFERENCES "inboxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As for forwards: those that have not ended, and those that have.
CREATE INDEX "scheduled_messages_pending_pushes_idx" ON "scheduled_messages"("subscription_id") WHERE "subscription_id" IS NOT NULL AND "due_at" IS NOT NULL;
CREATE INDEX "scheduled_messages_ended_pushes_idx" ON "scheduled_messages"("updated_at") WHERE "subscription_id" IS NOT NULL AND "due_at" IS NULL;
