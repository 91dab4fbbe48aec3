-- AlterTable
-- An open blocker of the task, so that workers do not step over the index entries of blocked tasks.
-- Null says nothing: the blockers decide. Triggers keep it, so that no other statement needs to know.
ALTER TABLE "tasks" ADD COLUMN "waits_for" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "tasks_waits_for_idx" ON "tasks" ("waits_for") WHERE "waits_for" IS NOT NULL;

-- DropIndex
DROP INDEX "tasks_open_lease_order_idx";

-- CreateIndex
CREATE INDEX "tasks_open_lease_order_idx" ON "tasks"
    ("organization_id", (array_position('{critical,high,medium,low}'::text[], "priority")), "due_at", "id")
    WHERE "organization_id" IS NOT NULL AND NOT "labels" @> '{done}'::text[] AND "waits_for" IS NULL;

-- Every function below first locks the tasks that wait, and only then looks for their blockers,
-- without waiting: a task is locked before what it blocks, so nothing deadlocks.

-- An open blocker of a task, or null. It and its link are locked: a statement that ends one of them
-- waits, and then finds the task that waits for it. One that is ending now is skipped.
CREATE FUNCTION open_blocker_of(of_task TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  open_blocker TEXT;
BEGIN
  SELECT blocker.id INTO open_blocker
  FROM task_blockers AS link
  JOIN tasks AS task ON task.id = link.task_id
  JOIN tasks AS blocker ON blocker.id = link.blocker_id
  WHERE link.task_id = of_task AND NOT blocker.labels @> '{done}'::text[]
    AND (blocker.organization_id IS NULL OR blocker.organization_id = task.organization_id)
  LIMIT 1 FOR SHARE OF link, blocker SKIP LOCKED;
  RETURN open_blocker;
END $$;

CREATE FUNCTION wait_for_blocker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE id = NEW.task_id FOR NO KEY UPDATE;
  UPDATE tasks SET waits_for = open_blocker_of(id) WHERE id = NEW.task_id AND waits_for IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER wait_for_blocker AFTER INSERT ON "task_blockers"
  FOR EACH ROW EXECUTE FUNCTION wait_for_blocker();

CREATE FUNCTION stop_waiting_for_unlinked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tasks SET waits_for = open_blocker_of(tasks.id) FROM unlinked
  WHERE tasks.id = unlinked.task_id AND tasks.waits_for = unlinked.blocker_id;
  RETURN NULL;
END $$;

-- Whoever deletes a link has locked the task: the trigger below, or the statement itself.
CREATE TRIGGER stop_waiting AFTER DELETE ON "task_blockers" REFERENCING OLD TABLE AS unlinked
  FOR EACH STATEMENT EXECUTE FUNCTION stop_waiting_for_unlinked();

CREATE FUNCTION lock_waiting_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE waits_for = OLD.id ORDER BY id FOR NO KEY UPDATE;
  RETURN OLD;
END $$;

CREATE TRIGGER lock_waiting_tasks BEFORE DELETE ON "tasks"
  FOR EACH ROW EXECUTE FUNCTION lock_waiting_tasks();

CREATE FUNCTION stop_waiting_for_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE waits_for = NEW.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE tasks SET waits_for = open_blocker_of(id) WHERE waits_for = NEW.id;
  RETURN NULL;
END $$;

-- Done, or claimed: a blocker of another organization does not count.
CREATE TRIGGER stop_waiting AFTER UPDATE OF labels, organization_id ON "tasks"
  FOR EACH ROW WHEN (
    (NEW.labels @> '{done}'::text[] AND NOT OLD.labels @> '{done}'::text[])
    OR NEW.organization_id IS DISTINCT FROM OLD.organization_id
  )
  EXECUTE FUNCTION stop_waiting_for_ended();

UPDATE "tasks" SET "waits_for" = open_blocker_of("id")
WHERE "id" IN (SELECT "task_id" FROM "task_blockers");
