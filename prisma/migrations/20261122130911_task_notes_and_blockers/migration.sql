-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "completion_digest" TEXT,
ADD COLUMN     "note_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "task_notes" (
    "task_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "author" TEXT,
    "body" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "task_notes_pkey" PRIMARY KEY ("task_id","id")
);

-- CreateTable
CREATE TABLE "task_blockers" (
    "task_id" TEXT COLLATE "C" NOT NULL,
    "blocker_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "task_blockers_pkey" PRIMARY KEY ("task_id","blocker_id")
);

-- CreateIndex
CREATE INDEX "task_blockers_blocker_id_idx" ON "task_blockers"("blocker_id");

-- AddForeignKey
ALTER TABLE "task_notes" ADD CONSTRAINT "task_notes_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_blockers" ADD CONSTRAINT "task_blockers_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_blockers" ADD CONSTRAINT "task_blockers_blocker_id_fkey" FOREIGN KEY ("blocker_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
