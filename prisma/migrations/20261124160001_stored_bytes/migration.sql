-- CreateTable
CREATE TABLE "stored_bytes" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "bytes" BIGINT NOT NULL,
    "measure_after" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "stored_bytes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "stored_bytes_organization_id_idx" ON "stored_bytes"("organization_id");

-- AddForeignKey
ALTER TABLE "stored_bytes" ADD CONSTRAINT "stored_bytes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A few rows, updated every second.
ALTER TABLE "stored_bytes" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
