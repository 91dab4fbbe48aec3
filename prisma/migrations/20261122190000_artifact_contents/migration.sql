-- AlterTable
ALTER TABLE "artifacts" ADD COLUMN     "content_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "artifact_versions" ADD COLUMN     "same_content" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "artifact_contents" (
    "artifact_id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "replaced_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "artifact_contents_pkey" PRIMARY KEY ("artifact_id","number")
);

-- CreateIndex
CREATE INDEX "artifact_contents_replaced_at_idx" ON "artifact_contents"("replaced_at");

-- AddForeignKey
ALTER TABLE "artifact_contents" ADD CONSTRAINT "artifact_contents_artifact_id_number_fkey" FOREIGN KEY ("artifact_id", "number") REFERENCES "artifact_versions"("artifact_id", "number") ON DELETE CASCADE ON UPDATE CASCADE;

-- Keeps the content that an update replaces, and drops the oldest ones beyond the bytes of the
-- argument. A trigger sees the row that is replaced: a query in the update's statement may see an
-- older one.
CREATE FUNCTION keep_replaced_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO artifact_contents (artifact_id, number, content, size)
  SELECT artifact_id, number, OLD.content, OLD.size FROM artifact_versions
  WHERE artifact_id = OLD.id AND number = OLD.version_count;
  DELETE FROM artifact_contents WHERE artifact_id = OLD.id AND number <= (
    SELECT max(number)
    FROM (SELECT number, sum(size) OVER (ORDER BY number DESC) AS bytes
          FROM artifact_contents WHERE artifact_id = OLD.id) AS summed
    WHERE bytes > TG_ARGV[0]::BIGINT);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_replaced_content AFTER UPDATE OF content ON artifacts
FOR EACH ROW WHEN (OLD.content <> NEW.content) EXECUTE FUNCTION keep_replaced_content(10000000);
