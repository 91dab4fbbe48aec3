-- An attempt that is under way when its forward, subscription or bulk replay ends is the last of its message.
ALTER TABLE "scheduled_messages" ADD COLUMN     "last_attempt" BOOLEAN NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION end_endpoint_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  endpoint RECORD;
  watched BIGINT;
BEGIN
  FOR endpoint IN SELECT id, organization_id FROM gone ORDER BY id LOOP
    -- Before the events, so that a capture comes before or finds no endpoint.
    DELETE FROM endpoint_state WHERE endpoint_id = endpoint.id RETURNING watched_until INTO watched;
    DELETE FROM webhook_events WHERE endpoint_id = endpoint.id;
    IF watched > unix_now() THEN
      PERFORM pg_notify('announcements', 'webhook-events:' || endpoint.id);
    END IF;
    UPDATE scheduled_messages SET
      last_attempt = lease_token IS NOT NULL,
      status = CASE WHEN lease_token IS NULL THEN 'canceled' ELSE status END,
      due_at = CASE WHEN lease_token IS NOT NULL THEN due_at END,
      updated_at = unix_now(), revision = revision + 1
    WHERE id IN (
      -- Locked in the order of claims and updates. One that was claimed alone has another owner.
      SELECT m.id FROM scheduled_messages m
      WHERE m.webhook_endpoint_id = endpoint.id AND m.due_at IS NOT NULL
        AND m.organization_id IS NOT DISTINCT FROM endpoint.organization_id
      ORDER BY m.id FOR NO KEY UPDATE);
  END LOOP;
  RETURN NULL;
END $$;
