-- What a question is about, and the tasks that wait for its answer.
ALTER TABLE questions
  ADD COLUMN task_id TEXT,
  ADD COLUMN artifact_id TEXT;

CREATE TABLE task_questions (
  task_id TEXT COLLATE "C" NOT NULL REFERENCES tasks ON DELETE CASCADE ON UPDATE CASCADE,
  blocker_id TEXT COLLATE "C" NOT NULL REFERENCES questions ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (task_id, blocker_id)
);
CREATE INDEX task_questions_blocker_id_idx ON task_questions (blocker_id);

-- `waits_for` may name a question, too. The triggers are those of tasks: see 1_rules.
CREATE OR REPLACE FUNCTION open_blocker_of(of_task TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
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
  IF open_blocker IS NOT NULL THEN
    RETURN open_blocker;
  END IF;
  SELECT question.id INTO open_blocker
  FROM task_questions AS link
  JOIN tasks AS task ON task.id = link.task_id
  JOIN questions AS question ON question.id = link.blocker_id
  WHERE link.task_id = of_task
    AND (question.state <> 'answered' OR (question.kind = 'approve' AND question.answer <> 'approve'))
    AND (question.organization_id IS NULL OR question.organization_id = task.organization_id)
  LIMIT 1 FOR SHARE OF link, question SKIP LOCKED;
  RETURN open_blocker;
END $$;

CREATE TRIGGER wait_for_blocker AFTER INSERT ON task_questions
  FOR EACH ROW EXECUTE FUNCTION wait_for_blocker();

CREATE TRIGGER stop_waiting AFTER DELETE ON task_questions REFERENCING OLD TABLE AS unlinked
  FOR EACH STATEMENT EXECUTE FUNCTION stop_waiting_for_unlinked();

CREATE TRIGGER stop_waiting AFTER UPDATE OF state, organization_id ON questions
  FOR EACH ROW WHEN (
    (NEW.state = 'answered' AND (NEW.kind <> 'approve' OR NEW.answer = 'approve'))
    OR NEW.organization_id IS DISTINCT FROM OLD.organization_id
  )
  EXECUTE FUNCTION stop_waiting_for_ended();

CREATE TRIGGER lock_waiting_tasks BEFORE DELETE ON questions
  FOR EACH ROW EXECUTE FUNCTION lock_waiting_tasks();
