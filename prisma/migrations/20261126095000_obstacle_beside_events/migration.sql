-- Why events are held back is in the row beside them: a list then reads both on one node, as of one moment. The next
-- forward sets it. webhook_forwards.obstacle is for the previous version.
ALTER TABLE endpoint_state ADD COLUMN obstacle forward_obstacle;

-- Forwards the oldest events that an endpoint holds back into its inbox: those after `after`, as many as fit, at most
-- 200 or 8 MB. Returns whether events are still held, whether more of them may be forwarded at once, and the inbox if
-- its waiting receivers must be notified.
CREATE OR REPLACE FUNCTION forward_held_events(
  of_endpoint TEXT, after TEXT, public_bytes_max BIGINT,
  OUT is_held BOOLEAN, OUT has_more BOOLEAN, OUT awaited_inbox TEXT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  endpoint RECORD;
  -- A record: Citus would send a call with a variable to the inbox's node, which refuses it in this transaction.
  forward RECORD;
  held RECORD;
  inbox RECORD;
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
  SELECT array_agg(one.id ORDER BY one.n) AS ids, array_agg('iev_' || substr(one.id, 5) ORDER BY one.n) AS inbox_ids,
         array_fill(NULL::INTEGER, ARRAY[count(*)::INTEGER]) AS ttls, array_fill(0, ARRAY[count(*)::INTEGER]) AS delays,
         array_agg(one.headers ORDER BY one.n) AS headers,
         array_agg(one.headers::json->>'content-type' ORDER BY one.n) AS content_types,
         array_agg(one.query_string ORDER BY one.n) AS query_strings, array_agg(one.source_ip ORDER BY one.n) AS source_ips,
         array_agg(one.delivery_id ORDER BY one.n) AS delivery_ids, string_agg(one.body, '' ORDER BY one.n) AS bodies,
         array_agg(length(one.body) ORDER BY one.n) AS lengths, array_agg(one.start ORDER BY one.n) AS starts,
         max(one.found) > count(*) AS has_more
  INTO held
  FROM (
    SELECT v.*, row_number() OVER upto AS n, count(*) OVER () AS found, (sum(length(v.body)) OVER upto - length(v.body))::INTEGER AS start,
           sum(length(v.body) + octet_length(v.headers) + octet_length(v.query_string)) OVER upto AS weight
    FROM (
      SELECT v.id, v.headers, v.query_string, v.source_ip, v.delivery_id, v.body FROM webhook_events v
      WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held' AND v.id > coalesce(after, endpoint.gone_up_to)
      ORDER BY v.id LIMIT 201
    ) AS v
    WINDOW upto AS (ORDER BY v.id)
  ) AS one
  WHERE one.n = 1 OR (one.n <= 200 AND one.weight <= 8000000);
  IF held.ids IS NULL THEN
    RETURN;
  END IF;

  SELECT i.organization_id INTO inbox FROM inbox_state i WHERE i.inbox_id = forward.inbox_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    UPDATE webhook_events v SET forward_status = 'failed', forward_reason = 'inbox_deleted'
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held';
    RETURN;
  END IF;
  IF inbox.organization_id IS DISTINCT FROM endpoint.organization_id THEN
    -- One of the two was claimed: its owner's events are not for others to read.
    new_obstacle := 'other_owner';
  ELSE
    FOR stored IN
      SELECT * FROM ingest_events(
        forward.inbox_id, held.inbox_ids, held.content_types, held.headers, held.headers, held.bodies, held.starts,
        held.lengths, held.query_strings, held.source_ips, held.delivery_ids, held.ttls, held.delays, of_endpoint,
        public_bytes_max)
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
  has_more := held.has_more AND new_obstacle IS NULL;
  is_held := held.has_more OR new_obstacle IS NOT NULL;
END $$;

