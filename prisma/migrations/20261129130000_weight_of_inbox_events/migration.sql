-- An event of a public inbox counts 300 bytes more than its body, headers and query string: an inbox could keep millions
-- of dead ones without a body, and counting them takes seconds. Inboxes are measured again before they refuse an event.

-- Stores events of one inbox, the first ones, as many as fit by number and, in a public inbox, by bytes. Returns a row
-- for each: as it was stored, or the pending event with the same `dedup_id`, or without an ID if the inbox is full. No
-- rows if there is no inbox. Waiting receivers are notified once, by the caller, if `is_awaited`.
CREATE OR REPLACE FUNCTION ingest_events(
  of_inbox TEXT, ids TEXT[], content_types TEXT[], headers TEXT[], redacted_headers TEXT[], bodies BYTEA,
  body_starts INTEGER[], body_lengths INTEGER[], query_strings TEXT[], source_ips TEXT[], dedup_ids TEXT[],
  ttls INTEGER[], delays INTEGER[], from_endpoint TEXT, public_bytes_max BIGINT
) RETURNS TABLE (owner TEXT, is_claimed BOOLEAN, is_awaited BOOLEAN, id TEXT, state TEXT, received_at BIGINT, expires_at BIGINT)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  at TIMESTAMPTZ;
  seconds BIGINT;
  stored INTEGER[] := '{}';
  has_room BOOLEAN := true;
  weight BIGINT;
  same INTEGER;
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- After the lock, which orders the writers: a statement that began first may run last.
  at := clock_timestamp();
  seconds := floor(extract(epoch FROM at));
  owner := inbox.organization_id;
  is_claimed := inbox.organization_id IS NOT NULL AND inbox.created_without_key;
  is_awaited := coalesce(inbox.awaited_until > at, false);

  FOR n IN 1 .. cardinality(ids) LOOP
    id := NULL;
    state := NULL;
    received_at := NULL;
    expires_at := NULL;
    same := n;
    IF dedup_ids[n] IS NOT NULL THEN
      SELECT e.id, CASE WHEN e.visible_at <= at THEN 'ready' WHEN e.lease_id IS NULL THEN 'delayed' ELSE 'leased' END,
             e.received_at, e.expires_at
      INTO id, state, received_at, expires_at
      FROM inbox_events e WHERE e.inbox_id = of_inbox AND e.dedup_key = dedup_ids[n] AND e.lapses_at > at;
      IF NOT FOUND THEN
        -- An event that has lapsed and was not removed yet may still have the key.
        UPDATE inbox_events e SET dedup_key = NULL WHERE e.inbox_id = of_inbox AND e.dedup_key = dedup_ids[n];
        same := array_position(dedup_ids, dedup_ids[n]);
      END IF;
    END IF;
    IF id IS NULL THEN
      IF same = n THEN
        weight := body_lengths[n] + octet_length(headers[n]) + octet_length(query_strings[n])
          -- Its row and index entries, as in lib/resources/inboxes/events/storage.ts: dead events have no maximum.
          + 300;
        has_room := has_room AND inbox.occupied < inbox.max_events
          AND (owner IS NOT NULL OR inbox.bytes_used + weight <= public_bytes_max);
        IF has_room THEN
          stored := stored || n;
          inbox.occupied := inbox.occupied + 1;
          inbox.bytes_used := inbox.bytes_used + weight;
        END IF;
      END IF;
      IF same = ANY (stored) THEN
        id := ids[same];
        state := CASE WHEN delays[same] > 0 THEN 'delayed' ELSE 'ready' END;
        received_at := seconds;
        expires_at := seconds + coalesce(ttls[same], inbox.default_ttl_seconds);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF stored <> '{}' THEN
    INSERT INTO inbox_events (inbox_id, id, content_type, headers, body, size_bytes, query_string, source_ip, dedup_id,
                              dedup_key, queue_id, visible_at, lapses_at, received_at, expires_at, webhook_endpoint_id)
    SELECT of_inbox, ids[i], content_types[i],
           CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,
           substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), body_lengths[i], query_strings[i], source_ips[i],
           dedup_ids[i], dedup_ids[i], of_inbox, greatest(at + delays[i] * interval '1 second', inbox.ready_from),
           to_timestamp(seconds + coalesce(ttls[i], inbox.default_ttl_seconds)), seconds,
           seconds + coalesce(ttls[i], inbox.default_ttl_seconds), from_endpoint
    FROM unnest(stored) AS i;
    inbox.hourly[slot_of_hour()] := add_in_hour(inbox.hourly[slot_of_hour()], cardinality(stored));
  END IF;
  UPDATE inbox_state i SET
    occupied = inbox.occupied,
    bytes_used = inbox.bytes_used,
    ingested = inbox.ingested + cardinality(stored),
    hourly = inbox.hourly,
    active_at = seconds,
    awaited_until = CASE WHEN is_awaited THEN '-infinity'::timestamptz END
  WHERE i.inbox_id = of_inbox;
END $$;
