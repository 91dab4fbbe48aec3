-- What strangers make long is bounded: the queries of events that are received at once, and what is read of events that
-- wait for a full inbox. And captures whose valid signature was late are told, so that they count as not verified.

-- Leases the events that have been ready longest, at most one for each lease ID and as many as fit into `bytes_max`,
-- or one; a query weighs as much as in lib/platform/http/recorded-query.ts. Returns a row for each, or one without an
-- event. No rows if there is no inbox. Takes no lock on the inbox: two receivers never lease the same event, since the
-- second skips locked rows, and a row that changed before it was locked no longer matches. Leases nothing if
-- `key_is_live`, which is returned as `is_live`, is false.
CREATE OR REPLACE FUNCTION lease_events(
  of_inbox TEXT, caller_organization TEXT, key_is_live BOOLEAN, lease_ids TEXT[], lease_seconds INTEGER[], consumers TEXT[],
  deliveries_max INTEGER, bytes_max BIGINT
) RETURNS TABLE (
  owner TEXT, is_live BOOLEAN, is_cut BOOLEAN, id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT,
  size_bytes INTEGER, dedup_id TEXT, delivery_count INTEGER, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, leased_until BIGINT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
-- A loop would compare each event with each lease: Postgres expects few of both.
SET enable_nestloop = off AS $$
#variable_conflict use_column
DECLARE
  inbox RECORD;
  at TIMESTAMPTZ := now();
  epoch DOUBLE PRECISION := extract(epoch FROM at);
  chosen TEXT[];
  weights INTEGER[];
  total BIGINT;
  is_more BOOLEAN := false;
BEGIN
  SELECT i.organization_id, i.ready_from INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_live := key_is_live;
  IF is_live AND (owner IS NULL OR owner = caller_organization) THEN
    SELECT array_agg(next.id ORDER BY next.visible_at, next.id),
           array_agg(next.weight ORDER BY next.visible_at, next.id), sum(next.weight)
    INTO chosen, weights, total
    FROM (
      SELECT e.id, e.visible_at, e.size_bytes + 8 * octet_length(e.query_string) AS weight FROM inbox_events e
      -- The index for receiving begins with `queue_id`. The rest keeps the planner away from the primary key, which
      -- it would read for the whole inbox: a long array of the same ID makes every inbox look large.
      WHERE e.queue_id = of_inbox AND e.id > '' AND e.inbox_id = ANY (ARRAY[
          of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox,
          of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox,
          of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox])
        AND e.visible_at <= at AND e.visible_at >= inbox.ready_from AND e.lapses_at > at
      ORDER BY e.visible_at, e.id LIMIT cardinality(lease_ids)
      FOR UPDATE SKIP LOCKED
    ) AS next;
    WHILE total > bytes_max AND cardinality(chosen) > 1 LOOP
      total := total - weights[cardinality(chosen)];
      chosen := chosen[:cardinality(chosen) - 1];
      is_more := true;
    END LOOP;
    IF chosen IS NOT NULL THEN
      RETURN QUERY
      UPDATE inbox_events e SET
        lease_id = given.lease_id,
        visible_at = to_timestamp(epoch + given.seconds),
        lapses_at = CASE
          WHEN e.delivery_count + 1 < deliveries_max THEN to_timestamp(e.expires_at)
          ELSE to_timestamp(least(e.expires_at, epoch + given.seconds)) END,
        delivery_count = e.delivery_count + 1,
        consumer = given.consumer
      FROM unnest(chosen, lease_ids, lease_seconds, consumers) AS given (id, lease_id, seconds, consumer)
      -- Also by the array, because the plan for the join alone may scan the whole inbox.
      WHERE e.inbox_id = of_inbox AND e.id = ANY (chosen) AND e.id = given.id
      RETURNING owner, is_live, is_more, e.id, e.content_type, e.headers, e.body, e.query_string, e.source_ip, e.size_bytes,
                e.dedup_id, e.delivery_count, e.lease_id, e.last_error, e.received_at, e.expires_at,
                floor(epoch + given.seconds)::BIGINT;
      RETURN;
    END IF;
  END IF;
  is_cut := false;
  RETURN NEXT;
END $$;

-- Stores captures of one endpoint: all in the arrays, or those from `first` to `last`. `event_ids` has NULL for a capture
-- that was judged by outdated settings, which is not stored. After them it repeats the IDs of those that were stored as
-- not verified because their valid signature was not in time. An unknown endpoint gets IDs too and costs as much, so that
-- a sender cannot tell. The caller may have locked the endpoint and forwarded captures: then `at_micros` is the time from
-- which their IDs were made, and `forwarded_ids` has those in the inbox, or NULL.
CREATE OR REPLACE FUNCTION capture_events(
  of_endpoint TEXT, tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[],
  source_ips TEXT[], judgements JSON, public_bytes_max BIGINT, first INTEGER DEFAULT 1, last INTEGER DEFAULT NULL,
  at_micros BIGINT DEFAULT NULL, to_inbox TEXT DEFAULT NULL, forwarded_ids TEXT[] DEFAULT NULL,
  OUT event_ids TEXT[], OUT is_known BOOLEAN, OUT owner TEXT, OUT is_full BOOLEAN, OUT is_watched BOOLEAN
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET lock_timeout = '500ms' AS $$
DECLARE
  state endpoint_state%ROWTYPE;
  micros BIGINT;
  seconds BIGINT;
  stored INTEGER;
  -- What the settings say of each capture, from `first` on; null if the endpoint neither verifies nor forwards.
  current_ids TEXT[];
  verdicts BOOLEAN[];
  verdict_reasons TEXT[];
  statuses forward_status[];
  status_reasons TEXT[];
  delivery_ids TEXT[];
  late_ids TEXT[];
  before INTEGER := first - 1;
BEGIN
  SELECT e.* INTO state FROM endpoint_state e WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;
  is_known := FOUND;
  owner := state.organization_id;
  last := coalesce(last, cardinality(tails));
  -- IDs increase in the order in which events become visible, even if the clock is set back.
  micros := coalesce(
    at_micros, greatest(state.last_event_micros, floor(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT));
  seconds := micros / 1000000;
  FOR n IN first .. last LOOP
    event_ids[n] := 'wev_' || id_time(micros + n) || tails[n];
  END LOOP;

  IF NOT is_known THEN
    PERFORM pg_logical_emit_message(
      true, 'unknown webhook endpoint',
      convert_to(array_to_string(headers[first:last], ''), 'UTF8')
        || substring(bodies FROM body_starts[first] + 1 FOR body_starts[last] + body_lengths[last] - body_starts[first]));
    event_ids := event_ids[first:last];
    RETURN;
  END IF;
  IF state.flow_version <> 0 OR judgements IS NOT NULL THEN
    SELECT array_agg(CASE WHEN coalesce(judgement.flow_version, 0) = state.flow_version THEN event_ids[i] END ORDER BY i),
           array_agg(judgement.verified AND NOT checked.is_late ORDER BY i),
           array_agg(CASE WHEN checked.is_late THEN judgement.late_reason ELSE judgement.verification_reason END ORDER BY i),
           array_agg(CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'skipped'
                          ELSE judgement.forward_status END ORDER BY i),
           array_agg(CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'not_verified'
                          ELSE judgement.forward_reason END ORDER BY i),
           array_agg(judgement.delivery_id ORDER BY i),
           array_agg(event_ids[i]) FILTER (WHERE checked.is_late AND judgement.flow_version = state.flow_version)
    INTO current_ids, verdicts, verdict_reasons, statuses, status_reasons, delivery_ids, late_ids
    FROM generate_series(first, last) AS i
    LEFT JOIN json_to_recordset(judgements) AS judgement (
      n INTEGER, flow_version BIGINT, verified BOOLEAN, verification_reason TEXT, valid_from BIGINT, valid_until BIGINT,
      late_reason TEXT, forward_status forward_status, forward_reason TEXT, delivery_id TEXT
    ) ON judgement.n = i
    CROSS JOIN LATERAL (
      SELECT coalesce(judgement.verified AND (unix_now() NOT BETWEEN judgement.valid_from AND judgement.valid_until), false) AS is_late
    ) AS checked;
    event_ids[first:last] := current_ids;
  END IF;

  INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip, received_at,
                              verified, verification_reason, forward_status, forward_reason, forward_inbox_id,
                              forwarded_id, delivery_id)
  SELECT of_endpoint, event_ids[i], methods[i], paths[i], query_strings[i],
         CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,
         substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), sizes[i], source_ips[i], seconds,
         verdicts[i - before], verdict_reasons[i - before],
         CASE WHEN forwarded_ids[i] IS NOT NULL THEN 'forwarded' ELSE statuses[i - before] END,
         CASE WHEN substr(forwarded_ids[i], 5) <> substr(event_ids[i], 5) THEN 'duplicate'
              ELSE status_reasons[i - before] END,
         CASE WHEN forwarded_ids[i] IS NOT NULL THEN to_inbox END, forwarded_ids[i], delivery_ids[i - before]
  FROM generate_series(first, last) AS i
  WHERE event_ids[i] IS NOT NULL;
  GET DIAGNOSTICS stored = ROW_COUNT;

  IF state.event_count + stored > state.max_events THEN
    SELECT v.id INTO state.gone_up_to FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.id > state.gone_up_to
    ORDER BY v.id OFFSET state.event_count + stored - state.max_events - 1 LIMIT 1;
  END IF;
  state.event_count := least(state.event_count + stored, state.max_events);
  FOR n IN first .. last LOOP
    IF event_ids[n] IS NOT NULL THEN
      state.bytes_used := state.bytes_used + body_lengths[n]
        + octet_length(headers[n]) + octet_length(paths[n]) + octet_length(query_strings[n]);
    END IF;
  END LOOP;
  state.hourly[slot_of_hour()] := add_in_hour(state.hourly[slot_of_hour()], stored);
  UPDATE endpoint_state e SET
    event_count = state.event_count,
    gone_up_to = state.gone_up_to,
    last_event_micros = micros + last,
    bytes_used = state.bytes_used,
    hourly = state.hourly
  WHERE e.endpoint_id = of_endpoint;
  is_full := state.event_count = state.max_events OR (owner IS NULL AND state.bytes_used > public_bytes_max);
  is_watched := state.watched_until > unix_now();
  event_ids := event_ids[first:last] || late_ids;
END $$;

-- Forwards the oldest events that an endpoint holds back into its inbox: those after `after`, as many as fit, at most
-- 200 or 8 MB. Returns whether events are still held, whether more of them may be forwarded at once, and the inbox if
-- its waiting receivers must be notified. Each capture tries again, so nothing long is read for an inbox that is full.
CREATE OR REPLACE FUNCTION forward_held_events(
  of_endpoint TEXT, after TEXT, public_bytes_max BIGINT,
  OUT is_held BOOLEAN, OUT has_more BOOLEAN, OUT awaited_inbox TEXT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  endpoint RECORD;
  -- A record: Citus would send a call with a variable to the inbox's node, which refuses it in this transaction.
  forward RECORD;
  oldest RECORD;
  held RECORD;
  inbox RECORD;
  -- Whether the inbox takes the oldest one. If not, it may still have the first of a duplicate.
  is_open BOOLEAN;
  stored RECORD;
  stored_ids TEXT[];
  new_obstacle forward_obstacle;
BEGIN
  is_held := false;
  has_more := false;
  SELECT e.organization_id, e.gone_up_to, e.obstacle INTO endpoint FROM endpoint_state e
  WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;
  SELECT f.inbox_id INTO forward FROM webhook_forwards f WHERE f.endpoint_id = of_endpoint;
  IF forward.inbox_id IS NULL THEN
    RETURN;
  END IF;
  SELECT length(v.body) + octet_length(v.headers) + octet_length(v.query_string) AS weight INTO oldest
  FROM webhook_events v
  WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > coalesce(after, endpoint.gone_up_to)
  ORDER BY v.id LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  SELECT i.organization_id, i.occupied < i.max_events AS has_place, i.bytes_used INTO inbox
  FROM inbox_state i WHERE i.inbox_id = forward.inbox_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    UPDATE webhook_events v SET forward_status = 'failed', forward_reason = 'inbox_deleted'
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held';
    RETURN;
  END IF;
  is_open := inbox.organization_id IS NOT DISTINCT FROM endpoint.organization_id AND inbox.has_place
    -- As `ingest_events` does.
    AND (inbox.organization_id IS NOT NULL OR inbox.bytes_used + oldest.weight + 300 <= public_bytes_max);
  SELECT array_agg(one.id ORDER BY one.n) AS ids, array_agg('iev_' || substr(one.id, 5) ORDER BY one.n) AS inbox_ids,
         array_fill(NULL::INTEGER, ARRAY[count(*)::INTEGER]) AS ttls, array_fill(0, ARRAY[count(*)::INTEGER]) AS delays,
         array_agg(one.headers ORDER BY one.n) AS headers,
         array_agg(one.headers::json->>'content-type' ORDER BY one.n) AS content_types,
         array_agg(one.query_string ORDER BY one.n) AS query_strings, array_agg(one.source_ip ORDER BY one.n) AS source_ips,
         array_agg(one.delivery_id ORDER BY one.n) AS delivery_ids, string_agg(one.body, '' ORDER BY one.n) AS bodies,
         array_agg(one.length ORDER BY one.n) AS lengths, array_agg(one.start::INTEGER ORDER BY one.n) AS starts,
         max(one.found) > count(*) AS has_more
  INTO held
  FROM (
    SELECT v.id, v.source_ip, v.delivery_id, CASE WHEN is_open THEN v.headers ELSE '{}' END AS headers,
           CASE WHEN is_open THEN v.query_string ELSE '' END AS query_string,
           CASE WHEN is_open THEN v.body ELSE '' END AS body, length(v.body) AS length,
           row_number() OVER upto AS n, count(*) OVER () AS found,
           -- More bytes may be held than an integer counts. Those that are read start before 8 MB.
           sum(length(v.body)) OVER upto - length(v.body) AS start,
           sum(length(v.body) + octet_length(v.headers) + octet_length(v.query_string)) OVER upto AS weight
    FROM (
      SELECT v.id, v.headers, v.query_string, v.source_ip, v.delivery_id, v.body FROM webhook_events v
      WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > coalesce(after, endpoint.gone_up_to)
      ORDER BY v.id LIMIT 201
    ) AS v
    WINDOW upto AS (ORDER BY v.id)
  ) AS one
  WHERE one.n = 1 OR (one.n <= 200 AND one.weight <= 8000000);

  IF inbox.organization_id IS DISTINCT FROM endpoint.organization_id THEN
    -- One of the two was claimed: its owner's events are not for others to read.
    new_obstacle := 'other_owner';
  ELSE
    FOR stored IN
      SELECT * FROM ingest_events(
        forward.inbox_id, held.inbox_ids, held.content_types, held.headers, held.headers, held.bodies, held.starts,
        held.lengths, held.query_strings, held.source_ips, held.delivery_ids, held.ttls, held.delays, of_endpoint,
        -- After a duplicate there may be room for one that was not read.
        CASE WHEN is_open THEN public_bytes_max ELSE 0 END)
    LOOP
      stored_ids := stored_ids || stored.id;
      IF stored.id IS NULL THEN
        new_obstacle := 'inbox_full';
      END IF;
      IF stored.is_awaited THEN
        awaited_inbox := forward.inbox_id;
      END IF;
    END LOOP;
    UPDATE webhook_events v SET
      forward_status = 'forwarded',
      forward_reason = CASE WHEN given.stored_id <> 'iev_' || substr(v.id, 5) THEN 'duplicate' END,
      forward_inbox_id = forward.inbox_id,
      forwarded_id = given.stored_id
    FROM unnest(held.ids, stored_ids) AS given (id, stored_id)
    WHERE v.endpoint_id = of_endpoint AND v.id = ANY (held.ids) AND v.id = given.id AND given.stored_id IS NOT NULL;
  END IF;
  IF new_obstacle IS DISTINCT FROM endpoint.obstacle THEN
    UPDATE endpoint_state e SET obstacle = new_obstacle WHERE e.endpoint_id = of_endpoint;
  END IF;
  IF new_obstacle IS NOT NULL THEN
    UPDATE inbox_state i SET is_awaited_by_forwards = true
    WHERE i.inbox_id = forward.inbox_id AND NOT i.is_awaited_by_forwards;
  END IF;
  -- If the oldest was a duplicate, which needs no place, the next may fit.
  has_more := (held.has_more AND new_obstacle IS NULL)
    OR (NOT is_open AND new_obstacle = 'inbox_full' AND stored_ids[1] IS NOT NULL);
  is_held := held.has_more OR new_obstacle IS NOT NULL;
END $$;
