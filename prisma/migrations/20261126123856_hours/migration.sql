-- AlterTable
ALTER TABLE "delivery_hours" ADD COLUMN     "latencies" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- CreateTable
CREATE TABLE "signature_failures" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "hour" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "signature_failures_pkey" PRIMARY KEY ("organization_id","hour","endpoint_id")
);

-- CreateTable
CREATE TABLE "delivery_flows" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "hour" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "delivered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "delivery_flows_pkey" PRIMARY KEY ("organization_id","hour","source","host")
);

-- CreateTable
CREATE TABLE "organization_hours" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "hour" BIGINT NOT NULL,
    "captured" BIGINT NOT NULL,
    "waiting" BIGINT NOT NULL,

    CONSTRAINT "organization_hours_pkey" PRIMARY KEY ("organization_id","hour")
);

-- CreateIndex
CREATE INDEX "signature_failures_endpoint_id_idx" ON "signature_failures"("endpoint_id");

-- CreateIndex
CREATE INDEX "signature_failures_hour_idx" ON "signature_failures"("hour");

-- CreateIndex
CREATE INDEX "delivery_flows_hour_idx" ON "delivery_flows"("hour");

-- CreateIndex
CREATE INDEX "organization_hours_hour_idx" ON "organization_hours"("hour");

-- AddForeignKey
ALTER TABLE "signature_failures" ADD CONSTRAINT "signature_failures_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signature_failures" ADD CONSTRAINT "signature_failures_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_flows" ADD CONSTRAINT "delivery_flows_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_hours" ADD CONSTRAINT "organization_hours_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

