-- CreateTable
CREATE TABLE "artifacts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL DEFAULT 'markdown',
    "content" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "external_id" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "updated_at" BIGINT NOT NULL DEFAULT unix_now(),
    "revision" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "artifact_shares" (
    "id" TEXT COLLATE "C" NOT NULL,
    "artifact_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "expires_at" BIGINT,

    CONSTRAINT "artifact_shares_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "artifacts_organization_id_id_idx" ON "artifacts"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "artifacts_external_id_idx" ON "artifacts" USING HASH ("external_id");

-- CreateIndex
CREATE INDEX "artifact_shares_artifact_id_idx" ON "artifact_shares"("artifact_id");

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifact_shares" ADD CONSTRAINT "artifact_shares_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
