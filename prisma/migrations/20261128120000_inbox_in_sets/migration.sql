-- Events are leased and acknowledged in sets: of a hundred, Postgres ran several statements for each.

-- Leases the events that have been ready longest, at most one for each lease ID and as many as fit into `bytes_max`,
-- or one. Returns a row for each, or one without an event. No rows if there is no inbox. Takes no lock on the inbox:
-- two receivers never lease the same event, since the second skips locked rows, and a row that changed before it was
-- locked no longer matches. Leases nothing if `key_is_live`, which is returned as `is_live`, is false.
CREATE OR REPLACE FUNCTION lease_events(
  of_inbox TEXT, caller_organization TEXT, key_is_live BOOLEAN, lease_ids TEXT[], lease_seconds INTEGER[], consumers TEXT[],
  deliveries_max INTEGER, bytes_max BIGINT
) RETURNS TABLE (
  owner TEXT, is_live BOOLEAN, is_cut BOOLEAN, id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT,
  size_bytes INTEGER, dedup_id TEXT, delivery_count INTEGER, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, leased_until BIGINT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
-- A loop would compare each event with each lease: Postgres expects few of both.
SET enable_nestloop = off AS $$
#variable_conflict use_column
DECLARE
  inbox RECORD;
  at TIMESTAMPTZ := now();
  epoch DOUBLE PRECISION := extract(epoch FROM at);
  chosen TEXT[];
  sizes INTEGER[];
  total BIGINT;
  is_more BOOLEAN := false;
BEGIN
  SELECT i.organization_id, i.ready_from INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_live := key_is_live;
  IF is_live AND (owner IS NULL OR owner = caller_organization) THEN
    SELECT array_agg(next.id ORDER BY next.visible_at, next.id),
           array_agg(next.size_bytes ORDER BY next.visible_at, next.id), sum(next.size_bytes)
    INTO chosen, sizes, total
    FROM (
      SELECT e.id, e.visible_at, e.size_bytes FROM inbox_events e
      -- The index for receiving begins with `queue_id`. The rest keeps the planner away from the primary key, which
      -- it would read for the whole inbox: a long array of the same ID makes every inbox look large.
      WHERE e.queue_id = of_inbox AND e.id > '' AND e.inbox_id = ANY (ARRAY[
          of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox,
          of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox,
          of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox, of_inbox])
        AND e.visible_at <= at AND e.visible_at >= inbox.ready_from AND e.lapses_at > at
      ORDER BY e.visible_at, e.id LIMIT cardinality(lease_ids)
      FOR UPDATE SKIP LOCKED
    ) AS next;
    WHILE total > bytes_max AND cardinality(chosen) > 1 LOOP
      total := total - sizes[cardinality(chosen)];
      chosen := chosen[:cardinality(chosen) - 1];
      is_more := true;
    END LOOP;
    IF chosen IS NOT NULL THEN
      RETURN QUERY
      UPDATE inbox_events e SET
        lease_id = given.lease_id,
        visible_at = to_timestamp(epoch + given.seconds),
        lapses_at = CASE
          WHEN e.delivery_count + 1 < deliveries_max THEN to_timestamp(e.expires_at)
          ELSE to_timestamp(least(e.expires_at, epoch + given.seconds)) END,
        delivery_count = e.delivery_count + 1,
        consumer = given.consumer
      FROM unnest(chosen, lease_ids, lease_seconds, consumers) AS given (id, lease_id, seconds, consumer)
      -- Also by the array, because the plan for the join alone may scan the whole inbox.
      WHERE e.inbox_id = of_inbox AND e.id = ANY (chosen) AND e.id = given.id
      RETURNING owner, is_live, is_more, e.id, e.content_type, e.headers, e.body, e.query_string, e.source_ip, e.size_bytes,
                e.dedup_id, e.delivery_count, e.lease_id, e.last_error, e.received_at, e.expires_at,
                floor(epoch + given.seconds)::BIGINT;
      RETURN;
    END IF;
  END IF;
  is_cut := false;
  RETURN NEXT;
END $$;

-- Nacks join in the same way.
ALTER FUNCTION release_events(TEXT, TEXT, TEXT[], TEXT[], INTEGER[], TEXT[], BOOLEAN[], INTEGER, TEXT)
SET enable_nestloop = off;

-- Deletes delivered events. Returns one row if there is an inbox: whether all were acknowledged and, if not, the outcome
-- for each; no outcomes if the caller may not reach the inbox. A lease that has ended counts until the event is
-- delivered again. A receiver that delivers it at the same moment changes its lease, and then nothing is deleted.
-- It replaces acknowledge_events, which the previous version calls.
CREATE FUNCTION acknowledge_deliveries(
  of_inbox TEXT, caller_organization TEXT, event_ids TEXT[], lease_ids TEXT[],
  OUT owner TEXT, OUT is_awaited_by_forwards BOOLEAN, OUT are_all BOOLEAN, OUT outcomes TEXT[]
) RETURNS SETOF RECORD LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  at TIMESTAMPTZ;
  seconds BIGINT;
  gone RECORD;
  existing TEXT[];
BEGIN
  SELECT i.organization_id, i.is_awaited_by_forwards INTO owner, is_awaited_by_forwards
  FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  are_all := false;
  outcomes := '{}';
  IF owner IS NULL OR owner = caller_organization THEN
    at := now();
    seconds := floor(extract(epoch FROM at));
    SELECT * INTO gone FROM delete_inbox_events(of_inbox, owner, event_ids, lease_ids, 'acknowledged', at);
    are_all := cardinality(gone.deleted_ids) = cardinality(event_ids);
    IF gone.deleted_ids <> '{}' THEN
      UPDATE inbox_state i SET
        occupied = i.occupied - gone.freed,
        acknowledged = i.acknowledged + cardinality(gone.deleted_ids),
        active_at = seconds
      WHERE i.inbox_id = of_inbox;
    END IF;
    IF NOT are_all THEN
      SELECT array_agg(e.id) INTO existing FROM inbox_events e
      WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.expires_at > seconds;
      FOR n IN 1 .. cardinality(event_ids) LOOP
        outcomes[n] := CASE
          WHEN gone.deleted_leases[array_position(gone.deleted_ids, event_ids[n])] = lease_ids[n] THEN 'acknowledged'
          WHEN event_ids[n] = ANY (existing || gone.deleted_ids) THEN 'lease_lost'
          ELSE 'not_found' END;
      END LOOP;
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- Deletes events of an inbox whose state is locked; with `lease_ids`, only those that are delivered under them. Records
-- how those that forwarded a captured event ended. Returns the deleted events with their leases, and how many of them
-- took up room.
CREATE OR REPLACE FUNCTION delete_inbox_events(
  of_inbox TEXT, of_owner TEXT, event_ids TEXT[], lease_ids TEXT[], outcome TEXT, at TIMESTAMPTZ,
  OUT deleted_ids TEXT[], OUT deleted_leases TEXT[], OUT freed INTEGER
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  seconds BIGINT := floor(extract(epoch FROM at));
  endpoints TEXT[];
  captured TEXT[];
  ends JSON[];
BEGIN
  WITH gone AS (
    DELETE FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND (outcome = 'expired' OR e.expires_at > seconds) AND (
      lease_ids IS NULL
      OR (e.id, e.lease_id) IN (SELECT given.id, given.lease_id FROM unnest(event_ids, lease_ids) AS given (id, lease_id)))
    RETURNING e.id, e.lease_id, e.visible_at, e.lapses_at, e.expires_at, e.consumer, e.delivery_count, e.last_error,
              e.webhook_endpoint_id
  )
  SELECT coalesce(array_agg(g.id), '{}'), coalesce(array_agg(g.lease_id), '{}'),
         count(*) FILTER (WHERE g.visible_at < 'infinity'),
         array_agg(g.webhook_endpoint_id) FILTER (WHERE g.webhook_endpoint_id IS NOT NULL),
         array_agg('wev_' || substr(g.id, 5)) FILTER (WHERE g.webhook_endpoint_id IS NOT NULL),
         array_agg(json_build_object(
           'outcome', outcome,
           'at', CASE WHEN outcome = 'expired' THEN g.expires_at ELSE seconds END,
           -- An expired event has lapsed too. It was dead only if it lapsed before it expired.
           'was_dead', g.visible_at = 'infinity' OR CASE WHEN outcome = 'expired'
             THEN g.lapses_at < to_timestamp(g.expires_at) ELSE g.lapses_at <= at END,
           'consumer', g.consumer, 'deliveries', g.delivery_count, 'last_error', left(g.last_error, 1000)
         )) FILTER (WHERE g.webhook_endpoint_id IS NOT NULL)
  INTO deleted_ids, deleted_leases, freed, endpoints, captured, ends
  FROM gone AS g;
  FOR n IN 1 .. coalesce(cardinality(endpoints), 0) LOOP
    PERFORM record_inbox_end(endpoints[n], captured[n], of_owner, ends[n]);
  END LOOP;
END $$;
