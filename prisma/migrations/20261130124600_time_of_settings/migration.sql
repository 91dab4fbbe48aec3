-- The time of the newest version of an endpoint's settings, or of their deletion: the next one is later, so that no ETag
-- comes back.
ALTER TABLE "endpoint_state" ADD COLUMN     "settings_at" BIGINT NOT NULL DEFAULT 0;
