-- CreateTable
CREATE TABLE "inbox_replies" (
    "inbox_id" TEXT COLLATE "C" NOT NULL,
    "event_id" TEXT COLLATE "C" NOT NULL,
    "lease_id" TEXT NOT NULL,
    "content_type" TEXT,
    "body" BYTEA NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "inbox_replies_pkey" PRIMARY KEY ("inbox_id","event_id")
);

-- CreateIndex
CREATE INDEX "inbox_replies_expires_at_idx" ON "inbox_replies"("expires_at");

-- AddForeignKey
ALTER TABLE "inbox_replies" ADD CONSTRAINT "inbox_replies_inbox_id_fkey" FOREIGN KEY ("inbox_id") REFERENCES "inboxes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
