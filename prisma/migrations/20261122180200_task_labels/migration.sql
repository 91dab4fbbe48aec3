-- The labels of owned tasks, so that a list filtered by a label reads only the tasks that have it, in
-- the list's order. Triggers keep it, so that no other statement needs to know.

-- CreateTable
CREATE TABLE "task_labels" (
    "owner_id" TEXT COLLATE "C" NOT NULL,
    "label" TEXT COLLATE "C" NOT NULL,
    "task_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "task_labels_pkey" PRIMARY KEY ("owner_id","label","task_id")
);

CREATE FUNCTION keep_task_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM task_labels AS given
    WHERE given.owner_id = OLD.organization_id AND given.label = ANY (OLD.labels) AND given.task_id = OLD.id
      AND (NEW.organization_id = OLD.organization_id AND given.label = ANY (NEW.labels)) IS NOT TRUE;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO task_labels (owner_id, label, task_id)
    SELECT NEW.organization_id, label, NEW.id FROM unnest(NEW.labels) AS label
    WHERE NEW.organization_id IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER add_labels AFTER INSERT ON "tasks"
  FOR EACH ROW WHEN (NEW.organization_id IS NOT NULL AND NEW.labels <> '{}')
  EXECUTE FUNCTION keep_task_labels();

CREATE TRIGGER change_labels AFTER UPDATE OF labels, organization_id ON "tasks"
  FOR EACH ROW WHEN (
    NEW.labels <> OLD.labels OR NEW.organization_id IS DISTINCT FROM OLD.organization_id
  )
  EXECUTE FUNCTION keep_task_labels();

CREATE TRIGGER remove_labels AFTER DELETE ON "tasks"
  FOR EACH ROW WHEN (OLD.organization_id IS NOT NULL AND OLD.labels <> '{}')
  EXECUTE FUNCTION keep_task_labels();
