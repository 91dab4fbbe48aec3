-- CreateTable
-- Half of a page stays free, so that the counters are rewritten in place (heap-only tuples).
CREATE TABLE "inboxes" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "default_ttl_seconds" INTEGER NOT NULL,
    "max_events" INTEGER NOT NULL,
    "external_id" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "updated_at" BIGINT NOT NULL DEFAULT unix_now(),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "occupied" INTEGER NOT NULL DEFAULT 0,
    "admitted" INTEGER NOT NULL DEFAULT 0,
    "awaited_until" TIMESTAMPTZ(6),
    "active_at" BIGINT NOT NULL DEFAULT unix_now(),
    "ingested" BIGINT NOT NULL DEFAULT 0,
    "acknowledged" BIGINT NOT NULL DEFAULT 0,
    "expired" BIGINT NOT NULL DEFAULT 0,
    "purged" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "inboxes_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 50);

-- CreateTable
CREATE TABLE "inbox_events" (
    "inbox_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "content_type" TEXT,
    "headers" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "query_string" TEXT NOT NULL,
    "source_ip" TEXT,
    "dedup_id" TEXT,
    "dedup_key" TEXT,
    "delivery_count" INTEGER NOT NULL DEFAULT 0,
    "consumer" TEXT,
    "lease_id" TEXT,
    "last_error" TEXT,
    "queue_id" TEXT COLLATE "C" NOT NULL,
    "visible_at" TIMESTAMPTZ(6) NOT NULL,
    "lapses_at" TIMESTAMPTZ(6) NOT NULL,
    "received_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "inbox_events_pkey" PRIMARY KEY ("inbox_id","id")
);

-- CreateIndex
CREATE INDEX "inboxes_organization_id_id_idx" ON "inboxes"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "inboxes_external_id_idx" ON "inboxes" USING HASH ("external_id");

-- CreateIndex
CREATE INDEX "inbox_events_queue_id_visible_at_id_idx" ON "inbox_events"("queue_id", "visible_at", "id");

-- CreateIndex
CREATE INDEX "inbox_events_inbox_id_lapses_at_idx" ON "inbox_events"("inbox_id", "lapses_at");

-- CreateIndex
-- Most events have no key: they are left out of the index.
CREATE UNIQUE INDEX "inbox_events_inbox_id_dedup_key_key" ON "inbox_events"("inbox_id", "dedup_key") WHERE "dedup_key" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_inbox_id_fkey" FOREIGN KEY ("inbox_id") REFERENCES "inboxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
