-- What each artifact was, and when: its sizes over time. Content of earlier versions is not kept.

-- AlterTable
ALTER TABLE "artifacts" ADD COLUMN     "version_count" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "artifact_versions" (
    "artifact_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "author" TEXT COLLATE "C",
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "artifact_versions_pkey" PRIMARY KEY ("artifact_id","number")
);

-- AddForeignKey
ALTER TABLE "artifact_versions" ADD CONSTRAINT "artifact_versions_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifacts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Of what is there already, its last write is known.
INSERT INTO "artifact_versions" ("artifact_id", "number", "name", "format", "size", "created_at")
SELECT "id", 1, "name", "format", "size", "updated_at" FROM "artifacts";
