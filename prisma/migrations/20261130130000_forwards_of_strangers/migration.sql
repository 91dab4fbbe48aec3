-- A forward that a stranger set costs neither the endpoint's creator nor, once it has an owner, the inbox.
ALTER TABLE "webhook_forwards" ADD COLUMN     "network" TEXT;

-- Forwards the oldest events that an endpoint holds back into its inbox: those after `after`, as many as fit, at most
-- 200 or 8 MB. Returns whether events are still held, whether more of them may be forwarded at once, and the inbox if
-- its waiting receivers must be notified. Each capture tries again, so nothing long is read for an inbox that is full, and
-- an inbox of another owner is not locked: anyone may have forwarded into it before it was claimed.
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
  FROM inbox_state i
  WHERE i.inbox_id = forward.inbox_id AND i.organization_id IS NOT DISTINCT FROM endpoint.organization_id
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM FROM inbox_state i WHERE i.inbox_id = forward.inbox_id;
    IF FOUND THEN
      -- One of the two was claimed: its owner's events are not for others to read. Only a claim of both helps, so
      -- nobody tries again soon.
      UPDATE endpoint_state e SET obstacle = 'other_owner'
      WHERE e.endpoint_id = of_endpoint AND e.obstacle IS DISTINCT FROM 'other_owner';
      RETURN;
    END IF;
    UPDATE webhook_events v SET forward_status = 'failed', forward_reason = 'inbox_deleted'
    WHERE v.endpoint_id = of_endpoint AND v.forward_status = 'held';
    RETURN;
  END IF;
  is_open := inbox.has_place
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
