-- CreateTable
CREATE TABLE "scheduled_messages" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "url" TEXT NOT NULL,
    "host" TEXT COLLATE "C" NOT NULL,
    "method" TEXT NOT NULL,
    "headers" JSON NOT NULL,
    "body" BYTEA,
    "scheduled_at" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'scheduled',
    "due_at" BIGINT,
    "lease_token" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempts_before" INTEGER NOT NULL DEFAULT 0,
    "response_status" INTEGER,
    "last_error" TEXT,
    "delivered_at" BIGINT,
    "external_id" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "updated_at" BIGINT NOT NULL DEFAULT unix_now(),
    "revision" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "scheduled_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_attempts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "message_id" TEXT COLLATE "C" NOT NULL,
    "attempt" INTEGER NOT NULL,
    "started_at" BIGINT NOT NULL,
    "duration_ms" INTEGER,
    "response_status" INTEGER,
    "response_headers" JSON,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "message_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dispatch_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "last_dispatch_at" BIGINT,
    "last_sweep_at" BIGINT,

    CONSTRAINT "dispatch_state_pkey" PRIMARY KEY ("id")
);

INSERT INTO "dispatch_state" ("id") VALUES (1);

-- CreateIndex
CREATE INDEX "scheduled_messages_organization_id_id_idx" ON "scheduled_messages"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "scheduled_messages_external_id_idx" ON "scheduled_messages" USING HASH ("external_id");

-- CreateIndex
CREATE INDEX "message_attempts_message_id_id_idx" ON "message_attempts"("message_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "scheduled_messages" ADD CONSTRAINT "scheduled_messages_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "scheduled_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Partial indexes, which Prisma's schema language cannot say. What is delivered is in none of them.

-- The queue in the order of time: its head is all that a dispatch reads, however much waits behind.
CREATE INDEX "scheduled_messages_due_idx" ON "scheduled_messages"("due_at", "id") WHERE "due_at" IS NOT NULL;

-- The queue of each organization and host ('' stands for public messages), for a long backlog.
CREATE INDEX "scheduled_messages_queue_idx" ON "scheduled_messages"((COALESCE("organization_id", '')), "host", "due_at", "id") WHERE "due_at" IS NOT NULL;

-- What nobody claimed, by age. Not by the last write: an index on updated_at would make every update move its row.
CREATE INDEX "scheduled_messages_unclaimed_idx" ON "scheduled_messages"("created_at") WHERE "organization_id" IS NULL;
CREATE INDEX "tasks_unclaimed_idx" ON "tasks"("created_at") WHERE "organization_id" IS NULL;
CREATE INDEX "webhook_endpoints_unclaimed_idx" ON "webhook_endpoints"("created_at") WHERE "organization_id" IS NULL;
CREATE INDEX "artifacts_unclaimed_idx" ON "artifacts"("created_at") WHERE "organization_id" IS NULL;
