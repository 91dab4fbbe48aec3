-- AlterTable
ALTER TABLE "inboxes" ADD COLUMN     "bytes_left" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "bytes_left" BIGINT NOT NULL DEFAULT 0;

-- As in the migration recorded_credentials, but for `bytes_left`: a public endpoint that has used it up is reported
-- as full, and measured beside all requests.
CREATE OR REPLACE FUNCTION capture_webhook_events(
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
      bytes_left = e.bytes_left - new.bytes,
      gone_up_to = CASE
        WHEN e.event_count + new.events <= e.max_events THEN e.gone_up_to
        ELSE (SELECT v.id FROM webhook_events v
              WHERE v.endpoint_id = e.id AND v.id > e.gone_up_to
              ORDER BY v.id OFFSET e.event_count + new.events - e.max_events - 1 LIMIT 1)
      END
    FROM (SELECT one.endpoint_id, count(*)::INTEGER AS events,
                 sum(one.body_length + octet_length(one.headers) + octet_length(one.path) + octet_length(one.query_string)) AS bytes
          FROM unnest(endpoint_ids, paths, query_strings, headers, body_lengths)
            AS one (endpoint_id, path, query_string, headers, body_length)
          GROUP BY one.endpoint_id) AS new
    WHERE e.id = new.endpoint_id
    RETURNING e.id, e.event_count = e.max_events OR (e.organization_id IS NULL AND e.bytes_left < 0) AS is_full, e.watched_until > unix_now() AS is_watched
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
