-- As in the migration growth, but a call takes a portion only: it runs within a capture, whose sender waits. As many
-- events as a batch of captures may have, and twice as many bytes, so that an endpoint that keeps one event forwards
-- all of a batch.
CREATE OR REPLACE FUNCTION forward_held_events(of_endpoint TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  source RECORD;
  inbox RECORD;
  held RECORD;
  earlier TEXT;
  added INTEGER := 0;
  added_bytes BIGINT := 0;
  taken INTEGER := 0;
  taken_bytes BIGINT := 0;
  has_more BOOLEAN := false;
  new_obstacle TEXT;
BEGIN
  SELECT e.organization_id, e.gone_up_to, f.inbox_id, f.obstacle INTO source
  FROM webhook_endpoints e JOIN webhook_forwards f ON f.endpoint_id = e.id
  WHERE e.id = of_endpoint AND f.inbox_id IS NOT NULL
  FOR NO KEY UPDATE OF e;
  IF NOT FOUND OR NOT EXISTS (
    SELECT FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > source.gone_up_to
  ) THEN
    RETURN false;
  END IF;

  SELECT i.id, i.organization_id, i.max_events, i.occupied, i.bytes_left, i.default_ttl_seconds, i.ready_from INTO inbox
  FROM inboxes i WHERE i.id = source.inbox_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    UPDATE webhook_events v SET forward_status = 'failed', forward_reason = 'inbox_deleted'
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held';
    RETURN false;
  END IF;

  IF inbox.organization_id IS DISTINCT FROM source.organization_id THEN
    -- One of the two was claimed: its owner's events are not for others to read.
    new_obstacle := 'other_owner';
  ELSE
    FOR held IN
      SELECT v.id, v.delivery_id,
             octet_length(v.body) + octet_length(v.headers) + octet_length(v.query_string) AS weight
      FROM webhook_events v
      WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > source.gone_up_to
      ORDER BY v.id LIMIT 201
    LOOP
      taken := taken + 1;
      taken_bytes := taken_bytes + held.weight;
      IF taken > 200 OR (taken > 1 AND taken_bytes > 8000000) THEN
        has_more := true;
        EXIT;
      END IF;
      earlier := NULL;
      IF held.delivery_id IS NOT NULL THEN
        SELECT event.id INTO earlier FROM inbox_events event
        WHERE event.inbox_id = inbox.id AND event.dedup_key = held.delivery_id AND event.lapses_at > now();
      END IF;
      IF earlier IS NULL THEN
        IF inbox.occupied + added >= inbox.max_events
           OR (inbox.organization_id IS NULL AND inbox.bytes_left < added_bytes + held.weight) THEN
          new_obstacle := 'inbox_full';
          EXIT;
        END IF;
        -- An event that has lapsed and was not removed yet may still have the key.
        IF held.delivery_id IS NOT NULL THEN
          UPDATE inbox_events event SET dedup_key = NULL
          WHERE event.inbox_id = inbox.id AND event.dedup_key = held.delivery_id;
        END IF;
        INSERT INTO inbox_events (inbox_id, id, webhook_endpoint_id, content_type, headers, body, size_bytes, query_string,
                                  source_ip, dedup_id, dedup_key, queue_id, visible_at, lapses_at, expires_at)
        SELECT inbox.id, 'iev_' || substr(v.id, 5), of_endpoint, v.headers::json->>'content-type', v.headers, v.body,
               octet_length(v.body), v.query_string, v.source_ip, v.delivery_id, v.delivery_id, inbox.id,
               greatest(now(), inbox.ready_from), to_timestamp(unix_now() + inbox.default_ttl_seconds),
               unix_now() + inbox.default_ttl_seconds
        FROM webhook_events v WHERE v.endpoint_id = of_endpoint AND v.id = held.id;
        added := added + 1;
        added_bytes := added_bytes + held.weight;
      END IF;
      UPDATE webhook_events v SET
        forward_status = 'forwarded',
        forward_reason = CASE WHEN earlier IS NOT NULL THEN 'duplicate' END,
        forward_inbox_id = inbox.id,
        forwarded_id = coalesce(earlier, 'iev_' || substr(v.id, 5))
      WHERE v.endpoint_id = of_endpoint AND v.id = held.id;
    END LOOP;
  END IF;

  IF added > 0 THEN
    -- As in an ingest: the inbox's waiting consumers are notified once.
    PERFORM pg_notify('announcements', 'inbox:' || i.id)
    FROM inboxes i WHERE i.id = inbox.id AND i.awaited_until > now();
    UPDATE inboxes i SET
      occupied = i.occupied + added,
      ingested = i.ingested + added,
      hourly[slot_of_hour()] = add_in_hour(i.hourly[slot_of_hour()], added),
      bytes_left = i.bytes_left - added_bytes,
      active_at = unix_now(),
      awaited_until = CASE WHEN i.awaited_until > now() THEN '-infinity'::timestamptz END
    WHERE i.id = inbox.id;
  END IF;
  IF new_obstacle IS DISTINCT FROM source.obstacle THEN
    UPDATE webhook_forwards f SET obstacle = new_obstacle WHERE f.endpoint_id = of_endpoint;
  END IF;
  IF new_obstacle IS NOT NULL THEN
    UPDATE inboxes i SET is_awaited_by_forwards = true WHERE i.id = inbox.id AND NOT i.is_awaited_by_forwards;
  END IF;
  RETURN has_more OR new_obstacle IS NOT NULL;
END $$;

-- As forward_held_events_to (migration webhook_flow), but a portion of all. Returns whether there is room for more.
-- The other function is for the version before; removed in a later release.
CREATE FUNCTION forward_some_held_events_to(to_inbox TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  source RECORD;
  before RECORD;
  still_held BOOLEAN := false;
BEGIN
  -- All endpoints before the inbox, in the order of their IDs, as captures lock them.
  PERFORM FROM webhook_endpoints e WHERE e.id IN (SELECT f.endpoint_id FROM webhook_forwards f WHERE f.inbox_id = to_inbox)
  ORDER BY e.id FOR NO KEY UPDATE;
  SELECT i.ingested, i.bytes_left INTO before FROM inboxes i WHERE i.id = to_inbox FOR NO KEY UPDATE;
  FOR source IN
    SELECT f.endpoint_id, (SELECT min(v.id) FROM webhook_events v
                           WHERE v.endpoint_id = f.endpoint_id AND v.forward_status = 'held') AS first_held
    FROM webhook_forwards f WHERE f.inbox_id = to_inbox ORDER BY first_held NULLS LAST
  LOOP
    still_held := forward_held_events(source.endpoint_id) OR still_held;
    IF EXISTS (SELECT FROM inboxes i WHERE i.id = to_inbox
               AND (i.ingested >= before.ingested + 200 OR i.bytes_left <= before.bytes_left - 8000000)) THEN
      RETURN true;
    END IF;
  END LOOP;
  IF NOT still_held THEN
    UPDATE inboxes i SET is_awaited_by_forwards = false WHERE i.id = to_inbox AND i.is_awaited_by_forwards;
  END IF;
  RETURN EXISTS (
    SELECT FROM webhook_forwards f JOIN webhook_endpoints e ON e.id = f.endpoint_id
    WHERE f.inbox_id = to_inbox AND f.obstacle IS NULL AND EXISTS (
      SELECT FROM webhook_events v
      WHERE v.endpoint_id = f.endpoint_id AND v.forward_status = 'held' AND v.id > e.gone_up_to));
END $$;
