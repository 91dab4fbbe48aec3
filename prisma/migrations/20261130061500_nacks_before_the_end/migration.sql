-- A nack could delay an event until after its end: nobody received it again.

-- Returns delivered events for redelivery after their delay, which ends a second before they expire at the latest, or
-- marks them dead after their last delivery or on request. Returns a row for each of the events that exists, with the
-- lease under which it was released, or NULL if it is delivered under another. If there is an inbox, at least one row. A
-- receiver may deliver one whose lease has ended without the state's lock: its lease then no longer matches.
CREATE OR REPLACE FUNCTION release_events(
  of_inbox TEXT, caller_organization TEXT, event_ids TEXT[], lease_ids TEXT[], delays INTEGER[], errors TEXT[],
  deads BOOLEAN[], deliveries_max INTEGER, actor TEXT
) RETURNS TABLE (
  owner TEXT, is_awaited BOOLEAN, released_lease TEXT,
  id TEXT, inbox_id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT, size_bytes INTEGER,
  dedup_id TEXT, delivery_count INTEGER, consumer TEXT, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, visible_at TIMESTAMPTZ, lapses_at TIMESTAMPTZ
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_nestloop = off AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  epoch DOUBLE PRECISION := extract(epoch FROM now());
  seconds BIGINT := floor(epoch);
  already_dead TEXT[];
  released RECORD;
  released_ids TEXT[] := '{}';
  released_leases TEXT[] := '{}';
  died TEXT[] := '{}';
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_awaited := coalesce(inbox.awaited_until > now(), false);
  IF owner IS NULL OR owner = caller_organization THEN
    SELECT coalesce(array_agg(e.id), '{}') INTO already_dead FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.visible_at = 'infinity';
    FOR released IN
      UPDATE inbox_events e SET
        lease_id = NULL,
        last_error = given.error,
        lapses_at = to_timestamp(e.expires_at),
        visible_at = CASE WHEN given.dead OR e.delivery_count >= deliveries_max OR e.visible_at = 'infinity' THEN 'infinity'
                          ELSE greatest(to_timestamp(least(epoch + given.delay, greatest(epoch, e.expires_at - 1))),
                                        inbox.ready_from) END,
        dedup_key = CASE WHEN given.dead OR e.delivery_count >= deliveries_max OR e.visible_at = 'infinity' THEN NULL
                         ELSE e.dedup_key END
      FROM unnest(event_ids, lease_ids, delays, errors, deads) AS given (id, lease_id, delay, error, dead)
      -- Also by the array, because the plan for the join alone may scan the whole inbox.
      WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.id = given.id AND e.lease_id = given.lease_id
        AND e.expires_at > seconds
      RETURNING e.id, given.lease_id, e.visible_at, e.headers
    LOOP
      released_ids := released_ids || released.id;
      released_leases := released_leases || released.lease_id;
      IF released.visible_at = 'infinity' AND NOT released.id = ANY (already_dead) THEN
        died := died || released.headers;
      END IF;
    END LOOP;
    IF released_ids <> '{}' THEN
      UPDATE inbox_state i SET occupied = i.occupied - cardinality(died), active_at = seconds
      WHERE i.inbox_id = of_inbox;
      PERFORM record_dead_events(of_inbox, owner, died, actor);
    END IF;
    RETURN QUERY
    SELECT owner, is_awaited, released_leases[array_position(released_ids, e.id)],
         e.id, e.inbox_id, e.content_type, e.headers, e.body, e.query_string, e.source_ip, e.size_bytes, e.dedup_id,
         e.delivery_count, e.consumer, e.lease_id, e.last_error, e.received_at, e.expires_at, e.visible_at, e.lapses_at
    FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.expires_at > seconds;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  RETURN NEXT;
END $$;
