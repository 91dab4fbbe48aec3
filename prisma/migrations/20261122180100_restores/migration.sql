-- CreateTable
CREATE TABLE "restores" (
    "id" BIGSERIAL NOT NULL,
    "taken_at" BIGINT NOT NULL,
    "restored_at" BIGINT NOT NULL DEFAULT unix_now(),
    "resumed_at" BIGINT,
    "lost_after_xid" BIGINT NOT NULL,
    "lost_until_xid" BIGINT NOT NULL,

    CONSTRAINT "restores_pkey" PRIMARY KEY ("id")
);

-- What the feed adds to a transaction ID. A restore replaces it, so that positions go on rising where
-- transactions count from another number. STABLE: the planner inlines it, and notices the replacement.
CREATE FUNCTION change_xid_offset() RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE RETURN 0;

-- AlterTable
ALTER TABLE "changes" ALTER COLUMN "xid" SET DEFAULT pg_current_xact_id()::text::bigint + change_xid_offset();
