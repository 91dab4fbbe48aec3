-- CreateTable
CREATE TABLE "oauth_device_codes" (
    "digest" TEXT NOT NULL,
    "user_code" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scopes" TEXT[],
    "ip" TEXT,
    "polled_at" BIGINT,
    "user_id" TEXT COLLATE "C",
    "organization_id" TEXT COLLATE "C",
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "oauth_device_codes_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_device_codes_user_code_key" ON "oauth_device_codes"("user_code");

-- CreateIndex
CREATE INDEX "oauth_device_codes_expires_at_idx" ON "oauth_device_codes"("expires_at");
