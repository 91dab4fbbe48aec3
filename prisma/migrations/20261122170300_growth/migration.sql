-- Tables that stay small and lists that stay fast.

CREATE INDEX "agent_registrations_revoked_idx" ON "agent_registrations" ("revoked_at")
  WHERE "revoked_at" IS NOT NULL;

-- The default, a fifth of the table, leaves millions of dead rows in large tables.
ALTER TABLE "inbox_events" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "webhook_events" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "scheduled_messages" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "message_attempts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "idempotency_records" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Small tables whose rows are updated with every request.
ALTER TABLE "inboxes" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "webhook_endpoints" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "usage_counters" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "usage_windows" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- A list filtered by status reads matching messages of one organization only.
CREATE INDEX "scheduled_messages_status_idx"
  ON "scheduled_messages" ("organization_id", "status", "id" DESC);

-- Counts of the last 24 clock hours. An element of `hourly` is the hour (Unix seconds / 3600) times 2^32 plus its count,
-- at the place that the hour has in its day, so nothing resets the counts of a day ago.
ALTER TABLE "webhook_endpoints" ADD COLUMN "hourly" BIGINT[] NOT NULL DEFAULT '{}';
ALTER TABLE "inboxes" ADD COLUMN "hourly" BIGINT[] NOT NULL DEFAULT '{}';

CREATE FUNCTION slot_of_hour() RETURNS INTEGER LANGUAGE SQL STABLE PARALLEL SAFE
  RETURN (unix_now() / 3600 % 24 + 1)::INTEGER;

CREATE FUNCTION add_in_hour(slot BIGINT, added INTEGER) RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE
  RETURN CASE WHEN slot >> 32 = unix_now() / 3600 THEN slot + added ELSE (unix_now() / 3600 << 32) + added END;

-- The attempts of an organization's messages.
CREATE TABLE "delivery_hours" (
    "organization_id" TEXT COLLATE "C" NOT NULL,
    "hour" BIGINT NOT NULL,
    "delivered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "delivery_hours_pkey" PRIMARY KEY ("organization_id","hour")
);
CREATE INDEX "delivery_hours_hour_idx" ON "delivery_hours"("hour");
ALTER TABLE "delivery_hours" ADD CONSTRAINT "delivery_hours_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As before, but for `hourly`.
CREATE OR REPLACE FUNCTION forward_held_events(of_endpoint TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  source RECORD;
  inbox RECORD;
  held RECORD;
  earlier TEXT;
  added INTEGER := 0;
  added_bytes BIGINT := 0;
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
      ORDER BY v.id
    LOOP
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
  RETURN new_obstacle IS NOT NULL;
END $$;

CREATE OR REPLACE FUNCTION capture_webhook_events(
  endpoint_ids TEXT[], tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[], source_ips TEXT[],
  judgements JSON,
  OUT event_ids TEXT[], OUT full_endpoints TEXT[], OUT watched_endpoints TEXT[], OUT held_endpoints TEXT[]
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  micros BIGINT;
  stored INTEGER;
  has_flow BOOLEAN;
  target RECORD;
BEGIN
  -- In the order of their IDs, so that two batches never wait for each other in a circle.
  SELECT max(locked.last_event_micros), bool_or(locked.flow_version <> 0) INTO micros, has_flow
  FROM (SELECT e.last_event_micros, e.flow_version FROM webhook_endpoints e
        WHERE e.id = ANY (endpoint_ids) ORDER BY e.id FOR NO KEY UPDATE) AS locked;
  micros := greatest(micros, floor(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);

  SELECT array_agg('wev_' || id_time(micros + one.n) || one.tail ORDER BY one.n) INTO event_ids
  FROM unnest(tails) WITH ORDINALITY AS one (tail, n);

  IF has_flow THEN
    SELECT array_agg(CASE WHEN one.is_outdated THEN NULL ELSE one.endpoint_id END ORDER BY one.n),
           array_agg(CASE WHEN one.is_outdated THEN NULL ELSE one.id END ORDER BY one.n)
    INTO endpoint_ids, event_ids
    FROM (SELECT one.*, e.flow_version <> 0 AND e.flow_version IS DISTINCT FROM judgement.flow_version AS is_outdated
          FROM unnest(endpoint_ids, event_ids) WITH ORDINALITY AS one (endpoint_id, id, n)
          LEFT JOIN webhook_endpoints e ON e.id = one.endpoint_id
          LEFT JOIN json_to_recordset(coalesce(judgements, '[]')) AS judgement (n BIGINT, flow_version BIGINT)
            ON judgement.n = one.n) AS one;

    INSERT INTO webhook_events
      (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip,
       verified, verification_reason, forward_status, forward_reason, delivery_id)
    SELECT e.id, one.id, one.method, one.path, one.query_string,
           CASE WHEN e.organization_id IS NULL THEN coalesce(one.redacted, one.headers) ELSE one.headers END,
           substring(bodies FROM one.body_start + 1 FOR one.body_length), one.size, one.source_ip,
           judgement.verified AND checked.in_time,
           CASE WHEN judgement.verified AND NOT checked.in_time THEN judgement.late_reason
                ELSE judgement.verification_reason END,
           CASE WHEN judgement.verified AND NOT checked.in_time AND judgement.forward_status = 'held' THEN 'skipped'
                ELSE judgement.forward_status END,
           CASE WHEN judgement.verified AND NOT checked.in_time AND judgement.forward_status = 'held' THEN 'not_verified'
                ELSE judgement.forward_reason END,
           judgement.delivery_id
    FROM unnest(endpoint_ids, event_ids, methods, paths, query_strings, headers, redacted_headers,
                body_starts, body_lengths, sizes, source_ips) WITH ORDINALITY
      AS one (endpoint_id, id, method, path, query_string, headers, redacted, body_start, body_length, size, source_ip, n)
    JOIN webhook_endpoints e ON e.id = one.endpoint_id
    LEFT JOIN json_to_recordset(coalesce(judgements, '[]')) AS judgement (
      n BIGINT, flow_version BIGINT, verified BOOLEAN, verification_reason TEXT, valid_from BIGINT, valid_until BIGINT,
      late_reason TEXT, forward_status TEXT, forward_reason TEXT, delivery_id TEXT
    ) ON judgement.n = one.n AND judgement.flow_version = e.flow_version
    CROSS JOIN LATERAL (
      SELECT judgement.verified IS NOT TRUE
        OR unix_now() BETWEEN coalesce(judgement.valid_from, 0) AND coalesce(judgement.valid_until, unix_now()) AS in_time
    ) AS checked;
    GET DIAGNOSTICS stored = ROW_COUNT;

    -- Before the oldest events go: a small endpoint may get more events in a batch than it keeps. Inboxes are
    -- locked in the order of their IDs, all after the endpoints.
    FOR target IN
      SELECT f.endpoint_id, f.inbox_id FROM webhook_forwards f
      WHERE f.endpoint_id = ANY (endpoint_ids) ORDER BY f.inbox_id, f.endpoint_id
    LOOP
      IF target.inbox_id IS NULL OR forward_held_events(target.endpoint_id) THEN
        held_endpoints := array_append(held_endpoints, target.endpoint_id);
      END IF;
    END LOOP;
  ELSE
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
  END IF;

  WITH counted AS (
    UPDATE webhook_endpoints e SET
      last_event_micros = micros + cardinality(endpoint_ids),
      hourly[slot_of_hour()] = add_in_hour(e.hourly[slot_of_hour()], new.events),
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
    WHERE one.endpoint_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = one.endpoint_id);
  END IF;
END $$;
