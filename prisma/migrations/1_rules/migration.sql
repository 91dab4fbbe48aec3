-- What the database itself decides: the functions that take a decision in one round trip under a lock, and the triggers
-- that keep what every writer must. Each decision about the events of an endpoint or an inbox is one function. It locks
-- the state of its parent, then reads, decides and writes, so that writers of one parent come one after the other; only
-- lease_events takes no such lock. Every statement about events names one parent by equality, so the same functions run
-- on a distributed database.

-- Time
-- ----

-- The time part of an ID (lib/platform/db/ids.ts): microseconds since 1970 in base62, 9 digits.
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

-- Counts of the last 24 clock hours. An element of `hourly` is the hour (Unix seconds / 3600) times 2^32 plus its count,
-- at the place that the hour has in its day, so nothing resets the counts of a day ago.
CREATE FUNCTION slot_of_hour() RETURNS INTEGER LANGUAGE SQL STABLE PARALLEL SAFE
  RETURN (unix_now() / 3600 % 24 + 1)::INTEGER;

CREATE FUNCTION add_in_hour(slot BIGINT, added INTEGER) RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE
  RETURN CASE WHEN slot >> 32 = unix_now() / 3600 THEN slot + added ELSE (unix_now() / 3600 << 32) + added END;

-- Accounts
-- --------

-- A request that waits for news learns at once that its credential has ended, however it was ended.
CREATE FUNCTION announce_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('announcements', 'credential:' || (to_jsonb(OLD) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;

CREATE TRIGGER announce_change AFTER UPDATE OF revoked_at, expires_at ON api_keys
  FOR EACH ROW WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at
                     OR OLD.expires_at IS DISTINCT FROM NEW.expires_at)
  EXECUTE FUNCTION announce_credential('id');

CREATE TRIGGER announce_end AFTER DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_credential('id');

CREATE TRIGGER announce_end AFTER DELETE ON members
  FOR EACH ROW EXECUTE FUNCTION announce_credential('user_id');

CREATE TRIGGER announce_end AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION announce_credential('id');

-- The agents that a member claimed, and those that a provider registered for them.
CREATE FUNCTION agents_of_member(organization text, member text) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
  SELECT id FROM agent_registrations AS agent
  WHERE organization_id = organization AND revoked_at IS NULL
    AND (claimed_by_user_id = member OR EXISTS (
      SELECT FROM delegations
      WHERE delegations.iss = agent.iss AND delegations.sub = agent.sub
        AND delegations.organization_id = organization AND delegations.user_id = member))
$$;

-- The keys that a member made, those of these agents, and their OAuth grants.
CREATE FUNCTION keys_of_member(organization text, member text) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
  SELECT id FROM api_keys
  WHERE organization_id = organization AND revoked_at IS NULL
    AND (created_by_user_id = member
      OR registration_id IN (SELECT agents_of_member(organization, member))
      OR EXISTS (SELECT FROM oauth_grants
                 WHERE oauth_grants.id = api_keys.id AND oauth_grants.user_id = member))
$$;

-- Whatever makes one of these locks the row of `members`, so that the deletion waits for it and this
-- finds it.
CREATE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agents text[] := ARRAY(SELECT agents_of_member(OLD.organization_id, OLD.user_id));
  keys text[] := ARRAY(SELECT keys_of_member(OLD.organization_id, OLD.user_id));
BEGIN
  UPDATE agent_registrations SET revoked_at = unix_now()
  WHERE id = ANY (agents) AND revoked_at IS NULL;
  UPDATE api_keys SET revoked_at = unix_now() WHERE id = ANY (keys) AND revoked_at IS NULL;
  DELETE FROM sessions WHERE key_id = ANY (keys);
  DELETE FROM delegations
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  DELETE FROM invitations
  WHERE organization_id = OLD.organization_id AND invited_by_user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE TRIGGER end_membership AFTER DELETE ON members
  FOR EACH ROW EXECUTE FUNCTION end_membership();

-- A transaction that began before an organization was deleted may add a member or a key to it. At its
-- commit, the member is removed and the key revoked.
CREATE FUNCTION leave_deleted_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM deleted_organizations WHERE id = NEW.organization_id) THEN
    DELETE FROM members WHERE organization_id = NEW.organization_id AND user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER leave_deleted AFTER INSERT ON members DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION leave_deleted_organization();

CREATE FUNCTION revoke_in_deleted_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM deleted_organizations WHERE id = NEW.organization_id) THEN
    UPDATE api_keys SET revoked_at = unix_now() WHERE id = NEW.id AND revoked_at IS NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER revoke_in_deleted AFTER INSERT ON api_keys DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION revoke_in_deleted_organization();

-- Tasks
-- -----

-- Labels of owned tasks have rows of their own, for lists. The caller has written the task, so its lock keeps others away.
CREATE FUNCTION keep_task_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM task_labels AS given
    WHERE given.owner_id = OLD.organization_id AND given.label = ANY (OLD.labels) AND given.task_id = OLD.id
      AND (NEW.organization_id = OLD.organization_id AND given.label = ANY (NEW.labels)) IS NOT TRUE;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO task_labels (owner_id, label, task_id)
    SELECT NEW.organization_id, label, NEW.id FROM unnest(NEW.labels) AS label
    WHERE NEW.organization_id IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER add_labels AFTER INSERT ON tasks
  FOR EACH ROW WHEN (NEW.organization_id IS NOT NULL AND NEW.labels <> '{}')
  EXECUTE FUNCTION keep_task_labels();

CREATE TRIGGER change_labels AFTER UPDATE OF labels, organization_id ON tasks
  FOR EACH ROW WHEN (
    NEW.labels <> OLD.labels OR NEW.organization_id IS DISTINCT FROM OLD.organization_id
  )
  EXECUTE FUNCTION keep_task_labels();

CREATE TRIGGER remove_labels AFTER DELETE ON tasks
  FOR EACH ROW WHEN (OLD.organization_id IS NOT NULL AND OLD.labels <> '{}')
  EXECUTE FUNCTION keep_task_labels();

-- `waits_for` names one open blocker. Null says nothing: the blockers decide. Each function below first locks the tasks
-- that wait, and only then looks for their blockers, without waiting: a task is locked before what it blocks, so nothing
-- deadlocks.

-- An open blocker of a task, or null. It and its link are locked: a statement that ends one of them
-- waits, and then finds the task that waits for it. One that is ending now is skipped.
CREATE FUNCTION open_blocker_of(of_task TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  open_blocker TEXT;
BEGIN
  SELECT blocker.id INTO open_blocker
  FROM task_blockers AS link
  JOIN tasks AS task ON task.id = link.task_id
  JOIN tasks AS blocker ON blocker.id = link.blocker_id
  WHERE link.task_id = of_task AND NOT blocker.labels @> '{done}'::text[]
    AND (blocker.organization_id IS NULL OR blocker.organization_id = task.organization_id)
  LIMIT 1 FOR SHARE OF link, blocker SKIP LOCKED;
  RETURN open_blocker;
END $$;

CREATE FUNCTION wait_for_blocker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE id = NEW.task_id FOR NO KEY UPDATE;
  UPDATE tasks SET waits_for = open_blocker_of(id) WHERE id = NEW.task_id AND waits_for IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER wait_for_blocker AFTER INSERT ON task_blockers
  FOR EACH ROW EXECUTE FUNCTION wait_for_blocker();

CREATE FUNCTION stop_waiting_for_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE waits_for = NEW.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE tasks SET waits_for = open_blocker_of(id) WHERE waits_for = NEW.id;
  RETURN NULL;
END $$;

-- Done, or claimed: a blocker of another organization does not count.
CREATE TRIGGER stop_waiting AFTER UPDATE OF labels, organization_id ON tasks
  FOR EACH ROW WHEN (
    (NEW.labels @> '{done}'::text[] AND NOT OLD.labels @> '{done}'::text[])
    OR NEW.organization_id IS DISTINCT FROM OLD.organization_id
  )
  EXECUTE FUNCTION stop_waiting_for_ended();

CREATE FUNCTION stop_waiting_for_unlinked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tasks SET waits_for = open_blocker_of(tasks.id) FROM unlinked
  WHERE tasks.id = unlinked.task_id AND tasks.waits_for = unlinked.blocker_id;
  RETURN NULL;
END $$;

-- Whoever deletes a link has locked the task: the trigger lock_waiting_tasks, or the statement itself.
CREATE TRIGGER stop_waiting AFTER DELETE ON task_blockers REFERENCING OLD TABLE AS unlinked
  FOR EACH STATEMENT EXECUTE FUNCTION stop_waiting_for_unlinked();

CREATE FUNCTION lock_waiting_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM tasks WHERE waits_for = OLD.id ORDER BY id FOR NO KEY UPDATE;
  RETURN OLD;
END $$;

CREATE TRIGGER lock_waiting_tasks BEFORE DELETE ON tasks
  FOR EACH ROW EXECUTE FUNCTION lock_waiting_tasks();

-- Artifacts
-- ---------

-- Keeps the content that an update replaces, and drops the oldest ones beyond the bytes of the
-- argument. A trigger sees the row that is replaced: a query in the update's statement may see an
-- older one.
CREATE FUNCTION keep_replaced_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO artifact_contents (artifact_id, number, content, size)
  SELECT artifact_id, number, OLD.content, OLD.size FROM artifact_versions
  WHERE artifact_id = OLD.id AND number = OLD.version_count;
  DELETE FROM artifact_contents WHERE artifact_id = OLD.id AND number <= (
    SELECT max(number)
    FROM (SELECT number, sum(size) OVER (ORDER BY number DESC) AS bytes
          FROM artifact_contents WHERE artifact_id = OLD.id) AS summed
    WHERE bytes > TG_ARGV[0]::BIGINT);
  RETURN NULL;
END $$;

CREATE TRIGGER keep_replaced_content AFTER UPDATE OF content ON artifacts
  FOR EACH ROW WHEN (OLD.content <> NEW.content) EXECUTE FUNCTION keep_replaced_content(10000000);

-- Endpoints and their events
-- --------------------------

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

CREATE TRIGGER make_state AFTER INSERT ON webhook_endpoints
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION make_endpoint_state();

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

CREATE TRIGGER keep_state AFTER UPDATE ON webhook_endpoints
  REFERENCING OLD TABLE AS earlier NEW TABLE AS later FOR EACH STATEMENT EXECUTE FUNCTION keep_endpoint_state();

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

CREATE TRIGGER end_state AFTER DELETE ON webhook_endpoints
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION end_endpoint_state();

-- Stores captures of one endpoint: all in the arrays, or those from `first` to `last`. `event_ids` has NULL for a capture
-- that was judged by outdated settings, which is not stored. An unknown endpoint gets IDs too and costs as much, so that
-- a sender cannot tell.
CREATE FUNCTION capture_events(
  of_endpoint TEXT, tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[],
  source_ips TEXT[], judgements JSON, public_bytes_max BIGINT, first INTEGER DEFAULT 1, last INTEGER DEFAULT NULL,
  OUT event_ids TEXT[], OUT is_known BOOLEAN, OUT owner TEXT, OUT is_full BOOLEAN, OUT is_watched BOOLEAN
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  state endpoint_state%ROWTYPE;
  micros BIGINT;
  seconds BIGINT;
  stored INTEGER;
BEGIN
  SELECT e.* INTO state FROM endpoint_state e WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;
  is_known := FOUND;
  owner := state.organization_id;
  last := coalesce(last, cardinality(tails));
  -- IDs increase in the order in which events become visible, even if the clock is set back.
  micros := greatest(state.last_event_micros, floor(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT);
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
  IF state.flow_version <> 0 THEN
    event_ids[first:last] := ARRAY(
      SELECT CASE WHEN judgement.flow_version = state.flow_version THEN event_ids[i] END
      FROM generate_series(first, last) AS i
      LEFT JOIN json_to_recordset(judgements) AS judgement (n INTEGER, flow_version BIGINT) ON judgement.n = i ORDER BY i);
  END IF;

  INSERT INTO webhook_events (endpoint_id, id, method, path, query_string, headers, body, size_bytes, source_ip, received_at,
                              verified, verification_reason, forward_status, forward_reason, delivery_id)
  SELECT of_endpoint, event_ids[i], methods[i], paths[i], query_strings[i],
         CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,
         substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), sizes[i], source_ips[i], seconds,
         judgement.verified AND NOT checked.is_late,
         CASE WHEN checked.is_late THEN judgement.late_reason ELSE judgement.verification_reason END,
         CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'skipped' ELSE judgement.forward_status END,
         CASE WHEN checked.is_late AND judgement.forward_status = 'held' THEN 'not_verified' ELSE judgement.forward_reason END,
         judgement.delivery_id
  FROM generate_series(first, last) AS i
  LEFT JOIN json_to_recordset(judgements) AS judgement (
    n INTEGER, flow_version BIGINT, verified BOOLEAN, verification_reason TEXT, valid_from BIGINT, valid_until BIGINT,
    late_reason TEXT, forward_status forward_status, forward_reason TEXT, delivery_id TEXT
  ) ON judgement.n = i AND judgement.flow_version = state.flow_version
  CROSS JOIN LATERAL (
    SELECT coalesce(judgement.verified AND (seconds < judgement.valid_from OR seconds > judgement.valid_until), false) AS is_late
  ) AS checked
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

-- Stores captures of several endpoints, with one row for each. `endpoint_ids` must be sorted, so that two batches never
-- wait for each other in a circle; the other arrays hold `counts[n]` captures of the n-th endpoint, one endpoint after
-- the other.
CREATE FUNCTION capture_batch(
  endpoint_ids TEXT[], counts INTEGER[], tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[],
  headers TEXT[], redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[],
  source_ips TEXT[], judgements JSON[], public_bytes_max BIGINT
) RETURNS TABLE (event_ids TEXT[], is_known BOOLEAN, owner TEXT, is_full BOOLEAN, is_watched BOOLEAN)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  first INTEGER := 1;
  last INTEGER;
BEGIN
  FOR n IN 1 .. cardinality(endpoint_ids) LOOP
    last := first + counts[n] - 1;
    RETURN QUERY SELECT * FROM capture_events(
      endpoint_ids[n], tails, methods, paths, query_strings, headers, redacted_headers, bodies, body_starts,
      body_lengths, sizes, source_ips, judgements[n], public_bytes_max, first, last);
    first := last + 1;
  END LOOP;
END $$;

-- Stores captures of an endpoint that forwards, and forwards those to an inbox. A small endpoint may get more captures
-- at once than it keeps: all of them are forwarded, also those that have gone by then.
CREATE FUNCTION capture_and_forward(
  of_endpoint TEXT, tails TEXT[], methods TEXT[], paths TEXT[], query_strings TEXT[], headers TEXT[],
  redacted_headers TEXT[], bodies BYTEA, body_starts INTEGER[], body_lengths INTEGER[], sizes BIGINT[],
  source_ips TEXT[], judgements JSON, public_bytes_max BIGINT,
  OUT event_ids TEXT[], OUT is_known BOOLEAN, OUT owner TEXT, OUT is_full BOOLEAN, OUT is_watched BOOLEAN,
  OUT is_held BOOLEAN, OUT awaited_inbox TEXT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  before TEXT;
BEGIN
  SELECT e.gone_up_to INTO before FROM endpoint_state e WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;
  SELECT c.* INTO event_ids, is_known, owner, is_full, is_watched FROM capture_events(
    of_endpoint, tails, methods, paths, query_strings, headers, redacted_headers, bodies, body_starts, body_lengths, sizes,
    source_ips, judgements, public_bytes_max) AS c;
  -- Events for a URL are sent by the server.
  is_held := is_known AND EXISTS (SELECT FROM webhook_forwards f WHERE f.endpoint_id = of_endpoint AND f.inbox_id IS NULL);
  IF is_known AND NOT is_held THEN
    SELECT f.is_held, f.awaited_inbox INTO is_held, awaited_inbox FROM forward_held_events(of_endpoint, before, public_bytes_max) AS f;
  END IF;
END $$;

-- Forwards the oldest events that an endpoint holds back into its inbox: those after `after`, as many as fit, at most
-- 200 or 8 MB. Returns whether events are still held, whether more of them may be forwarded at once, and the inbox if
-- its waiting receivers must be notified.
CREATE FUNCTION forward_held_events(
  of_endpoint TEXT, after TEXT, public_bytes_max BIGINT,
  OUT is_held BOOLEAN, OUT has_more BOOLEAN, OUT awaited_inbox TEXT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  endpoint RECORD;
  forward RECORD;
  held RECORD;
  inbox RECORD;
  stored RECORD;
  stored_ids TEXT[];
  new_obstacle forward_obstacle;
BEGIN
  is_held := false;
  has_more := false;
  SELECT e.organization_id, e.gone_up_to INTO endpoint FROM endpoint_state e
  WHERE e.endpoint_id = of_endpoint FOR NO KEY UPDATE;
  SELECT f.inbox_id, f.obstacle INTO forward FROM webhook_forwards f WHERE f.endpoint_id = of_endpoint;
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
  IF new_obstacle IS DISTINCT FROM forward.obstacle THEN
    UPDATE webhook_forwards f SET obstacle = new_obstacle WHERE f.endpoint_id = of_endpoint;
  END IF;
  IF new_obstacle IS NOT NULL THEN
    UPDATE inbox_state i SET is_awaited_by_forwards = true
    WHERE i.inbox_id = forward.inbox_id AND NOT i.is_awaited_by_forwards;
  END IF;
  has_more := held.has_more AND new_obstacle IS NULL;
  is_held := held.has_more OR new_obstacle IS NOT NULL;
END $$;

-- Records at a captured event how the inbox event that forwarded it left its inbox. Nothing is recorded if the endpoint
-- has another owner than the inbox, or while another writer holds the captured event. It takes no
-- lock of the endpoint's state, so it may still record an end beside a claim.
CREATE FUNCTION record_inbox_end(of_endpoint TEXT, of_event TEXT, of_owner TEXT, ended JSON) RETURNS VOID
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM FROM endpoint_state e WHERE e.endpoint_id = of_endpoint AND e.organization_id IS NOT DISTINCT FROM of_owner;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM webhook_events v WHERE v.endpoint_id = of_endpoint AND v.id = of_event FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE webhook_events v SET inbox_end = ended WHERE v.endpoint_id = of_endpoint AND v.id = of_event;
  END IF;
END $$;

-- Inboxes and their events
-- ------------------------

-- As for endpoints.
CREATE FUNCTION make_inbox_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inbox RECORD;
BEGIN
  FOR inbox IN
    SELECT id, organization_id, claim_token_digest IS NOT NULL AS created_without_key, max_events, default_ttl_seconds
    FROM made ORDER BY id
  LOOP
    INSERT INTO inbox_state (inbox_id, organization_id, created_without_key, max_events, default_ttl_seconds)
    VALUES (inbox.id, inbox.organization_id, inbox.created_without_key, inbox.max_events, inbox.default_ttl_seconds);
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER make_state AFTER INSERT ON inboxes
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION make_inbox_state();

-- As for endpoints. The statement that fired it holds the locks of the inboxes, in the order of their IDs.
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

CREATE TRIGGER keep_state AFTER UPDATE ON inboxes
  REFERENCING OLD TABLE AS earlier NEW TABLE AS later FOR EACH STATEMENT EXECUTE FUNCTION keep_inbox_state();

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

CREATE TRIGGER end_state AFTER DELETE ON inboxes
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION end_inbox_state();

-- Stores events of one inbox, the first ones, as many as fit by number and, in a public inbox, by bytes. Returns a row
-- for each: as it was stored, or the pending event with the same `dedup_id`, or without an ID if the inbox is full. No
-- rows if there is no inbox. Waiting receivers are notified once, by the caller, if `is_awaited`.
CREATE FUNCTION ingest_events(
  of_inbox TEXT, ids TEXT[], content_types TEXT[], headers TEXT[], redacted_headers TEXT[], bodies BYTEA,
  body_starts INTEGER[], body_lengths INTEGER[], query_strings TEXT[], source_ips TEXT[], dedup_ids TEXT[],
  ttls INTEGER[], delays INTEGER[], from_endpoint TEXT, public_bytes_max BIGINT
) RETURNS TABLE (owner TEXT, is_claimed BOOLEAN, is_awaited BOOLEAN, id TEXT, state TEXT, received_at BIGINT, expires_at BIGINT)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  at TIMESTAMPTZ;
  seconds BIGINT;
  stored INTEGER[] := '{}';
  has_room BOOLEAN := true;
  weight BIGINT;
  same INTEGER;
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  at := now();
  seconds := floor(extract(epoch FROM at));
  owner := inbox.organization_id;
  is_claimed := inbox.organization_id IS NOT NULL AND inbox.created_without_key;
  is_awaited := coalesce(inbox.awaited_until > at, false);

  FOR n IN 1 .. cardinality(ids) LOOP
    id := NULL;
    state := NULL;
    received_at := NULL;
    expires_at := NULL;
    same := n;
    IF dedup_ids[n] IS NOT NULL THEN
      SELECT e.id, CASE WHEN e.visible_at <= at THEN 'ready' WHEN e.lease_id IS NULL THEN 'delayed' ELSE 'leased' END,
             e.received_at, e.expires_at
      INTO id, state, received_at, expires_at
      FROM inbox_events e WHERE e.inbox_id = of_inbox AND e.dedup_key = dedup_ids[n] AND e.lapses_at > at;
      IF NOT FOUND THEN
        -- An event that has lapsed and was not removed yet may still have the key.
        UPDATE inbox_events e SET dedup_key = NULL WHERE e.inbox_id = of_inbox AND e.dedup_key = dedup_ids[n];
        same := array_position(dedup_ids, dedup_ids[n]);
      END IF;
    END IF;
    IF id IS NULL THEN
      IF same = n THEN
        weight := body_lengths[n] + octet_length(headers[n]) + octet_length(query_strings[n]);
        has_room := has_room AND inbox.occupied < inbox.max_events
          AND (owner IS NOT NULL OR inbox.bytes_used + weight <= public_bytes_max);
        IF has_room THEN
          stored := stored || n;
          inbox.occupied := inbox.occupied + 1;
          inbox.bytes_used := inbox.bytes_used + weight;
        END IF;
      END IF;
      IF same = ANY (stored) THEN
        id := ids[same];
        state := CASE WHEN delays[same] > 0 THEN 'delayed' ELSE 'ready' END;
        received_at := seconds;
        expires_at := seconds + coalesce(ttls[same], inbox.default_ttl_seconds);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF stored <> '{}' THEN
    INSERT INTO inbox_events (inbox_id, id, content_type, headers, body, size_bytes, query_string, source_ip, dedup_id,
                              dedup_key, queue_id, visible_at, lapses_at, received_at, expires_at, webhook_endpoint_id)
    SELECT of_inbox, ids[i], content_types[i],
           CASE WHEN owner IS NULL THEN coalesce(redacted_headers[i], headers[i]) ELSE headers[i] END,
           substring(bodies FROM body_starts[i] + 1 FOR body_lengths[i]), body_lengths[i], query_strings[i], source_ips[i],
           dedup_ids[i], dedup_ids[i], of_inbox, greatest(at + delays[i] * interval '1 second', inbox.ready_from),
           to_timestamp(seconds + coalesce(ttls[i], inbox.default_ttl_seconds)), seconds,
           seconds + coalesce(ttls[i], inbox.default_ttl_seconds), from_endpoint
    FROM unnest(stored) AS i;
    inbox.hourly[slot_of_hour()] := add_in_hour(inbox.hourly[slot_of_hour()], cardinality(stored));
  END IF;
  UPDATE inbox_state i SET
    occupied = inbox.occupied,
    bytes_used = inbox.bytes_used,
    ingested = inbox.ingested + cardinality(stored),
    hourly = inbox.hourly,
    active_at = seconds,
    awaited_until = CASE WHEN is_awaited THEN '-infinity'::timestamptz END
  WHERE i.inbox_id = of_inbox;
END $$;

-- Leases the events that have been ready longest, at most one for each lease ID and as many as fit into `bytes_max`,
-- or one. Returns a row for each, or one without an event. No rows if there is no inbox. Takes no lock on the inbox:
-- two receivers never lease the same event, since the second skips locked rows, and a row that changed before it was
-- locked no longer matches. Leases nothing if `key_is_live`, which is returned as `is_live`, is false.
CREATE FUNCTION lease_events(
  of_inbox TEXT, caller_organization TEXT, key_is_live BOOLEAN, lease_ids TEXT[], lease_seconds INTEGER[], consumers TEXT[],
  deliveries_max INTEGER, bytes_max BIGINT
) RETURNS TABLE (
  owner TEXT, is_live BOOLEAN, is_cut BOOLEAN, id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT,
  size_bytes INTEGER, dedup_id TEXT, delivery_count INTEGER, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, leased_until BIGINT
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox RECORD;
  at TIMESTAMPTZ := now();
  epoch DOUBLE PRECISION := extract(epoch FROM at);
  chosen TEXT[];
  is_more BOOLEAN;
BEGIN
  SELECT i.organization_id, i.ready_from INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_live := key_is_live;
  IF is_live AND (owner IS NULL OR owner = caller_organization) THEN
    SELECT array_agg(one.id ORDER BY one.place) FILTER (WHERE one.place = 1 OR one.total <= bytes_max),
           coalesce(max(one.total) > bytes_max AND count(*) > 1, false)
    INTO chosen, is_more
    FROM (
      SELECT next.id, row_number() OVER upto AS place, sum(next.size_bytes) OVER upto AS total
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
      ) AS next
      WINDOW upto AS (ORDER BY next.visible_at, next.id ROWS UNBOUNDED PRECEDING)
    ) AS one;
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

-- Deletes delivered events. Returns the outcome for each; one row without an outcome if there are none or the caller may
-- not reach the inbox; no row if there is no inbox. A lease that has ended counts until the event is delivered again. A receiver that
-- delivers it at the same moment changes its lease, and then nothing is deleted.
CREATE FUNCTION acknowledge_events(of_inbox TEXT, caller_organization TEXT, event_ids TEXT[], lease_ids TEXT[])
RETURNS TABLE (owner TEXT, is_awaited_by_forwards BOOLEAN, outcome TEXT)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox RECORD;
  at TIMESTAMPTZ;
  seconds BIGINT;
  gone RECORD;
  existing TEXT[];
BEGIN
  SELECT i.organization_id, i.is_awaited_by_forwards INTO inbox
  FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_awaited_by_forwards := inbox.is_awaited_by_forwards;
  IF (owner IS DISTINCT FROM caller_organization AND owner IS NOT NULL) OR event_ids = '{}' THEN
    RETURN NEXT;
    RETURN;
  END IF;
  at := now();
  seconds := floor(extract(epoch FROM at));
  SELECT * INTO gone FROM delete_inbox_events(of_inbox, owner, event_ids, lease_ids, 'acknowledged', at);
  IF gone.deleted_ids <> '{}' THEN
    UPDATE inbox_state i SET
      occupied = i.occupied - gone.freed,
      acknowledged = i.acknowledged + cardinality(gone.deleted_ids),
      active_at = seconds
    WHERE i.inbox_id = of_inbox;
  END IF;
  IF cardinality(gone.deleted_ids) < cardinality(event_ids) THEN
    SELECT array_agg(e.id) INTO existing FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.expires_at > seconds;
  END IF;
  FOR n IN 1 .. cardinality(event_ids) LOOP
    outcome := CASE
      WHEN existing IS NULL AND cardinality(gone.deleted_ids) = cardinality(event_ids) THEN 'acknowledged'
      WHEN gone.deleted_leases[array_position(gone.deleted_ids, event_ids[n])] = lease_ids[n] THEN 'acknowledged'
      WHEN event_ids[n] = ANY (existing || gone.deleted_ids) THEN 'lease_lost'
      ELSE 'not_found' END;
    RETURN NEXT;
  END LOOP;
END $$;

-- Stores the reply to a delivered event and deletes the event, if the reply fits into a public inbox. Returns one row
-- if there is an inbox, with the reply as it was stored now, or earlier by the same delivery. Of two replies to one
-- delivery the second waits for the state's lock, and finds the event gone.
CREATE FUNCTION reply_to_event(
  of_inbox TEXT, caller_organization TEXT, of_event TEXT, of_lease TEXT, of_type TEXT, content BYTEA, kept_seconds BIGINT,
  public_bytes_max BIGINT,
  OUT owner TEXT, OUT is_claimed BOOLEAN, OUT is_awaited_by_forwards BOOLEAN, OUT is_held BOOLEAN, OUT event_exists BOOLEAN,
  OUT inbox_id TEXT, OUT event_id TEXT, OUT content_type TEXT, OUT size_bytes INTEGER, OUT created_at BIGINT,
  OUT expires_at BIGINT
) RETURNS SETOF RECORD LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  at TIMESTAMPTZ;
  seconds BIGINT;
  gone RECORD;
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_claimed := inbox.organization_id IS NOT NULL AND inbox.created_without_key;
  is_awaited_by_forwards := inbox.is_awaited_by_forwards;
  is_held := false;
  event_exists := false;
  IF owner IS NULL OR owner = caller_organization THEN
    at := now();
    seconds := floor(extract(epoch FROM at));
    SELECT e.lease_id = of_lease INTO is_held FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = of_event AND e.expires_at > seconds FOR UPDATE;
    event_exists := FOUND;
    is_held := coalesce(is_held, false);
    IF is_held AND (owner IS NOT NULL OR inbox.bytes_used + length(content) <= public_bytes_max) THEN
      SELECT * INTO gone FROM delete_inbox_events(of_inbox, owner, ARRAY[of_event], NULL, 'replied', at);
      INSERT INTO inbox_replies AS r (inbox_id, event_id, lease_id, content_type, body, size_bytes, created_at, expires_at)
      VALUES (of_inbox, of_event, of_lease, of_type, content, length(content), seconds, seconds + kept_seconds)
      RETURNING r.inbox_id, r.event_id, r.content_type, r.size_bytes, r.created_at, r.expires_at
      INTO inbox_id, event_id, content_type, size_bytes, created_at, expires_at;
      UPDATE inbox_state i SET
        occupied = i.occupied - gone.freed,
        acknowledged = i.acknowledged + 1,
        bytes_used = i.bytes_used + length(content),
        active_at = seconds
      WHERE i.inbox_id = of_inbox;
    ELSIF NOT event_exists THEN
      SELECT r.inbox_id, r.event_id, r.content_type, r.size_bytes, r.created_at, r.expires_at
      INTO inbox_id, event_id, content_type, size_bytes, created_at, expires_at FROM inbox_replies r
      WHERE r.inbox_id = of_inbox AND r.event_id = of_event AND r.lease_id = of_lease
        AND r.content_type IS NOT DISTINCT FROM of_type AND r.body = content AND r.expires_at > seconds;
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- Returns delivered events for redelivery after their delay, or marks them dead after their last delivery or on
-- request. Returns a row for each of the events that exists, with the lease under which it was released, or NULL if it
-- is delivered under another. If there is an inbox, at least one row. A receiver may deliver one
-- whose lease has ended without the state's lock: its lease then no longer matches.
CREATE FUNCTION release_events(
  of_inbox TEXT, caller_organization TEXT, event_ids TEXT[], lease_ids TEXT[], delays INTEGER[], errors TEXT[],
  deads BOOLEAN[], deliveries_max INTEGER, actor TEXT
) RETURNS TABLE (
  owner TEXT, is_awaited BOOLEAN, released_lease TEXT,
  id TEXT, inbox_id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT, size_bytes INTEGER,
  dedup_id TEXT, delivery_count INTEGER, consumer TEXT, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, visible_at TIMESTAMPTZ, lapses_at TIMESTAMPTZ
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  epoch DOUBLE PRECISION := extract(epoch FROM now());
  seconds BIGINT := floor(epoch);
  already_dead TEXT[];
  released RECORD;
  released_ids TEXT[] := '{}';
  released_leases TEXT[] := '{}';
  died TEXT[] := '{}';
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  owner := inbox.organization_id;
  is_awaited := coalesce(inbox.awaited_until > now(), false);
  IF owner IS NULL OR owner = caller_organization THEN
    SELECT coalesce(array_agg(e.id), '{}') INTO already_dead FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.visible_at = 'infinity';
    FOR released IN
      UPDATE inbox_events e SET
        lease_id = NULL,
        last_error = given.error,
        lapses_at = to_timestamp(e.expires_at),
        visible_at = CASE WHEN given.dead OR e.delivery_count >= deliveries_max OR e.visible_at = 'infinity' THEN 'infinity'
                          ELSE greatest(to_timestamp(epoch + given.delay), inbox.ready_from) END,
        dedup_key = CASE WHEN given.dead OR e.delivery_count >= deliveries_max OR e.visible_at = 'infinity' THEN NULL
                         ELSE e.dedup_key END
      FROM unnest(event_ids, lease_ids, delays, errors, deads) AS given (id, lease_id, delay, error, dead)
      -- Also by the array, because the plan for the join alone may scan the whole inbox.
      WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.id = given.id AND e.lease_id = given.lease_id
        AND e.expires_at > seconds
      RETURNING e.id, given.lease_id, e.visible_at, e.headers
    LOOP
      released_ids := released_ids || released.id;
      released_leases := released_leases || released.lease_id;
      IF released.visible_at = 'infinity' AND NOT released.id = ANY (already_dead) THEN
        died := died || released.headers;
      END IF;
    END LOOP;
    IF released_ids <> '{}' THEN
      UPDATE inbox_state i SET occupied = i.occupied - cardinality(died), active_at = seconds
      WHERE i.inbox_id = of_inbox;
      PERFORM record_dead_events(of_inbox, owner, died, actor);
    END IF;
    RETURN QUERY
    SELECT owner, is_awaited, released_leases[array_position(released_ids, e.id)],
         e.id, e.inbox_id, e.content_type, e.headers, e.body, e.query_string, e.source_ip, e.size_bytes, e.dedup_id,
         e.delivery_count, e.consumer, e.lease_id, e.last_error, e.received_at, e.expires_at, e.visible_at, e.lapses_at
    FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND e.expires_at > seconds;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- Makes dead events ready again and resets their delivery count: `of_event`, or the oldest `how_many`, as many as fit.
-- Returns one row if there is an inbox: what `of_event` was before, how many were found and revived, how many are still
-- dead, and the last revived event. They are locked, since an extension of a
-- lease takes no lock of the state.
CREATE FUNCTION redrive_events(of_inbox TEXT, caller_organization TEXT, of_event TEXT, how_many INTEGER)
RETURNS TABLE (
  owner TEXT, is_awaited BOOLEAN, state_before TEXT, matched INTEGER, revived INTEGER, remaining INTEGER,
  id TEXT, inbox_id TEXT, content_type TEXT, headers TEXT, body BYTEA, query_string TEXT, source_ip TEXT, size_bytes INTEGER,
  dedup_id TEXT, delivery_count INTEGER, consumer TEXT, lease_id TEXT, last_error TEXT, received_at BIGINT,
  expires_at BIGINT, visible_at TIMESTAMPTZ, lapses_at TIMESTAMPTZ
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  inbox inbox_state%ROWTYPE;
  at TIMESTAMPTZ;
  dead_ids TEXT[];
  dead inbox_events%ROWTYPE;
  last_id TEXT;
BEGIN
  SELECT i.* INTO inbox FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  at := now();
  owner := inbox.organization_id;
  is_awaited := coalesce(inbox.awaited_until > at, false);
  revived := 0;
  IF owner IS DISTINCT FROM caller_organization AND owner IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  IF of_event IS NOT NULL THEN
    SELECT e.* INTO dead FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = of_event AND e.expires_at > floor(extract(epoch FROM at)) FOR UPDATE;
    state_before := CASE WHEN dead.id IS NULL THEN NULL
      WHEN dead.visible_at = 'infinity' OR dead.lapses_at <= at THEN 'dead'
      WHEN dead.visible_at <= at THEN 'ready' WHEN dead.lease_id IS NULL THEN 'delayed' ELSE 'leased' END;
    dead_ids := CASE WHEN state_before = 'dead' THEN ARRAY[of_event] ELSE '{}' END;
  ELSE
    SELECT coalesce(array_agg(oldest.id ORDER BY oldest.id), '{}') INTO dead_ids FROM (
      SELECT e.id FROM inbox_events e
      WHERE e.inbox_id = of_inbox AND e.expires_at > floor(extract(epoch FROM at))
        AND (e.visible_at = 'infinity' OR e.lapses_at <= at)
      ORDER BY e.id LIMIT how_many FOR UPDATE) AS oldest;
  END IF;
  matched := cardinality(dead_ids);
  FOR n IN 1 .. matched LOOP
    SELECT e.* INTO dead FROM inbox_events e WHERE e.inbox_id = of_inbox AND e.id = dead_ids[n];
    -- One that has only run out of deliveries still takes up room.
    CONTINUE WHEN dead.visible_at = 'infinity' AND inbox.occupied >= inbox.max_events;
    inbox.occupied := inbox.occupied + (dead.visible_at = 'infinity')::INTEGER;
    revived := revived + 1;
    UPDATE inbox_events e SET
      visible_at = greatest(at, inbox.ready_from),
      lapses_at = to_timestamp(e.expires_at),
      delivery_count = 0,
      lease_id = NULL,
      dedup_key = CASE WHEN dead.dedup_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM inbox_events other WHERE other.inbox_id = of_inbox AND other.dedup_key = dead.dedup_id AND other.id <> dead.id
      ) THEN dead.dedup_id END
    WHERE e.inbox_id = of_inbox AND e.id = dead.id;
    last_id := dead.id;
  END LOOP;
  IF revived > 0 THEN
    UPDATE inbox_state i SET occupied = inbox.occupied, active_at = floor(extract(epoch FROM at)) WHERE i.inbox_id = of_inbox;
  END IF;
  IF of_event IS NULL THEN
    SELECT count(*) INTO remaining FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.expires_at > floor(extract(epoch FROM at))
      AND (e.visible_at = 'infinity' OR e.lapses_at <= at);
  END IF;
  RETURN QUERY
  SELECT owner, is_awaited, state_before, matched, revived, remaining,
         e.id, e.inbox_id, e.content_type, e.headers, e.body, e.query_string, e.source_ip, e.size_bytes, e.dedup_id,
         e.delivery_count, e.consumer, e.lease_id, e.last_error, e.received_at, e.expires_at, e.visible_at, e.lapses_at
  FROM inbox_events e WHERE e.inbox_id = of_inbox AND e.id = last_id;
  IF NOT FOUND THEN
    RETURN NEXT;
  END IF;
END $$;

-- Deletes an event, or all events in a state, or all events and replies. Returns one row if there is an inbox.
CREATE FUNCTION remove_events(
  of_inbox TEXT, caller_organization TEXT, of_event TEXT, of_state TEXT,
  OUT owner TEXT, OUT is_awaited_by_forwards BOOLEAN, OUT removed INTEGER
) RETURNS SETOF RECORD LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  at TIMESTAMPTZ;
  seconds BIGINT;
  matching TEXT[];
  gone RECORD;
BEGIN
  SELECT i.organization_id, i.is_awaited_by_forwards INTO owner, is_awaited_by_forwards
  FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  removed := 0;
  IF owner IS NULL OR owner = caller_organization THEN
    at := now();
    seconds := floor(extract(epoch FROM at));
    IF of_event IS NOT NULL THEN
      matching := ARRAY[of_event];
    ELSE
      -- Locked, so that an event that a receiver leases meanwhile is in its new state.
      SELECT array_agg(found.id) INTO matching FROM (
        SELECT e.id FROM inbox_events e
        WHERE e.inbox_id = of_inbox AND e.expires_at > seconds AND (of_state IS NULL OR of_state = CASE
          WHEN e.visible_at = 'infinity' OR e.lapses_at <= at THEN 'dead' WHEN e.visible_at <= at THEN 'ready'
          WHEN e.lease_id IS NULL THEN 'delayed' ELSE 'leased' END)
        FOR UPDATE) AS found;
    END IF;
    SELECT * INTO gone FROM delete_inbox_events(of_inbox, owner, matching, NULL, 'deleted', at);
    removed := cardinality(gone.deleted_ids);
    UPDATE inbox_state i SET
      occupied = i.occupied - gone.freed,
      acknowledged = i.acknowledged + CASE WHEN of_event IS NOT NULL THEN removed ELSE 0 END,
      purged = i.purged + CASE WHEN of_event IS NULL THEN removed ELSE 0 END,
      active_at = seconds
    WHERE i.inbox_id = of_inbox AND removed > 0;
    IF of_event IS NULL AND of_state IS NULL THEN
      DELETE FROM inbox_replies r WHERE r.inbox_id = of_inbox;
    END IF;
  END IF;
  RETURN NEXT;
END $$;

-- Deletes up to `how_many` expired events and marks as many that ran out of deliveries as dead. Returns their number.
-- Leaves out those that a receiver has locked: it may hold several, and the order of its locks is another.
CREATE FUNCTION expire_events(of_inbox TEXT, how_many INTEGER) RETURNS INTEGER
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  owner TEXT;
  at TIMESTAMPTZ;
  due RECORD;
  gone RECORD;
BEGIN
  SELECT i.organization_id INTO owner FROM inbox_state i WHERE i.inbox_id = of_inbox FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  at := now();
  SELECT coalesce(array_agg(one.id) FILTER (WHERE one.is_expired), '{}') AS expired,
         coalesce(array_agg(one.id) FILTER (WHERE NOT one.is_expired), '{}') AS exhausted,
         coalesce(array_agg(one.headers) FILTER (WHERE NOT one.is_expired), '{}') AS exhausted_headers
  INTO due
  FROM (
    SELECT e.id, e.expires_at <= floor(extract(epoch FROM at)) AS is_expired, e.headers FROM inbox_events e
    -- The first condition always holds. It lets the planner use the index of lapsed events.
    WHERE e.inbox_id = of_inbox AND e.lapses_at > '-infinity' AND e.lapses_at <= at
    ORDER BY e.lapses_at LIMIT how_many
    FOR UPDATE SKIP LOCKED
  ) AS one;
  IF due.expired = '{}' AND due.exhausted = '{}' THEN
    RETURN 0;
  END IF;
  SELECT * INTO gone FROM delete_inbox_events(of_inbox, owner, due.expired, NULL, 'expired', at);
  IF due.exhausted <> '{}' THEN
    UPDATE inbox_events e SET visible_at = 'infinity', lapses_at = to_timestamp(e.expires_at), dedup_key = NULL
    WHERE e.inbox_id = of_inbox AND e.id = ANY (due.exhausted);
    PERFORM record_dead_events(of_inbox, owner, due.exhausted_headers, NULL);
  END IF;
  UPDATE inbox_state i SET
    occupied = i.occupied - gone.freed - cardinality(due.exhausted),
    expired = i.expired + cardinality(gone.deleted_ids)
  WHERE i.inbox_id = of_inbox;
  RETURN cardinality(due.expired) + cardinality(due.exhausted);
END $$;

-- Deletes events of an inbox whose state is locked; with `lease_ids`, only those that are delivered under them. Records
-- how those that forwarded a captured event ended. Returns the deleted events with their leases, and how many of them
-- took up room.
CREATE FUNCTION delete_inbox_events(
  of_inbox TEXT, of_owner TEXT, event_ids TEXT[], lease_ids TEXT[], outcome TEXT, at TIMESTAMPTZ,
  OUT deleted_ids TEXT[], OUT deleted_leases TEXT[], OUT freed INTEGER
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  seconds BIGINT := floor(extract(epoch FROM at));
  gone RECORD;
BEGIN
  deleted_ids := '{}';
  deleted_leases := '{}';
  freed := 0;
  FOR gone IN
    DELETE FROM inbox_events e
    WHERE e.inbox_id = of_inbox AND e.id = ANY (event_ids) AND (outcome = 'expired' OR e.expires_at > seconds) AND (
      lease_ids IS NULL
      OR (e.id, e.lease_id) IN (SELECT given.id, given.lease_id FROM unnest(event_ids, lease_ids) AS given (id, lease_id)))
    RETURNING e.id, e.lease_id, e.visible_at, e.lapses_at, e.expires_at, e.consumer, e.delivery_count, e.last_error,
              e.webhook_endpoint_id
  LOOP
    deleted_ids := deleted_ids || gone.id;
    deleted_leases := deleted_leases || gone.lease_id;
    freed := freed + (gone.visible_at < 'infinity')::INTEGER;
    IF gone.webhook_endpoint_id IS NOT NULL THEN
      PERFORM record_inbox_end(gone.webhook_endpoint_id, 'wev_' || substr(gone.id, 5), of_owner, json_build_object(
        'outcome', outcome,
        'at', CASE WHEN outcome = 'expired' THEN gone.expires_at ELSE seconds END,
        -- An expired event has lapsed too. It was dead only if it lapsed before it expired.
        'was_dead', gone.visible_at = 'infinity' OR CASE WHEN outcome = 'expired'
          THEN gone.lapses_at < to_timestamp(gone.expires_at) ELSE gone.lapses_at <= at END,
        'consumer', gone.consumer, 'deliveries', gone.delivery_count, 'last_error', left(gone.last_error, 1000)));
    END IF;
  END LOOP;
END $$;

-- Records in the change feed that events of an inbox died, given their headers. Pushed changes are left out: their
-- death would be pushed as another change, which could die too, without end.
CREATE FUNCTION record_dead_events(of_inbox TEXT, of_owner TEXT, dead_headers TEXT[], actor TEXT) RETURNS VOID
LANGUAGE sql AS $$
  INSERT INTO changes (organization_id, kind, action, resource_id, actor)
  SELECT of_owner, 'inboxes', 'event_dead', of_inbox, actor FROM unnest(dead_headers) AS dead (headers)
  WHERE of_owner IS NOT NULL AND NOT EXISTS (
    SELECT FROM subscriptions
    WHERE subscriptions.organization_id = of_owner AND subscriptions.id = dead.headers::json->>'subscription-id')
$$;
