-- The judgements of captures are read from their JSON once, and not at all where there are none: each capture joined them
-- to find that out. A judgement by settings that were deleted is outdated too: it counted as a failed signature, and its
-- bytes twice.

-- Stores captures of one endpoint: all in the arrays, or those from `first` to `last`. `event_ids` has NULL for a capture
-- that was judged by outdated settings, which is not stored. An unknown endpoint gets IDs too and costs as much, so that
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
           array_agg(judgement.delivery_id ORDER BY i)
    INTO current_ids, verdicts, verdict_reasons, statuses, status_reasons, delivery_ids
    FROM generate_series(first, last) AS i
    LEFT JOIN json_to_recordset(judgements) AS judgement (
      n INTEGER, flow_version BIGINT, verified BOOLEAN, verification_reason TEXT, valid_from BIGINT, valid_until BIGINT,
      late_reason TEXT, forward_status forward_status, forward_reason TEXT, delivery_id TEXT
    ) ON judgement.n = i
    CROSS JOIN LATERAL (
      SELECT coalesce(judgement.verified AND (seconds < judgement.valid_from OR seconds > judgement.valid_until), false) AS is_late
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
  is_watched := state.watched_until > seconds;
  event_ids := event_ids[first:last];
END $$;
