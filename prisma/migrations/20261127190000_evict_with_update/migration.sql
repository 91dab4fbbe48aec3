-- A lower max_events evicts the oldest events in the transaction that sets it, so that no read shows more. Their rows
-- are deleted in the background.
CREATE OR REPLACE FUNCTION keep_endpoint_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  endpoint RECORD;
  watched BIGINT;
BEGIN
  FOR endpoint IN
    SELECT later.id, later.organization_id, later.max_events,
           later.organization_id IS DISTINCT FROM earlier.organization_id AS is_claimed,
           later.max_events < earlier.max_events AS is_lowered
    FROM later JOIN earlier USING (id)
    WHERE (later.organization_id, later.max_events) IS DISTINCT FROM (earlier.organization_id, earlier.max_events)
    ORDER BY later.id
  LOOP
    UPDATE endpoint_state SET organization_id = endpoint.organization_id, max_events = endpoint.max_events
    WHERE endpoint_id = endpoint.id RETURNING watched_until INTO watched;
    -- A separate statement, which sees all captures and deletions before the lock.
    IF endpoint.is_lowered THEN
      UPDATE endpoint_state e SET
        event_count = e.max_events,
        gone_up_to = (SELECT v.id FROM webhook_events v
                      WHERE v.endpoint_id = endpoint.id AND v.id > e.gone_up_to
                      ORDER BY v.id OFFSET e.event_count - e.max_events - 1 LIMIT 1)
      WHERE e.endpoint_id = endpoint.id AND e.event_count > e.max_events;
    END IF;
    -- A request that waits for events has lost access.
    IF endpoint.is_claimed AND watched > unix_now() THEN
      PERFORM pg_notify('announcements', 'webhook-events:' || endpoint.id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
