-- Events are redriven by one UPDATE, where each had one: a thousand took seconds on a distributed database.

-- Makes dead events ready again and resets their delivery count: `of_event`, or the oldest `how_many`, as many as fit.
-- Returns one row if there is an inbox: what `of_event` was before, how many were found and revived, how many are still
-- dead, and the last revived event. They are locked, since an extension of a lease takes no lock of the state. A
-- `dedup_id` stays with the event that has it; if none has, the oldest revived one gets it.
CREATE OR REPLACE FUNCTION redrive_events(of_inbox TEXT, caller_organization TEXT, of_event TEXT, how_many INTEGER)
RETURNS TABLE (
  owner TEXT, is_awaited BOOLEAN, state_before TEXT, matched INTEGER, revived INTEGER, remaining INTEGER,
  id TEXT, inbox_id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT, size_bytes INTEGER,
  dedup_id TEXT, delivery_count INTEGER, consumer TEXT, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, visible_at TIMESTAMPTZ, lapses_at TIMESTAMPTZ
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  at TIMESTAMPTZ;
  seconds BIGINT;
  dead_ids TEXT[];
  dedups TEXT[];
  chosen RECORD;
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  at := now();
  seconds := floor(extract(epoch FROM at));
  owner := inbox.organization_id;
  is_awaited := coalesce(inbox.awaited_until > at, false);
  revived := 0;
  IF owner IS DISTINCT FROM caller_organization AND owner IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  IF of_event IS NOT NULL THEN
    SELECT CASE WHEN e.visible_at = 'infinity' OR e.lapses_at <= at THEN 'dead' WHEN e.visible_at <= at THEN 'ready'
                WHEN e.lease_id IS NULL THEN 'delayed' ELSE 'leased' END, ARRAY[e.dedup_id]
    INTO state_before, dedups FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = of_event AND e.expires_at > seconds FOR UPDATE;
    dead_ids := CASE WHEN state_before = 'dead' THEN ARRAY[of_event] ELSE '{}' END;
  ELSE
    SELECT coalesce(array_agg(oldest.id), '{}'), array_agg(oldest.dedup_id) INTO dead_ids, dedups FROM (
      SELECT e.id, e.dedup_id FROM inbox_events e
      WHERE e.inbox_id = of_inbox AND e.expires_at > seconds AND (e.visible_at = 'infinity' OR e.lapses_at <= at)
      ORDER BY e.id LIMIT how_many FOR UPDATE) AS oldest;
  END IF;
  matched := cardinality(dead_ids);
  IF matched > 0 THEN
    SELECT coalesce(array_agg(one.id), '{}') AS ids,
           array_agg(CASE WHEN one.holder = one.id OR (one.holder IS NULL AND one.place = 1) THEN one.dedup_id END) AS keys,
           count(*) FILTER (WHERE one.needs_room) AS taken, max(one.id) AS last_id
    INTO chosen
    FROM (
      SELECT fitting.*, row_number() OVER (PARTITION BY fitting.dedup_id ORDER BY fitting.id) AS place
      FROM (
        SELECT e.id, e.dedup_id, holder.id AS holder, e.visible_at = 'infinity' AS needs_room,
               row_number() OVER (PARTITION BY e.visible_at = 'infinity' ORDER BY e.id) AS turn
        FROM inbox_events e LEFT JOIN (
          SELECT h.id, h.dedup_key FROM inbox_events h WHERE h.inbox_id = of_inbox AND h.dedup_key = ANY (dedups)
        ) AS holder ON holder.dedup_key = e.dedup_id
        WHERE e.inbox_id = of_inbox AND e.id = ANY (dead_ids)
      ) AS fitting
      -- One that has only run out of deliveries still takes up room.
      WHERE NOT fitting.needs_room OR fitting.turn <= inbox.max_events - inbox.occupied
    ) AS one;
    revived := cardinality(chosen.ids);
  END IF;
  IF revived > 0 THEN
    UPDATE inbox_events e SET
      visible_at = greatest(at, inbox.ready_from),
      lapses_at = to_timestamp(e.expires_at),
      delivery_count = 0,
      lease_id = NULL,
      dedup_key = given.key
    FROM unnest(chosen.ids, chosen.keys) AS given (id, key)
    -- Also by the array, because the plan for the join alone may scan the whole inbox.
    WHERE e.inbox_id = of_inbox AND e.id = ANY (chosen.ids) AND e.id = given.id;
    UPDATE inbox_state i SET occupied = i.occupied + chosen.taken, active_at = seconds WHERE i.inbox_id = of_inbox;
  END IF;
  IF of_event IS NULL THEN
    SELECT count(*) INTO remaining FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.expires_at > seconds AND (e.visible_at = 'infinity' OR e.lapses_at <= at);
  END IF;
  IF revived > 0 THEN
    RETURN QUERY
    SELECT owner, is_awaited, state_before, matched, revived, remaining,
           e.id, e.inbox_id, e.content_type, e.headers, e.body, e.query_string, e.source_ip, e.size_bytes, e.dedup_id,
           e.delivery_count, e.consumer, e.lease_id, e.last_error, e.received_at, e.expires_at, e.visible_at, e.lapses_at
    FROM inbox_events e WHERE e.inbox_id = of_inbox AND e.id = chosen.last_id;
  ELSE
    RETURN NEXT;
  END IF;
END $$;
