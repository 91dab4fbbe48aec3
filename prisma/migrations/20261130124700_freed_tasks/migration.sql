-- Workers that wait are woken by every end of a blocker. The statement that ends one knows only its owner, and it may have
-- none, or be claimed away from the owner of the task.
CREATE FUNCTION announce_ready(owners TEXT[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('announcements', 'tasks:' || id) FROM organizations
  WHERE id = ANY (owners) AND tasks_awaited_until > unix_now()
$$;

CREATE OR REPLACE FUNCTION stop_waiting_for_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners TEXT[];
BEGIN
  PERFORM FROM tasks WHERE waits_for = NEW.id ORDER BY id FOR NO KEY UPDATE;
  WITH waiting AS (
    UPDATE tasks SET waits_for = open_blocker_of(id) WHERE waits_for = NEW.id RETURNING organization_id, waits_for
  )
  SELECT array_agg(organization_id) INTO owners FROM waiting WHERE waits_for IS NULL;
  PERFORM announce_ready(owners);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION stop_waiting_for_unlinked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners TEXT[];
BEGIN
  WITH waiting AS (
    UPDATE tasks SET waits_for = open_blocker_of(tasks.id) FROM unlinked
    WHERE tasks.id = unlinked.task_id AND tasks.waits_for = unlinked.blocker_id
    RETURNING tasks.organization_id, tasks.waits_for
  )
  SELECT array_agg(organization_id) INTO owners FROM waiting WHERE waits_for IS NULL;
  PERFORM announce_ready(owners);
  RETURN NULL;
END $$;
