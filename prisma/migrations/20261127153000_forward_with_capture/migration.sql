-- A capture that is forwarded to an inbox is written once: in the inbox first, then at the endpoint as forwarded. It was
-- stored as held, read again, and updated.
DROP FUNCTION capture_events(
  TEXT, TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], BYTEA, INTEGER[], INTEGER[], BIGINT[], TEXT[], JSON, BIGINT,
  INTEGER, INTEGER
);

-- Stores captures of one endpoint: all in the arrays, or those from `first` to `last`. `event_ids` has NULL for a capture
-- that was judged by outdated settings, which is not stored. An unknown endpoint gets IDs too and costs as much, so that
-- a sender cannot tell. The caller may have locked the endpoint and forwarded captures: then `at_micros` is the time from
-- which their IDs were made, and `forwarded_ids` has those in the inbox, or NULL.
CREATE FUNCTION capture_events(
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
  IF state.flow_version <> 0 THEN
    event_ids[first:last] := ARRAY(
      SELECT CASE WHEN judgement.flow_version = state.flow_version THEN event_ids[i] END
      FROM generate_series(first, last) AS i
      LEFT JOIN json_to_recordset(judgements) AS judgement (n INTEGER, flow_version BIGINT) ON judgement.n = i ORDER BY i);
  END IF;

  INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip, received_at,
                              verified, verification_reason, forward_status, forward_reason, forward_inbox_id,
                              forwarded_id, delivery_id)
  SELECT of_endpoint, event_ids[i], methods[i], paths[i], query_strings[i],
         CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,
         substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), sizes[i], source_ips[i], seconds,
         judgement.verified AND NOT checked.is_late,
         CASE WHEN checked.is_late THEN judgement.late_reason ELSE judgement.verification_reason END,
         CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'skipped'
              WHEN forwarded_ids[i] IS NOT NULL THEN 'forwarded' ELSE judgement.forward_status END,
         CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'not_verified'
              WHEN substr(forwarded_ids[i], 5) <> substr(event_ids[i], 5) THEN 'duplicate' ELSE judgement.forward_reason END,
         CASE WHEN forwarded_ids[i] IS NOT NULL THEN to_inbox END, forwarded_ids[i], judgement.delivery_id
  FROM generate_series(first, last) AS i
  LEFT JOIN json_to_recordset(judgements) AS judgement (
    n INTEGER, flow_version BIGINT, verified BOOLEAN, verification_reason TEXT, valid_from BIGINT, valid_until BIGINT,
    late_reason TEXT, forward_status forward_status, forward_reason TEXT, delivery_id TEXT
  ) ON judgement.n = i AND judgement.flow_version = state.flow_version
  CROSS JOIN LATERAL (
    SELECT coalesce(judgement.verified AND (seconds < judgement.valid_from OR seconds > judgement.valid_until), false) AS is_late
  ) AS checked
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
  is_watched := state.watched_until > seconds;
  event_ids := event_ids[first:last];
END $$;

-- Stores captures of an endpoint that forwards, and forwards those to an inbox: at once if no earlier ones are held back,
-- else after those. A small endpoint may get more captures at once than it keeps: all of them are forwarded, also those
-- that have gone by then.
CREATE OR REPLACE FUNCTION capture_and_forward(
  of_endpoint TEXT, tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[],
  source_ips TEXT[], judgements JSON, public_bytes_max BIGINT,
  OUT event_ids TEXT[], OUT is_known BOOLEAN, OUT owner TEXT, OUT is_full BOOLEAN, OUT is_watched BOOLEAN,
  OUT is_held BOOLEAN, OUT awaited_inbox TEXT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  endpoint RECORD;
  -- A record: Citus would send a call with a variable to the inbox's node, which refuses it in this transaction.
  forward RECORD;
  inbox RECORD;
  due RECORD;
  stored RECORD;
  later RECORD;
  micros BIGINT;
  seconds BIGINT;
  n INTEGER := 0;
  -- A variable: Citus sends `capture_events` to the endpoint's node only if no argument is a field of a record.
  to_inbox TEXT;
  forwarded_ids TEXT[];
  -- Whether events may still have to be forwarded.
  is_left BOOLEAN;
BEGIN
  SELECT e.organization_id, e.flow_version, e.last_event_micros, e.gone_up_to, e.obstacle INTO endpoint
  FROM endpoint_state e WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;
  SELECT f.inbox_id INTO forward FROM webhook_forwards f WHERE f.endpoint_id = of_endpoint;
  is_left := FOUND;
  micros := greatest(endpoint.last_event_micros, floor(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
  seconds := micros / 1000000;

  IF forward.inbox_id IS NOT NULL AND endpoint.obstacle IS NULL AND NOT EXISTS (
    SELECT FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > endpoint.gone_up_to
  ) THEN
    SELECT i.organization_id, i.awaited_until INTO inbox FROM inbox_state i
    WHERE i.inbox_id = forward.inbox_id FOR NO KEY UPDATE;
    IF FOUND AND inbox.organization_id IS NOT DISTINCT FROM endpoint.organization_id THEN
      SELECT array_agg(i ORDER BY i) AS places, array_agg('iev_' || id_time(micros + i) || tails[i] ORDER BY i) AS ids,
             array_agg(kept.headers::json->>'content-type' ORDER BY i) AS content_types,
             array_agg(kept.headers ORDER BY i) AS headers, array_agg(body_starts[i] ORDER BY i) AS starts,
             array_agg(body_lengths[i] ORDER BY i) AS lengths, array_agg(query_strings[i] ORDER BY i) AS query_strings,
             array_agg(source_ips[i] ORDER BY i) AS source_ips, array_agg(judgement.delivery_id ORDER BY i) AS delivery_ids,
             array_agg(NULL::INTEGER) AS ttls, array_agg(0) AS delays
      INTO due
      FROM generate_series(1, cardinality(tails)) AS i
      JOIN json_to_recordset(judgements) AS judgement (
        n INTEGER, flow_version BIGINT, verified BOOLEAN, valid_from BIGINT, valid_until BIGINT, forward_status forward_status,
        delivery_id TEXT
      ) ON judgement.n = i AND judgement.flow_version = endpoint.flow_version AND judgement.forward_status = 'held'
      CROSS JOIN LATERAL (
        SELECT CASE WHEN endpoint.organization_id IS NULL THEN coalesce(redacted_headers[i], headers[i])
                    ELSE headers[i] END AS headers
      ) AS kept
      -- As in `capture_events`: one whose signature has become too old is skipped.
      WHERE NOT coalesce(judgement.verified AND (seconds < judgement.valid_from OR seconds > judgement.valid_until), false);
      to_inbox := forward.inbox_id;
      is_left := false;
      IF due.places IS NOT NULL THEN
        FOR stored IN
          SELECT * FROM ingest_events(
            forward.inbox_id, due.ids, due.content_types, due.headers, due.headers, bodies, due.starts, due.lengths,
            due.query_strings, due.source_ips, due.delivery_ids, due.ttls, due.delays, of_endpoint, public_bytes_max)
        LOOP
          n := n + 1;
          forwarded_ids[due.places[n]] := stored.id;
          is_left := is_left OR stored.id IS NULL;
          IF stored.is_awaited THEN
            awaited_inbox := forward.inbox_id;
          END IF;
        END LOOP;
      END IF;
    END IF;
  END IF;

  SELECT c.* INTO event_ids, is_known, owner, is_full, is_watched FROM capture_events(
    of_endpoint, tails, methods, paths, query_strings, headers, redacted_headers, bodies, body_starts, body_lengths, sizes,
    source_ips, judgements, public_bytes_max, 1, cardinality(tails), micros, to_inbox, forwarded_ids) AS c;
  -- Events for a URL are sent by the server.
  is_held := is_known AND is_left;
  IF is_held AND forward.inbox_id IS NOT NULL THEN
    SELECT * INTO later FROM forward_held_events(of_endpoint, endpoint.gone_up_to, public_bytes_max);
    is_held := later.is_held;
    awaited_inbox := coalesce(awaited_inbox, later.awaited_inbox);
  END IF;
END $$;
