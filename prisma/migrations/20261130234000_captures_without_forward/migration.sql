-- A capture that is not forwarded does not lock the inbox, and none locks an inbox of another owner: those of strangers
-- who forwarded into it before it was claimed delayed its owner.

-- Stores captures of an endpoint that forwards, and forwards those to an inbox: at once if no earlier ones are held back,
-- else after those. A small endpoint may get more captures at once than it keeps: all of them are forwarded, also those
-- that have gone by then. Without any to forward the inbox is not locked.
CREATE OR REPLACE FUNCTION capture_and_forward(
  of_endpoint TEXT, tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[],
  source_ips TEXT[], judgements JSON, public_bytes_max BIGINT,
  OUT event_ids TEXT[], OUT is_known BOOLEAN, OUT owner TEXT, OUT is_full BOOLEAN, OUT is_watched BOOLEAN,
  OUT is_held BOOLEAN, OUT awaited_inbox TEXT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET lock_timeout = '500ms' AS $$
DECLARE
  endpoint RECORD;
  -- A record: Citus would send a call with a variable to the inbox's node, which refuses it in this transaction.
  forward RECORD;
  due RECORD;
  stored RECORD;
  later RECORD;
  micros BIGINT;
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

  IF forward.inbox_id IS NOT NULL AND endpoint.obstacle IS NULL AND NOT EXISTS (
    SELECT FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > endpoint.gone_up_to
  ) THEN
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
    WHERE NOT coalesce(judgement.verified AND unix_now() NOT BETWEEN judgement.valid_from AND judgement.valid_until, false);
    is_left := due.places IS NOT NULL;
    IF is_left THEN
      PERFORM FROM inbox_state i
      WHERE i.inbox_id = forward.inbox_id AND i.organization_id IS NOT DISTINCT FROM endpoint.organization_id
      FOR NO KEY UPDATE;
      IF FOUND THEN
        to_inbox := forward.inbox_id;
        is_left := false;
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
