-- Unix seconds by the database's clock, the same throughout a statement.
CREATE FUNCTION unix_now() RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE
AS $$ SELECT floor(extract(epoch FROM now()))::BIGINT $$;

-- IDs are compared byte by byte, whatever the database's collation, as they sort by creation.

-- CreateTable
CREATE TABLE "organizations" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT,
    "revoked_at" BIGINT,
    "last_used_at" BIGINT,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "priority" TEXT NOT NULL DEFAULT 'low',
    "due_at" BIGINT,
    "labels" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "external_id" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "updated_at" BIGINT NOT NULL DEFAULT unix_now(),
    "revision" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "id" TEXT COLLATE "C" NOT NULL,
    "body_digest" TEXT NOT NULL,
    "answer" BYTEA NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_counters" (
    "id" TEXT COLLATE "C" NOT NULL,
    "uses" INTEGER NOT NULL,
    "window_started_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "usage_counters_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_digest_key" ON "api_keys"("digest");

-- CreateIndex
CREATE INDEX "api_keys_organization_id_id_idx" ON "api_keys"("organization_id", "id");

-- CreateIndex
CREATE INDEX "tasks_organization_id_id_idx" ON "tasks"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "tasks_external_id_idx" ON "tasks" USING HASH ("external_id");

-- CreateIndex
CREATE INDEX "tasks_labels_idx" ON "tasks" USING GIN ("labels");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

