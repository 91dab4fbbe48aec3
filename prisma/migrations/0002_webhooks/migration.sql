-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT COLLATE "C" NOT NULL,
    "organization_id" TEXT COLLATE "C",
    "claim_token_digest" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "max_events" INTEGER NOT NULL DEFAULT 100,
    "external_id" TEXT,
    "created_at" BIGINT NOT NULL DEFAULT unix_now(),
    "updated_at" BIGINT NOT NULL DEFAULT unix_now(),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "event_count" INTEGER NOT NULL DEFAULT 0,
    "gone_up_to" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "last_event_micros" BIGINT NOT NULL DEFAULT 0,
    "watched_until" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "endpoint_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query_string" TEXT NOT NULL,
    "headers" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "source_ip" TEXT,
    "received_at" BIGINT NOT NULL DEFAULT unix_now(),

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("endpoint_id","id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_organization_id_id_idx" ON "webhook_endpoints"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_endpoints_external_id_idx" ON "webhook_endpoints" USING HASH ("external_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Every batch of captures updates its endpoints: room on the page keeps such updates out of the indexes.
ALTER TABLE "webhook_endpoints" SET (fillfactor = 50);

-- Bodies are bytes that were often compressed by their sender, and searching them must not unpack them.
ALTER TABLE "webhook_events" ALTER COLUMN "body" SET STORAGE EXTERNAL;

-- The time part of an ID (lib/db/ids.ts): microseconds since 1970 in base62, 9 digits.
CREATE FUNCTION id_time(micros BIGINT) RETURNS TEXT LANGUAGE SQL IMMUTABLE PARALLEL SAFE
RETURN substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 218340105584896 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 3521614606208 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 56800235584 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 916132832 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 14776336 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 238328 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 3844 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 62 % 62)::INTEGER + 1, 1)
    || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (micros / 1 % 62)::INTEGER + 1, 1);

-- Writes a batch of captures, whose columns are arrays and whose bodies lie one behind the other in `bodies`.
-- A function, because each of its statements sees what other batches have committed before the lock was had.
--
-- Under the lock of their endpoint events get IDs that rise in the order in which they become visible, so that
-- nobody who reads on from an ID misses one; the oldest beyond `max_events` go in the same moment.
-- An unknown endpoint costs the same: its captures go to the write-ahead log too, and nowhere else.
CREATE FUNCTION capture_webhook_events(
  endpoint_ids TEXT[], tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[], source_ips TEXT[],
  OUT event_ids TEXT[], OUT full_endpoints TEXT[], OUT watched_endpoints TEXT[]
) LANGUAGE plpgsql AS $$
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
  SELECT e.id, one.id, one.method, one.path, one.query_string, one.headers,
         substring(bodies FROM one.body_start + 1 FOR one.body_length), one.size, one.source_ip
  FROM unnest(endpoint_ids, event_ids, methods, paths, query_strings, headers,
              body_starts, body_lengths, sizes, source_ips)
    AS one (endpoint_id, id, method, path, query_string, headers, body_start, body_length, size, source_ip)
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
      convert_to(one.headers, 'UTF8') || substring(bodies FROM one.body_start + 1 FOR one.body_length))
    FROM unnest(endpoint_ids, headers, body_starts, body_lengths)
      AS one (endpoint_id, headers, body_start, body_length)
    WHERE NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = one.endpoint_id);
  END IF;
END $$;
