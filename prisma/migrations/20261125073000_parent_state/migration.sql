-- What captures and ingests write with every event moves from the endpoint and the inbox to a narrow row of its own. The
-- statements lock that row, never the other, so the settings and the events can be in different databases.

CREATE TABLE "endpoint_state" (
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "max_events" INTEGER NOT NULL,
    "event_count" INTEGER NOT NULL DEFAULT 0,
    "gone_up_to" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "last_event_micros" BIGINT NOT NULL DEFAULT 0,
    "bytes_used" BIGINT NOT NULL DEFAULT 0,
    "flow_version" BIGINT NOT NULL DEFAULT 0,
    "watched_until" BIGINT NOT NULL DEFAULT 0,
    "hourly" BIGINT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "endpoint_state_pkey" PRIMARY KEY ("endpoint_id")
);

CREATE TABLE "inbox_state" (
    "inbox_id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "created_without_key" BOOLEAN NOT NULL,
    "max_events" INTEGER NOT NULL,
    "default_ttl_seconds" INTEGER NOT NULL,
    "occupied" INTEGER NOT NULL DEFAULT 0,
    "admitted" INTEGER NOT NULL DEFAULT 0,
    "ready_from" TIMESTAMPTZ(6) NOT NULL DEFAULT '-infinity'::timestamp with time zone,
    "awaited_until" TIMESTAMPTZ(6),
    "active_at" BIGINT NOT NULL DEFAULT unix_now(),
    "bytes_used" BIGINT NOT NULL DEFAULT 0,
    "is_awaited_by_forwards" BOOLEAN NOT NULL DEFAULT false,
    "ingested" BIGINT NOT NULL DEFAULT 0,
    "acknowledged" BIGINT NOT NULL DEFAULT 0,
    "expired" BIGINT NOT NULL DEFAULT 0,
    "purged" BIGINT NOT NULL DEFAULT 0,
    "hourly" BIGINT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "inbox_state_pkey" PRIMARY KEY ("inbox_id")
);

-- Updated with every request, so each page keeps space for the next versions of its rows.
ALTER TABLE "endpoint_state" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "inbox_state" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
ALTER TABLE "webhook_endpoints" RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
ALTER TABLE "inboxes" RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);

-- `bytes_used` is measured for public parents, which have few bytes. Only theirs is read.
INSERT INTO "endpoint_state" ("endpoint_id", "organization_id", "max_events", "event_count", "gone_up_to",
                              "last_event_micros", "bytes_used", "flow_version", "hourly")
SELECT id, organization_id, max_events, event_count, gone_up_to, last_event_micros,
       CASE WHEN organization_id IS NULL THEN coalesce((
         SELECT sum(octet_length(v.body) + octet_length(v.headers) + octet_length(v.path) + octet_length(v.query_string))
         FROM webhook_events v WHERE v.endpoint_id = e.id AND v.id > e.gone_up_to), 0) ELSE 0 END,
       flow_version, hourly
FROM "webhook_endpoints" e;

INSERT INTO "inbox_state" ("inbox_id", "organization_id", "created_without_key", "max_events", "default_ttl_seconds",
                           "occupied", "ready_from", "active_at", "bytes_used", "is_awaited_by_forwards",
                           "ingested", "acknowledged", "expired", "purged", "hourly")
SELECT id, organization_id, claim_token_digest IS NOT NULL, max_events, default_ttl_seconds,
       occupied, ready_from, active_at,
       CASE WHEN organization_id IS NULL THEN coalesce((
         SELECT sum(event.size_bytes + octet_length(event.headers) + octet_length(event.query_string))
         FROM inbox_events AS event WHERE event.inbox_id = i.id), 0) + coalesce((
         SELECT sum(reply.size_bytes) FROM inbox_replies AS reply WHERE reply.inbox_id = i.id), 0) ELSE 0 END,
       is_awaited_by_forwards, ingested, acknowledged, expired, purged, hourly
FROM "inboxes" i;

DROP TRIGGER announce_end ON "inboxes";
DROP TRIGGER announce_claim ON "inboxes";
DROP TRIGGER announce_end ON "webhook_endpoints";
DROP TRIGGER announce_claim ON "webhook_endpoints";
DROP FUNCTION announce_end();

ALTER TABLE "webhook_endpoints" DROP COLUMN "event_count", DROP COLUMN "gone_up_to", DROP COLUMN "last_event_micros",
  DROP COLUMN "watched_until", DROP COLUMN "bytes_left", DROP COLUMN "flow_version", DROP COLUMN "hourly";
ALTER TABLE "inboxes" DROP COLUMN "occupied", DROP COLUMN "admitted", DROP COLUMN "ready_from", DROP COLUMN "awaited_until",
  DROP COLUMN "active_at", DROP COLUMN "bytes_left", DROP COLUMN "is_awaited_by_forwards", DROP COLUMN "ingested",
  DROP COLUMN "acknowledged", DROP COLUMN "expired", DROP COLUMN "purged", DROP COLUMN "hourly";

-- The triggers below delete the events with their parents.
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_endpoint_id_fkey";
ALTER TABLE "inbox_events" DROP CONSTRAINT "inbox_events_inbox_id_fkey";
ALTER TABLE "inbox_replies" DROP CONSTRAINT "inbox_replies_inbox_id_fkey";

-- Keeps the state of endpoints in step with their settings. One parent at a time, in the order of their IDs, as captures
-- lock them.
CREATE FUNCTION make_endpoint_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  endpoint RECORD;
BEGIN
  FOR endpoint IN SELECT id, organization_id, max_events FROM made ORDER BY id LOOP
    INSERT INTO endpoint_state (endpoint_id, organization_id, max_events)
    VALUES (endpoint.id, endpoint.organization_id, endpoint.max_events);
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION keep_endpoint_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  endpoint RECORD;
  watched BIGINT;
BEGIN
  FOR endpoint IN
    SELECT later.id, later.organization_id, later.max_events,
           later.organization_id IS DISTINCT FROM earlier.organization_id AS is_claimed
    FROM later JOIN earlier USING (id)
    WHERE (later.organization_id, later.max_events) IS DISTINCT FROM (earlier.organization_id, earlier.max_events)
    ORDER BY later.id
  LOOP
    UPDATE endpoint_state SET organization_id = endpoint.organization_id, max_events = endpoint.max_events
    WHERE endpoint_id = endpoint.id RETURNING watched_until INTO watched;
    -- A request that waits for events has lost access.
    IF endpoint.is_claimed AND watched > unix_now() THEN
      PERFORM pg_notify('announcements', 'webhook-events:' || endpoint.id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION end_endpoint_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  endpoint RECORD;
  watched BIGINT;
BEGIN
  FOR endpoint IN SELECT id FROM gone ORDER BY id LOOP
    -- Before the events, so that a capture comes before or finds no endpoint.
    DELETE FROM endpoint_state WHERE endpoint_id = endpoint.id RETURNING watched_until INTO watched;
    DELETE FROM webhook_events WHERE endpoint_id = endpoint.id;
    IF watched > unix_now() THEN
      PERFORM pg_notify('announcements', 'webhook-events:' || endpoint.id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER make_state AFTER INSERT ON "webhook_endpoints"
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION make_endpoint_state();
CREATE TRIGGER keep_state AFTER UPDATE ON "webhook_endpoints"
  REFERENCING OLD TABLE AS earlier NEW TABLE AS later FOR EACH STATEMENT EXECUTE FUNCTION keep_endpoint_state();
CREATE TRIGGER end_state AFTER DELETE ON "webhook_endpoints"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION end_endpoint_state();

-- The same for inboxes.
CREATE FUNCTION make_inbox_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inbox RECORD;
BEGIN
  FOR inbox IN
    SELECT id, organization_id, claim_token_digest IS NOT NULL AS created_without_key, max_events, default_ttl_seconds
    FROM made ORDER BY id
  LOOP
    INSERT INTO inbox_state (inbox_id, organization_id, created_without_key, max_events, default_ttl_seconds)
    VALUES (inbox.id, inbox.organization_id, inbox.created_without_key, inbox.max_events, inbox.default_ttl_seconds)
   ;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION keep_inbox_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inbox RECORD;
  awaited TIMESTAMPTZ;
BEGIN
  FOR inbox IN
    SELECT later.id, later.organization_id, later.max_events, later.default_ttl_seconds,
           later.organization_id IS DISTINCT FROM earlier.organization_id AS is_claimed
    FROM later JOIN earlier USING (id)
    WHERE (later.organization_id, later.max_events, later.default_ttl_seconds)
      IS DISTINCT FROM (earlier.organization_id, earlier.max_events, earlier.default_ttl_seconds)
    ORDER BY later.id
  LOOP
    UPDATE inbox_state SET organization_id = inbox.organization_id, max_events = inbox.max_events,
                           default_ttl_seconds = inbox.default_ttl_seconds
    WHERE inbox_id = inbox.id RETURNING awaited_until INTO awaited;
    IF inbox.is_claimed AND awaited > now() THEN
      PERFORM pg_notify('announcements', 'inbox:' || inbox.id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION end_inbox_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inbox RECORD;
  awaited TIMESTAMPTZ;
BEGIN
  FOR inbox IN SELECT id FROM gone ORDER BY id LOOP
    DELETE FROM inbox_state WHERE inbox_id = inbox.id RETURNING awaited_until INTO awaited;
    DELETE FROM inbox_events WHERE inbox_id = inbox.id;
    DELETE FROM inbox_replies WHERE inbox_id = inbox.id;
    IF awaited > now() THEN
      PERFORM pg_notify('announcements', 'inbox:' || inbox.id);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER make_state AFTER INSERT ON "inboxes"
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION make_inbox_state();
CREATE TRIGGER keep_state AFTER UPDATE ON "inboxes"
  REFERENCING OLD TABLE AS earlier NEW TABLE AS later FOR EACH STATEMENT EXECUTE FUNCTION keep_inbox_state();
CREATE TRIGGER end_state AFTER DELETE ON "inboxes"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION end_inbox_state();

-- As before, but they read and lock the state.
DROP FUNCTION forward_held_events_to(TEXT);
DROP FUNCTION forward_some_held_events_to(TEXT);
DROP FUNCTION forward_held_events(TEXT);
DROP FUNCTION capture_webhook_events(TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], TEXT[], BYTEA, INTEGER[], INTEGER[],
  BIGINT[], TEXT[], JSON);

CREATE OR REPLACE FUNCTION record_inbox_end(
  of_inbox TEXT, of_event TEXT, of_endpoint TEXT, outcome TEXT, at BIGINT, was_dead BOOLEAN, consumer TEXT,
  deliveries INTEGER, last_error TEXT
) RETURNS VOID
LANGUAGE sql VOLATILE AS $$
  UPDATE webhook_events SET inbox_end = json_build_object(
    'outcome', outcome, 'at', at, 'was_dead', was_dead, 'consumer', consumer, 'deliveries', deliveries,
    'last_error', left(last_error, 1000))
  WHERE endpoint_id = of_endpoint AND id = (
    SELECT v.id FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.id = 'wev_' || substr(of_event, 5)
      AND (SELECT e.organization_id FROM endpoint_state e WHERE e.endpoint_id = of_endpoint)
          IS NOT DISTINCT FROM (SELECT i.organization_id FROM inbox_state i WHERE i.inbox_id = of_inbox)
    FOR NO KEY UPDATE SKIP LOCKED)
$$;

CREATE FUNCTION forward_held_events(of_endpoint TEXT, public_bytes_max BIGINT) RETURNS BOOLEAN
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
  FROM endpoint_state e JOIN webhook_forwards f ON f.endpoint_id = e.endpoint_id
  WHERE e.endpoint_id = of_endpoint AND f.inbox_id IS NOT NULL
  FOR NO KEY UPDATE OF e;
  IF NOT FOUND OR NOT EXISTS (
    SELECT FROM webhook_events v
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > source.gone_up_to
  ) THEN
    RETURN false;
  END IF;

  SELECT i.inbox_id AS id, i.organization_id, i.max_events, i.occupied, i.bytes_used, i.default_ttl_seconds, i.ready_from
  INTO inbox FROM inbox_state i WHERE i.inbox_id = source.inbox_id FOR NO KEY UPDATE;
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
           OR (inbox.organization_id IS NULL AND inbox.bytes_used + added_bytes + held.weight > public_bytes_max) THEN
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
    PERFORM pg_notify('announcements', 'inbox:' || i.inbox_id)
    FROM inbox_state i WHERE i.inbox_id = inbox.id AND i.awaited_until > now();
    UPDATE inbox_state i SET
      occupied = i.occupied + added,
      ingested = i.ingested + added,
      hourly[slot_of_hour()] = add_in_hour(i.hourly[slot_of_hour()], added),
      bytes_used = i.bytes_used + added_bytes,
      active_at = unix_now(),
      awaited_until = CASE WHEN i.awaited_until > now() THEN '-infinity'::timestamptz END
    WHERE i.inbox_id = inbox.id;
  END IF;
  IF new_obstacle IS DISTINCT FROM source.obstacle THEN
    UPDATE webhook_forwards f SET obstacle = new_obstacle WHERE f.endpoint_id = of_endpoint;
  END IF;
  IF new_obstacle IS NOT NULL THEN
    UPDATE inbox_state i SET is_awaited_by_forwards = true
    WHERE i.inbox_id = inbox.id AND NOT i.is_awaited_by_forwards;
  END IF;
  RETURN has_more OR new_obstacle IS NOT NULL;
END $$;

CREATE FUNCTION forward_some_held_events_to(to_inbox TEXT, public_bytes_max BIGINT) RETURNS BOOLEAN
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  source RECORD;
  before RECORD;
  still_held BOOLEAN := false;
BEGIN
  -- All endpoints before the inbox, in the order of their IDs, as captures lock them.
  PERFORM FROM endpoint_state e WHERE e.endpoint_id IN (SELECT f.endpoint_id FROM webhook_forwards f WHERE f.inbox_id = to_inbox)
  ORDER BY e.endpoint_id FOR NO KEY UPDATE;
  SELECT i.ingested, i.bytes_used INTO before FROM inbox_state i WHERE i.inbox_id = to_inbox FOR NO KEY UPDATE;
  FOR source IN
    SELECT f.endpoint_id, (SELECT min(v.id) FROM webhook_events v
                           WHERE v.endpoint_id = f.endpoint_id AND v.forward_status = 'held') AS first_held
    FROM webhook_forwards f WHERE f.inbox_id = to_inbox ORDER BY first_held NULLS LAST
  LOOP
    still_held := forward_held_events(source.endpoint_id, public_bytes_max) OR still_held;
    IF EXISTS (SELECT FROM inbox_state i WHERE i.inbox_id = to_inbox
               AND (i.ingested >= before.ingested + 200 OR i.bytes_used >= before.bytes_used + 8000000)) THEN
      RETURN true;
    END IF;
  END LOOP;
  IF NOT still_held THEN
    UPDATE inbox_state i SET is_awaited_by_forwards = false WHERE i.inbox_id = to_inbox AND i.is_awaited_by_forwards;
  END IF;
  RETURN EXISTS (
    SELECT FROM webhook_forwards f JOIN endpoint_state e ON e.endpoint_id = f.endpoint_id
    WHERE f.inbox_id = to_inbox AND f.obstacle IS NULL AND EXISTS (
      SELECT FROM webhook_events v
      WHERE v.endpoint_id = f.endpoint_id AND v.forward_status = 'held' AND v.id > e.gone_up_to));
END $$;

CREATE FUNCTION capture_webhook_events(
  endpoint_ids TEXT[], tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[], source_ips TEXT[],
  judgements JSON, public_bytes_max BIGINT,
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
  FROM (SELECT e.last_event_micros, e.flow_version FROM endpoint_state e
        WHERE e.endpoint_id = ANY (endpoint_ids) ORDER BY e.endpoint_id FOR NO KEY UPDATE) AS locked;
  micros := greatest(micros, floor(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);

  SELECT array_agg('wev_' || id_time(micros + one.n) || one.tail ORDER BY one.n) INTO event_ids
  FROM unnest(tails) WITH ORDINALITY AS one (tail, n);

  IF has_flow THEN
    SELECT array_agg(CASE WHEN one.is_outdated THEN NULL ELSE one.endpoint_id END ORDER BY one.n),
           array_agg(CASE WHEN one.is_outdated THEN NULL ELSE one.id END ORDER BY one.n)
    INTO endpoint_ids, event_ids
    FROM (SELECT one.*, e.flow_version <> 0 AND e.flow_version IS DISTINCT FROM judgement.flow_version AS is_outdated
          FROM unnest(endpoint_ids, event_ids) WITH ORDINALITY AS one (endpoint_id, id, n)
          LEFT JOIN endpoint_state e ON e.endpoint_id = one.endpoint_id
          LEFT JOIN json_to_recordset(coalesce(judgements, '[]')) AS judgement (n BIGINT, flow_version BIGINT)
            ON judgement.n = one.n) AS one;

    INSERT INTO webhook_events
      (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip,
       verified, verification_reason, forward_status, forward_reason, delivery_id)
    SELECT e.endpoint_id, one.id, one.method, one.path, one.query_string,
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
    JOIN endpoint_state e ON e.endpoint_id = one.endpoint_id
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
      IF target.inbox_id IS NULL OR forward_held_events(target.endpoint_id, public_bytes_max) THEN
        held_endpoints := array_append(held_endpoints, target.endpoint_id);
      END IF;
    END LOOP;
  ELSE
    INSERT INTO webhook_events
      (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip)
    SELECT e.endpoint_id, one.id, one.method, one.path, one.query_string,
           CASE WHEN e.organization_id IS NULL THEN coalesce(one.redacted, one.headers) ELSE one.headers END,
           substring(bodies FROM one.body_start + 1 FOR one.body_length), one.size, one.source_ip
    FROM unnest(endpoint_ids, event_ids, methods, paths, query_strings, headers, redacted_headers,
                body_starts, body_lengths, sizes, source_ips)
      AS one (endpoint_id, id, method, path, query_string, headers, redacted, body_start, body_length, size, source_ip)
    JOIN endpoint_state e ON e.endpoint_id = one.endpoint_id;
    GET DIAGNOSTICS stored = ROW_COUNT;
  END IF;

  WITH counted AS (
    UPDATE endpoint_state e SET
      last_event_micros = micros + cardinality(endpoint_ids),
      hourly[slot_of_hour()] = add_in_hour(e.hourly[slot_of_hour()], new.events),
      event_count = least(e.event_count + new.events, e.max_events),
      bytes_used = e.bytes_used + new.bytes,
      gone_up_to = CASE
        WHEN e.event_count + new.events <= e.max_events THEN e.gone_up_to
        ELSE (SELECT v.id FROM webhook_events v
              WHERE v.endpoint_id = e.endpoint_id AND v.id > e.gone_up_to
              ORDER BY v.id OFFSET e.event_count + new.events - e.max_events - 1 LIMIT 1)
      END
    FROM (SELECT one.endpoint_id, count(*)::INTEGER AS events,
                 sum(one.body_length + octet_length(one.headers) + octet_length(one.path) + octet_length(one.query_string)) AS bytes
          FROM unnest(endpoint_ids, paths, query_strings, headers, body_lengths)
            AS one (endpoint_id, path, query_string, headers, body_length)
          GROUP BY one.endpoint_id) AS new
    WHERE e.endpoint_id = new.endpoint_id
    RETURNING e.endpoint_id AS id,
              e.event_count = e.max_events OR (e.organization_id IS NULL AND e.bytes_used > public_bytes_max) AS is_full,
              e.watched_until > unix_now() AS is_watched
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
      AND NOT EXISTS (SELECT FROM endpoint_state e WHERE e.endpoint_id = one.endpoint_id);
  END IF;
END $$;
