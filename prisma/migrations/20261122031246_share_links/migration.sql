-- DropForeignKey
ALTER TABLE "artifact_shares" DROP CONSTRAINT "artifact_shares_artifact_id_fkey";

-- AlterTable
ALTER TABLE "artifact_shares" ADD COLUMN     "by_creator" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "revoked" BOOLEAN NOT NULL DEFAULT false,
ALTER COLUMN "artifact_id" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "artifact_shares_expires_at_idx" ON "artifact_shares"("expires_at");

-- AddForeignKey
ALTER TABLE "artifact_shares" ADD CONSTRAINT "artifact_shares_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifacts"("id") ON DELETE SET NULL ON UPDATE CASCADE;
