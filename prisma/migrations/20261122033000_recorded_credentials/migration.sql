-- Writes a batch of captures, whose columns are arrays and whose bodies lie one behind the other in `bodies`.
-- A function, because each of its statements sees what other batches have committed before the lock was had.
--
-- Under the lock of their endpoint events get IDs that rise in the order in which they become visible, so that
-- nobody who reads on from an ID misses one; the oldest beyond `max_events` go in the same moment.
-- `redacted_headers` are those for a public endpoint, NULL where they are the same: under the lock a claim
-- comes before or after, so credentials are kept for an owner only.
--
-- An unknown endpoint costs the same: its captures go to the write-ahead log too, and nowhere else.
CREATE FUNCTION capture_webhook_events(
  endpoint_ids TEXT[], tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[], source_ips TEXT[],
  OUT event_ids TEXT[], OUT full_endpoints TEXT[], OUT watched_endpoints TEXT[]
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  micros BIGINT;
  stored INTEGER;
BEGIN
  -- In the order of their IDs, so that two batches never wait for each other in a circle.
  SELECT max(locked.last_event_micros) INTO micros
  FROM (SELECT e.last_event_micros FROM webhook_endpoints e
        WHERE e.id = ANY (endpoint_ids) ORDER BY e.id FOR NO KEY UPDATE) AS locked;
  micros := greatest(micros, floor(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);

  SELECT array_agg('wev_' || id_time(micros + one.n) || one.tail ORDER BY one.n) INTO event_ids
  FROM unnest(tails) WITH ORDINALITY AS one (tail, n);

  INSERT INTO webhook_events
    (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip)
  SELECT e.id, one.id, one.method, one.path, one.query_string,
         CASE WHEN e.organization_id IS NULL THEN coalesce(one.redacted, one.headers) ELSE one.headers END,
         substring(bodies FROM one.body_start + 1 FOR one.body_length), one.size, one.source_ip
  FROM unnest(endpoint_ids, event_ids, methods, paths, query_strings, headers, redacted_headers,
              body_starts, body_lengths, sizes, source_ips)
    AS one (endpoint_id, id, method, path, query_string, headers, redacted, body_start, body_length, size, source_ip)
  JOIN webhook_endpoints e ON e.id = one.endpoint_id;
  GET DIAGNOSTICS stored = ROW_COUNT;

  WITH counted AS (
    UPDATE webhook_endpoints e SET
      last_event_micros = micros + cardinality(endpoint_ids),
      event_count = least(e.event_count + new.events, e.max_events),
      gone_up_to = CASE
        WHEN e.event_count + new.events <= e.max_events THEN e.gone_up_to
        ELSE (SELECT v.id FROM webhook_events v
              WHERE v.endpoint_id = e.id AND v.id > e.gone_up_to
              ORDER BY v.id OFFSET e.event_count + new.events - e.max_events - 1 LIMIT 1)
      END
    FROM (SELECT one.endpoint_id, count(*)::INTEGER AS events
          FROM unnest(endpoint_ids) AS one (endpoint_id) GROUP BY one.endpoint_id) AS new
    WHERE e.id = new.endpoint_id
    RETURNING e.id, e.event_count = e.max_events AS is_full, e.watched_until > unix_now() AS is_watched
  )
  SELECT array_agg(counted.id) FILTER (WHERE counted.is_full),
         array_agg(counted.id) FILTER (WHERE counted.is_watched)
  INTO full_endpoints, watched_endpoints FROM counted;

  IF stored < cardinality(endpoint_ids) THEN
    PERFORM pg_logical_emit_message(true, 'unknown webhook endpoint',
      convert_to(coalesce(one.redacted, one.headers), 'UTF8') || substring(bodies FROM one.body_start + 1 FOR one.body_length))
    FROM unnest(endpoint_ids, headers, redacted_headers, body_starts, body_lengths)
      AS one (endpoint_id, headers, redacted, body_start, body_length)
    WHERE NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = one.endpoint_id);
  END IF;
END $$;

-- The version before, whose headers have no credentials, calls it as it did. Removed in a later release.
CREATE OR REPLACE FUNCTION capture_webhook_events(
  endpoint_ids TEXT[], tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[], source_ips TEXT[],
  OUT event_ids TEXT[], OUT full_endpoints TEXT[], OUT watched_endpoints TEXT[]
) LANGUAGE SQL AS $$
  SELECT * FROM capture_webhook_events(
    endpoint_ids, tails, methods, paths, query_strings, headers, array_fill(NULL::TEXT, ARRAY[cardinality(headers)]),
    bodies, body_starts, body_lengths, sizes, source_ips)
$$;
