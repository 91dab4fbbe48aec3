-- IDs are compared byte by byte, whatever the database's collation, as they sort by creation.

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'api_key',
ADD COLUMN "registration_id" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT,
    "email_verified_at" BIGINT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "members_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "last_seen_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "one_time_codes" (
    "id" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "email" TEXT NOT NULL,
    "mac" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT NOT NULL,
    "activated_at" BIGINT,
    "consumed_at" BIGINT,

    CONSTRAINT "one_time_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_registrations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "type" TEXT NOT NULL,
    "requested_credential_type" TEXT NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "agent_user_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "claim_token_expires_at" BIGINT,
    "login_hint" TEXT,
    "current_attempt_id" TEXT COLLATE "C",
    "otp_failures_total" INTEGER NOT NULL DEFAULT 0,
    "claimed_by_user_id" TEXT COLLATE "C",
    "claimed_at" BIGINT,
    "revoked_at" BIGINT,
    "iss" TEXT COLLATE "C",
    "sub" TEXT COLLATE "C",
    "aud" TEXT,
    "client_id" TEXT,
    "asserted_email" TEXT,
    "agent_platform" TEXT,
    "agent_context_id" TEXT,
    "registration_ip" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "agent_registrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delegations" (
    "iss" TEXT COLLATE "C" NOT NULL,
    "sub" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "revoked_at" BIGINT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "delegations_pkey" PRIMARY KEY ("iss","sub")
);

-- CreateTable
CREATE TABLE "used_token_ids" (
    "iss" TEXT COLLATE "C" NOT NULL,
    "jti" TEXT COLLATE "C" NOT NULL,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "used_token_ids_pkey" PRIMARY KEY ("iss","jti")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "actor" TEXT COLLATE "C" NOT NULL,
    "action" TEXT NOT NULL,
    "registration_id" TEXT COLLATE "C",
    "data" JSONB NOT NULL DEFAULT '{}',
    "ip" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
-- Unlogged, as most requests write to it: after a crash of the database its counts begin again.
CREATE UNLOGGED TABLE "usage_windows" (
    "id" TEXT COLLATE "C" NOT NULL,
    "started_at" BIGINT NOT NULL,
    "uses" INTEGER NOT NULL,
    "previous_uses" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "usage_windows_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_digest_key" ON "sessions"("digest");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "one_time_codes_purpose_email_created_at_idx" ON "one_time_codes"("purpose", "email", "created_at");

-- CreateIndex
CREATE INDEX "one_time_codes_purpose_subject_created_at_idx" ON "one_time_codes"("purpose", "subject", "created_at");

-- CreateIndex
CREATE INDEX "one_time_codes_created_at_idx" ON "one_time_codes"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "agent_registrations_claim_token_digest_key" ON "agent_registrations"("claim_token_digest");

-- CreateIndex
CREATE INDEX "agent_registrations_iss_sub_idx" ON "agent_registrations"("iss", "sub");

-- CreateIndex
CREATE INDEX "agent_registrations_organization_id_idx" ON "agent_registrations"("organization_id");

-- CreateIndex
CREATE INDEX "used_token_ids_expires_at_idx" ON "used_token_ids"("expires_at");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_id_idx" ON "audit_events"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_registration_id_idx" ON "audit_events"("registration_id");

-- CreateIndex
CREATE INDEX "usage_windows_started_at_idx" ON "usage_windows"("started_at");

-- CreateIndex
CREATE INDEX "api_keys_registration_id_idx" ON "api_keys"("registration_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "agent_registrations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_registrations" ADD CONSTRAINT "agent_registrations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
