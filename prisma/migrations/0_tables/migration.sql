-- The types, tables and indexes of prisma/schema.prisma, and what it cannot say: collations, conditions of indexes, and
-- how tables are stored. Tables with a vacuum threshold have many updates or deletions: the default, a fifth of the
-- table, would leave millions of dead rows. The functions and triggers are in 1_rules.

-- Unix seconds by the database's clock, the same throughout a statement.
CREATE FUNCTION unix_now() RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE
AS $$ SELECT floor(extract(epoch FROM now()))::BIGINT $$;

-- What the feed adds to a transaction ID. A restore replaces it, so that positions go on rising where transactions count
-- from another number. STABLE: the planner inlines it, and notices the replacement.
CREATE FUNCTION change_xid_offset() RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE RETURN 0;

CREATE TYPE member_role AS ENUM ('owner', 'member');
CREATE TYPE key_kind AS ENUM ('api_key', 'access_token', 'oauth_grant');
CREATE TYPE oauth_audience AS ENUM ('api', 'mcp');
CREATE TYPE credential_type AS ENUM ('api_key', 'access_token');
CREATE TYPE task_priority AS ENUM ('critical', 'high', 'medium', 'low');
CREATE TYPE artifact_format AS ENUM ('markdown', 'html');
CREATE TYPE signature_scheme AS ENUM ('github', 'stripe', 'slack', 'shopify', 'standard_webhooks', 'hmac');
CREATE TYPE signature_encoding AS ENUM ('hex', 'base64');
CREATE TYPE forward_obstacle AS ENUM ('inbox_full', 'other_owner', 'too_many_pending');
CREATE TYPE forward_status AS ENUM ('held', 'forwarded', 'skipped', 'failed');
CREATE TYPE replay_status AS ENUM ('running', 'completed', 'canceled');
CREATE TYPE message_method AS ENUM ('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
CREATE TYPE message_status AS ENUM ('scheduled', 'delivering', 'delivered', 'failed', 'canceled');
CREATE TYPE catch_up AS ENUM ('skip', 'once');
CREATE TYPE run_failure AS ENUM (
  'inbox_full', 'inbox_deleted', 'other_owner', 'forbidden', 'public_limit', 'internal_error'
);
CREATE TYPE resource_kind AS ENUM ('tasks', 'webhooks', 'artifacts', 'messages', 'inboxes', 'schedules');
CREATE TYPE change_action AS ENUM (
  'created', 'updated', 'deleted', 'claimed', 'leased', 'released', 'completed', 'note_added', 'blocker_added',
  'blocker_removed', 'shared', 'unshared', 'canceled', 'retried', 'delivered', 'failed', 'event_dead'
);
CREATE TYPE push_obstacle AS ENUM ('inbox_full', 'too_many_pending');

CREATE TABLE organizations (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  tasks_awaited_until BIGINT NOT NULL DEFAULT 0,
  signing_secret_version INTEGER NOT NULL DEFAULT 1,
  signing_secret_rotated_at BIGINT,
  changes_removed_xid BIGINT NOT NULL DEFAULT 0,
  changes_removed_id BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE deleted_organizations (
  id TEXT COLLATE "C" PRIMARY KEY,
  deleted_at BIGINT NOT NULL DEFAULT unix_now(),
  due_at BIGINT NOT NULL DEFAULT unix_now()
);

CREATE TABLE users (
  id TEXT COLLATE "C" PRIMARY KEY,
  email TEXT,
  email_verified_at BIGINT,
  created_at BIGINT NOT NULL DEFAULT unix_now()
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE members (
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  role member_role NOT NULL,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX members_user_id_idx ON members (user_id);

CREATE TABLE invitations (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  email TEXT NOT NULL,
  invited_by_user_id TEXT COLLATE "C" REFERENCES users ON DELETE SET NULL ON UPDATE CASCADE,
  role member_role NOT NULL DEFAULT 'member',
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT NOT NULL
);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE UNIQUE INDEX invitations_organization_id_email_key ON invitations (organization_id, email);

CREATE TABLE sessions (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  key_id TEXT COLLATE "C",
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE SET NULL ON UPDATE CASCADE,
  digest TEXT NOT NULL,
  user_agent TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  last_seen_at BIGINT NOT NULL DEFAULT unix_now(),
  CONSTRAINT sessions_one_owner CHECK (num_nonnulls(user_id, key_id) = 1)
);
CREATE INDEX sessions_key_id_idx ON sessions (key_id);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE UNIQUE INDEX sessions_digest_key ON sessions (digest);

CREATE TABLE one_time_codes (
  id TEXT COLLATE "C" PRIMARY KEY,
  purpose TEXT NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  email TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  mac TEXT NOT NULL,
  digits INTEGER NOT NULL DEFAULT 6,
  "window" BIGINT,
  failures INTEGER NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT NOT NULL,
  activated_at BIGINT,
  consumed_at BIGINT
);
CREATE INDEX one_time_codes_created_at_idx ON one_time_codes (created_at);
CREATE INDEX one_time_codes_purpose_email_created_at_idx ON one_time_codes (purpose, email, created_at);
CREATE INDEX one_time_codes_purpose_subject_created_at_idx ON one_time_codes (purpose, subject, created_at);

CREATE TABLE api_keys (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  name TEXT NOT NULL,
  digest TEXT,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  scopes TEXT[] NOT NULL,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT,
  revoked_at BIGINT,
  last_used_at BIGINT,
  kind key_kind NOT NULL DEFAULT 'api_key',
  created_by_user_id TEXT COLLATE "C",
  replaced_by_id TEXT,
  first_id TEXT,
  old_key_ends_at BIGINT,
  registration_id TEXT COLLATE "C"
);
-- A revocation finds the keys of a chain.
CREATE INDEX api_keys_first_id_idx ON api_keys (first_id);
CREATE INDEX api_keys_newest_idx ON api_keys (organization_id, id DESC);
CREATE INDEX api_keys_registration_id_idx ON api_keys (registration_id);
CREATE UNIQUE INDEX api_keys_digest_key ON api_keys (digest);

CREATE TABLE oauth_clients (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT,
  redirect_uris TEXT[],
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  network TEXT,
  last_used_at BIGINT
);
CREATE INDEX oauth_clients_last_used_at_created_at_idx ON oauth_clients (last_used_at, created_at);

CREATE TABLE oauth_codes (
  digest TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  organization_id TEXT COLLATE "C" NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  audience oauth_audience NOT NULL,
  scopes TEXT[],
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT NOT NULL,
  grant_id TEXT COLLATE "C"
);
CREATE INDEX oauth_codes_expires_at_idx ON oauth_codes (expires_at);

CREATE TABLE oauth_device_codes (
  digest TEXT PRIMARY KEY,
  user_code TEXT NOT NULL,
  client_id TEXT NOT NULL,
  audience oauth_audience NOT NULL,
  scopes TEXT[],
  ip TEXT,
  polled_at BIGINT,
  user_id TEXT COLLATE "C",
  organization_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT NOT NULL
);
CREATE INDEX oauth_device_codes_expires_at_idx ON oauth_device_codes (expires_at);
CREATE UNIQUE INDEX oauth_device_codes_user_code_key ON oauth_device_codes (user_code);

CREATE TABLE oauth_grants (
  id TEXT COLLATE "C" PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE ON UPDATE CASCADE,
  user_id TEXT COLLATE "C" NOT NULL,
  client_id TEXT NOT NULL,
  client_host TEXT NOT NULL,
  audience oauth_audience NOT NULL,
  family_digest TEXT NOT NULL,
  token_digest TEXT NOT NULL
);
CREATE INDEX oauth_grants_user_id_idx ON oauth_grants (user_id);
CREATE UNIQUE INDEX oauth_grants_family_digest_key ON oauth_grants (family_digest);

CREATE TABLE oauth_access_tokens (
  digest TEXT PRIMARY KEY,
  grant_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys ON DELETE CASCADE ON UPDATE CASCADE,
  audience oauth_audience NOT NULL,
  scopes TEXT[],
  expires_at BIGINT NOT NULL
);
CREATE INDEX oauth_access_tokens_expires_at_idx ON oauth_access_tokens (expires_at);
CREATE INDEX oauth_access_tokens_grant_id_idx ON oauth_access_tokens (grant_id);

CREATE TABLE agent_registrations (
  id TEXT COLLATE "C" PRIMARY KEY,
  type TEXT NOT NULL,
  requested_credential_type credential_type NOT NULL,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  claim_token_expires_at BIGINT,
  login_hint TEXT,
  current_attempt_id TEXT COLLATE "C",
  otp_failures_total INTEGER NOT NULL DEFAULT 0,
  claimed_by_user_id TEXT COLLATE "C",
  claimed_at BIGINT,
  revoked_at BIGINT,
  iss TEXT COLLATE "C",
  sub TEXT COLLATE "C",
  aud TEXT,
  client_id TEXT,
  asserted_email TEXT,
  agent_platform TEXT,
  agent_context_id TEXT,
  registration_ip TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now()
);
-- Agents that wait for their claim: for the owner of an address, and in an organization.
CREATE INDEX agent_registrations_asking_idx ON agent_registrations (login_hint, created_at)
  WHERE claimed_at IS NULL AND revoked_at IS NULL AND login_hint IS NOT NULL;
CREATE INDEX agent_registrations_iss_sub_idx ON agent_registrations (iss, sub);
CREATE INDEX agent_registrations_organization_id_idx ON agent_registrations (organization_id);
CREATE INDEX agent_registrations_revoked_idx ON agent_registrations (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX agent_registrations_waiting_idx ON agent_registrations (organization_id, created_at)
  WHERE claimed_at IS NULL AND revoked_at IS NULL AND type <> 'agent-provider';
CREATE UNIQUE INDEX agent_registrations_claim_token_digest_key ON agent_registrations (claim_token_digest);

CREATE TABLE delegations (
  iss TEXT COLLATE "C" NOT NULL,
  sub TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE ON UPDATE CASCADE,
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  revoked_at BIGINT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  PRIMARY KEY (iss, sub)
);

CREATE TABLE used_token_ids (
  iss TEXT COLLATE "C" NOT NULL,
  jti TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (iss, jti)
);
CREATE INDEX used_token_ids_expires_at_idx ON used_token_ids (expires_at);

CREATE TABLE audit_events (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  actor TEXT COLLATE "C" NOT NULL,
  action TEXT NOT NULL,
  registration_id TEXT COLLATE "C",
  data JSONB NOT NULL DEFAULT '{}',
  ip TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now()
);
-- By address, which the deletion of an account removes.
CREATE INDEX audit_events_email_idx ON audit_events ((data ->> 'email')) WHERE (data ->> 'email') IS NOT NULL;
CREATE INDEX audit_events_organization_id_id_idx ON audit_events (organization_id, id DESC);
CREATE INDEX audit_events_registration_id_idx ON audit_events (registration_id);

CREATE TABLE tasks (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  name TEXT NOT NULL,
  description TEXT,
  priority task_priority NOT NULL DEFAULT 'low',
  due_at BIGINT,
  labels TEXT[] NOT NULL DEFAULT '{}',
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1,
  lease_id TEXT,
  lease_holder TEXT,
  lease_expires_at BIGINT,
  fencing_token BIGINT NOT NULL DEFAULT 0,
  note_count INTEGER NOT NULL DEFAULT 0,
  completion_digest TEXT,
  schedule_id TEXT COLLATE "C",
  schedule_time BIGINT,
  waits_for TEXT COLLATE "C",
  CONSTRAINT tasks_whole_lease CHECK (
    num_nonnulls(lease_holder, lease_expires_at) IN (0, 2) AND (lease_holder IS NULL OR lease_id IS NOT NULL)
  )
) WITH (fillfactor = 85);
-- By the last change, of tasks that were changed after their creation: creating one costs nothing more.
CREATE INDEX tasks_changed_idx ON tasks (organization_id, updated_at DESC, id DESC)
  WHERE organization_id IS NOT NULL AND updated_at > created_at;
-- What a claim token claims. Resources that were created with a key have no entry.
CREATE INDEX tasks_claim_token_digest_idx ON tasks (claim_token_digest) WHERE claim_token_digest IS NOT NULL;
-- The order in which tasks are leased: by priority, then due, then age.
CREATE INDEX tasks_lease_order_idx ON tasks (organization_id, priority, due_at, id)
  WHERE organization_id IS NOT NULL;
-- The same without tasks that are done, which accumulate for ever, and without those that wait.
CREATE INDEX tasks_open_lease_order_idx ON tasks (organization_id, priority, due_at, id)
  WHERE organization_id IS NOT NULL AND NOT (labels @> '{done}') AND waits_for IS NULL;
CREATE INDEX tasks_organization_id_id_idx ON tasks (organization_id, id DESC);
-- External IDs may be too long for a B-tree, so it has their hashes.
CREATE INDEX tasks_owned_external_id_idx ON tasks (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;
-- Unclaimed by age. Not by the last write: an index on updated_at would make every update move its row.
CREATE INDEX tasks_unclaimed_idx ON tasks (created_at) WHERE organization_id IS NULL;
-- The open tasks that tasks_open_lease_order_idx leaves out.
CREATE INDEX tasks_waiting_lease_order_idx ON tasks (organization_id, priority, due_at, id)
  WHERE organization_id IS NOT NULL AND NOT (labels @> '{done}') AND waits_for IS NOT NULL;
CREATE INDEX tasks_waits_for_idx ON tasks (waits_for) WHERE waits_for IS NOT NULL;

CREATE TABLE task_labels (
  owner_id TEXT COLLATE "C" NOT NULL,
  label TEXT COLLATE "C" NOT NULL,
  task_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (owner_id, label, task_id)
);

CREATE TABLE task_notes (
  task_id TEXT COLLATE "C" NOT NULL REFERENCES tasks ON DELETE CASCADE ON UPDATE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  author TEXT,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  PRIMARY KEY (task_id, id)
);

CREATE TABLE task_blockers (
  task_id TEXT COLLATE "C" NOT NULL REFERENCES tasks ON DELETE CASCADE ON UPDATE CASCADE,
  blocker_id TEXT COLLATE "C" NOT NULL REFERENCES tasks ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (task_id, blocker_id)
);
CREATE INDEX task_blockers_blocker_id_idx ON task_blockers (blocker_id);

CREATE TABLE artifacts (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  name TEXT NOT NULL,
  format artifact_format NOT NULL DEFAULT 'markdown',
  content TEXT NOT NULL,
  size INTEGER NOT NULL,
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1,
  version_count INTEGER NOT NULL DEFAULT 1,
  content_version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX artifacts_claim_token_digest_idx ON artifacts (claim_token_digest)
  WHERE claim_token_digest IS NOT NULL;
CREATE INDEX artifacts_organization_id_id_idx ON artifacts (organization_id, id DESC);
CREATE INDEX artifacts_owned_external_id_idx ON artifacts (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;
CREATE INDEX artifacts_unclaimed_idx ON artifacts (created_at) WHERE organization_id IS NULL;

CREATE TABLE artifact_versions (
  artifact_id TEXT COLLATE "C" NOT NULL REFERENCES artifacts ON DELETE CASCADE ON UPDATE CASCADE,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  format artifact_format NOT NULL,
  size INTEGER NOT NULL,
  author TEXT COLLATE "C",
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  same_content BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (artifact_id, number)
);

CREATE TABLE artifact_contents (
  artifact_id TEXT COLLATE "C" NOT NULL,
  number INTEGER NOT NULL,
  content TEXT NOT NULL,
  size INTEGER NOT NULL,
  replaced_at BIGINT NOT NULL DEFAULT unix_now(),
  PRIMARY KEY (artifact_id, number),
  FOREIGN KEY (artifact_id, number) REFERENCES artifact_versions ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX artifact_contents_replaced_at_idx ON artifact_contents (replaced_at);

CREATE TABLE artifact_shares (
  id TEXT COLLATE "C" PRIMARY KEY,
  artifact_id TEXT COLLATE "C" REFERENCES artifacts ON DELETE SET NULL ON UPDATE CASCADE,
  organization_id TEXT COLLATE "C",
  by_creator BOOLEAN NOT NULL DEFAULT false,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT,
  revoked BOOLEAN NOT NULL DEFAULT false
);
CREATE INDEX artifact_shares_artifact_id_idx ON artifact_shares (artifact_id);
-- Old links of deleted artifacts, which the index on artifact_id would give all at once.
CREATE INDEX artifact_shares_deleted_idx ON artifact_shares (created_at) WHERE artifact_id IS NULL;
CREATE INDEX artifact_shares_expires_at_idx ON artifact_shares (expires_at);

CREATE TABLE webhook_endpoints (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  network TEXT COLLATE "C",
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  name TEXT NOT NULL,
  description TEXT,
  max_events INTEGER NOT NULL DEFAULT 100,
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1
) WITH (fillfactor = 50);
CREATE INDEX webhook_endpoints_claim_token_digest_idx ON webhook_endpoints (claim_token_digest)
  WHERE claim_token_digest IS NOT NULL;
CREATE INDEX webhook_endpoints_organization_id_id_idx ON webhook_endpoints (organization_id, id DESC);
CREATE INDEX webhook_endpoints_owned_external_id_idx
  ON webhook_endpoints (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;
CREATE INDEX webhook_endpoints_unclaimed_idx ON webhook_endpoints (created_at) WHERE organization_id IS NULL;

CREATE TABLE endpoint_state (
  endpoint_id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C",
  max_events INTEGER NOT NULL,
  event_count INTEGER NOT NULL DEFAULT 0,
  gone_up_to TEXT COLLATE "C" NOT NULL DEFAULT '',
  last_event_micros BIGINT NOT NULL DEFAULT 0,
  bytes_used BIGINT NOT NULL DEFAULT 0,
  flow_version BIGINT NOT NULL DEFAULT 0,
  watched_until BIGINT NOT NULL DEFAULT 0,
  hourly BIGINT[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE TABLE webhook_verifications (
  endpoint_id TEXT COLLATE "C" PRIMARY KEY REFERENCES webhook_endpoints ON DELETE CASCADE ON UPDATE CASCADE,
  scheme signature_scheme NOT NULL,
  secret BYTEA NOT NULL,
  previous_secret BYTEA,
  previous_until BIGINT,
  header TEXT,
  encoding signature_encoding,
  tolerance_seconds INTEGER,
  by_creator BOOLEAN NOT NULL DEFAULT false,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now()
);

CREATE TABLE webhook_forwards (
  endpoint_id TEXT COLLATE "C" PRIMARY KEY REFERENCES webhook_endpoints ON DELETE CASCADE ON UPDATE CASCADE,
  inbox_id TEXT COLLATE "C",
  url TEXT,
  methods TEXT[],
  match TEXT,
  public_only BOOLEAN NOT NULL DEFAULT false,
  obstacle forward_obstacle,
  by_creator BOOLEAN NOT NULL DEFAULT false,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now()
);
CREATE INDEX webhook_forwards_inbox_id_idx ON webhook_forwards (inbox_id);

CREATE TABLE webhook_events (
  endpoint_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  query_string TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BYTEA NOT NULL,
  size_bytes BIGINT NOT NULL,
  source_ip TEXT,
  received_at BIGINT NOT NULL DEFAULT unix_now(),
  verified BOOLEAN,
  verification_reason TEXT,
  forward_status forward_status,
  forward_reason TEXT,
  forward_inbox_id TEXT COLLATE "C",
  forwarded_id TEXT COLLATE "C",
  delivery_id TEXT,
  inbox_end TEXT,
  PRIMARY KEY (endpoint_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE webhook_events ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX webhook_events_held_idx ON webhook_events (endpoint_id, id) WHERE forward_status = 'held';

CREATE TABLE webhook_replays (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  endpoint_id TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE ON UPDATE CASCADE,
  url TEXT NOT NULL,
  retry BOOLEAN NOT NULL DEFAULT false,
  public_only BOOLEAN NOT NULL DEFAULT false,
  method TEXT,
  q TEXT,
  header TEXT,
  since TEXT COLLATE "C",
  up_to TEXT COLLATE "C" NOT NULL,
  position TEXT COLLATE "C" NOT NULL,
  status replay_status NOT NULL DEFAULT 'running',
  total INTEGER NOT NULL,
  searched INTEGER NOT NULL DEFAULT 0,
  made INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  delivered INTEGER,
  failed INTEGER,
  canceled INTEGER,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  ended_at BIGINT
);
CREATE INDEX webhook_replays_endpoint_id_id_idx ON webhook_replays (endpoint_id, id DESC);
CREATE INDEX webhook_replays_organization_id_created_at_idx ON webhook_replays (organization_id, created_at);
-- Those that have not ended.
CREATE INDEX webhook_replays_unended_idx ON webhook_replays (id) WHERE ended_at IS NULL;

CREATE TABLE inboxes (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  name TEXT NOT NULL,
  description TEXT,
  default_ttl_seconds INTEGER NOT NULL,
  max_events INTEGER NOT NULL,
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1
) WITH (fillfactor = 50);
CREATE INDEX inboxes_claim_token_digest_idx ON inboxes (claim_token_digest) WHERE claim_token_digest IS NOT NULL;
CREATE INDEX inboxes_organization_id_id_idx ON inboxes (organization_id, id DESC);
CREATE INDEX inboxes_owned_external_id_idx ON inboxes (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;
CREATE INDEX inboxes_unclaimed_idx ON inboxes (created_at) WHERE organization_id IS NULL;

CREATE TABLE inbox_state (
  inbox_id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C",
  created_without_key BOOLEAN NOT NULL,
  max_events INTEGER NOT NULL,
  default_ttl_seconds INTEGER NOT NULL,
  occupied INTEGER NOT NULL DEFAULT 0,
  ready_from TIMESTAMPTZ(6) NOT NULL DEFAULT '-infinity',
  awaited_until TIMESTAMPTZ(6),
  active_at BIGINT NOT NULL DEFAULT unix_now(),
  bytes_used BIGINT NOT NULL DEFAULT 0,
  is_awaited_by_forwards BOOLEAN NOT NULL DEFAULT false,
  ingested BIGINT NOT NULL DEFAULT 0,
  acknowledged BIGINT NOT NULL DEFAULT 0,
  expired BIGINT NOT NULL DEFAULT 0,
  purged BIGINT NOT NULL DEFAULT 0,
  hourly BIGINT[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE TABLE inbox_events (
  inbox_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  content_type TEXT,
  headers TEXT NOT NULL,
  body BYTEA NOT NULL,
  size_bytes INTEGER NOT NULL,
  query_string TEXT NOT NULL,
  source_ip TEXT,
  dedup_id TEXT,
  dedup_key TEXT,
  delivery_count INTEGER NOT NULL DEFAULT 0,
  consumer TEXT,
  lease_id TEXT,
  last_error TEXT,
  queue_id TEXT COLLATE "C" NOT NULL,
  visible_at TIMESTAMPTZ(6) NOT NULL,
  lapses_at TIMESTAMPTZ(6) NOT NULL,
  received_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT NOT NULL,
  webhook_endpoint_id TEXT COLLATE "C",
  schedule_id TEXT COLLATE "C",
  schedule_time BIGINT,
  PRIMARY KEY (inbox_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
-- The condition always holds. Statements that look for lapsed events repeat it; no other can choose this index, with
-- which the planner scanned a whole inbox to find one event by its ID.
CREATE INDEX inbox_events_inbox_id_lapses_at_idx ON inbox_events (inbox_id, lapses_at)
  WHERE lapses_at > '-infinity';
CREATE INDEX inbox_events_queue_id_visible_at_id_idx ON inbox_events (queue_id, visible_at, id);
-- Most events have no key and no entry.
CREATE UNIQUE INDEX inbox_events_inbox_id_dedup_key_key ON inbox_events (inbox_id, dedup_key)
  WHERE dedup_key IS NOT NULL;

CREATE TABLE inbox_replies (
  inbox_id TEXT COLLATE "C" NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  lease_id TEXT NOT NULL,
  content_type TEXT,
  body BYTEA NOT NULL,
  size_bytes INTEGER NOT NULL,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (inbox_id, event_id)
);
CREATE INDEX inbox_replies_expires_at_idx ON inbox_replies (expires_at);

CREATE TABLE scheduled_messages (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  network TEXT COLLATE "C",
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  url TEXT NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  method message_method NOT NULL,
  headers JSON NOT NULL,
  body BYTEA,
  public_only BOOLEAN NOT NULL DEFAULT false,
  scheduled_at BIGINT NOT NULL,
  status message_status NOT NULL DEFAULT 'scheduled',
  due_at BIGINT,
  lease_token TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  attempts_before INTEGER NOT NULL DEFAULT 0,
  response_status INTEGER,
  last_error TEXT,
  delivered_at BIGINT,
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1,
  traceparent TEXT,
  webhook_endpoint_id TEXT COLLATE "C",
  webhook_event_id TEXT COLLATE "C",
  subscription_id TEXT COLLATE "C",
  schedule_id TEXT COLLATE "C",
  schedule_time BIGINT,
  attempts_max INTEGER,
  verbatim BOOLEAN NOT NULL DEFAULT false,
  replayed_endpoint_id TEXT COLLATE "C",
  replayed_event_id TEXT COLLATE "C",
  webhook_replay_id TEXT COLLATE "C"
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX scheduled_messages_bulk_replays_idx ON scheduled_messages (webhook_replay_id, status)
  WHERE webhook_replay_id IS NOT NULL;
CREATE INDEX scheduled_messages_claim_token_digest_idx ON scheduled_messages (claim_token_digest)
  WHERE claim_token_digest IS NOT NULL;
-- The queue in the order of time: its head is all that a dispatch reads, however much waits behind.
CREATE INDEX scheduled_messages_due_idx ON scheduled_messages (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX scheduled_messages_due_replays_idx ON scheduled_messages (due_at, id)
  WHERE replayed_endpoint_id IS NOT NULL AND due_at IS NOT NULL;
-- Of forwarded events, pushed changes and replays: only those that wait, or that have ended, are in these.
CREATE INDEX scheduled_messages_ended_forwards_idx ON scheduled_messages (updated_at)
  WHERE webhook_endpoint_id IS NOT NULL AND due_at IS NULL;
CREATE INDEX scheduled_messages_ended_pushes_idx ON scheduled_messages (updated_at)
  WHERE subscription_id IS NOT NULL AND due_at IS NULL;
CREATE INDEX scheduled_messages_ended_replays_idx ON scheduled_messages (updated_at)
  WHERE webhook_replay_id IS NOT NULL AND due_at IS NULL;
-- The queues of each sender and host: first attempts, and retries, which wait while the host is down.
CREATE INDEX scheduled_messages_lanes_idx
  ON scheduled_messages (COALESCE(organization_id, network, ''), host, (attempts > attempts_before), due_at, id)
  WHERE due_at IS NOT NULL;
-- Attempted in the last day, for the overview.
CREATE INDEX scheduled_messages_organization_attempted_idx ON scheduled_messages (organization_id, delivered_at)
  WHERE delivered_at IS NOT NULL;
-- Due next, for the overview.
CREATE INDEX scheduled_messages_organization_due_idx ON scheduled_messages (organization_id, due_at, id)
  WHERE due_at IS NOT NULL;
-- Failed for good: few rows, however much is delivered.
CREATE INDEX scheduled_messages_organization_failed_idx ON scheduled_messages (organization_id, delivered_at)
  WHERE status = 'failed' AND due_at IS NULL;
CREATE INDEX scheduled_messages_organization_id_id_idx ON scheduled_messages (organization_id, id DESC);
CREATE INDEX scheduled_messages_owned_external_id_idx
  ON scheduled_messages (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;
-- Failed for good, listed apart from those that will be retried.
CREATE INDEX scheduled_messages_owned_failed_idx
  ON scheduled_messages (organization_id, ((due_at IS NULL)::integer), id DESC)
  WHERE status = 'failed';
CREATE INDEX scheduled_messages_pending_bulk_replays_idx ON scheduled_messages (webhook_replay_id, due_at)
  WHERE webhook_replay_id IS NOT NULL AND due_at IS NOT NULL;
CREATE INDEX scheduled_messages_pending_forwards_idx ON scheduled_messages (webhook_endpoint_id)
  WHERE webhook_endpoint_id IS NOT NULL AND due_at IS NOT NULL;
CREATE INDEX scheduled_messages_pending_pushes_idx ON scheduled_messages (subscription_id)
  WHERE subscription_id IS NOT NULL AND due_at IS NOT NULL;
CREATE INDEX scheduled_messages_replayed_endpoint_idx ON scheduled_messages (replayed_endpoint_id, id DESC)
  WHERE replayed_endpoint_id IS NOT NULL;
CREATE INDEX scheduled_messages_replayed_event_idx ON scheduled_messages (replayed_event_id, id DESC)
  WHERE replayed_event_id IS NOT NULL;
CREATE INDEX scheduled_messages_status_idx ON scheduled_messages (organization_id, status, id DESC);
CREATE INDEX scheduled_messages_unclaimed_idx ON scheduled_messages (created_at) WHERE organization_id IS NULL;

CREATE TABLE message_attempts (
  id TEXT COLLATE "C" PRIMARY KEY,
  message_id TEXT COLLATE "C" NOT NULL REFERENCES scheduled_messages ON DELETE CASCADE ON UPDATE CASCADE,
  attempt INTEGER NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms INTEGER,
  response_status INTEGER,
  response_headers JSON,
  response_body TEXT,
  error TEXT
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX message_attempts_message_id_id_idx ON message_attempts (message_id, id DESC);

CREATE TABLE delivery_hours (
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  hour BIGINT NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (organization_id, hour)
);
CREATE INDEX delivery_hours_hour_idx ON delivery_hours (hour);

CREATE TABLE dispatch_state (
  id INTEGER PRIMARY KEY DEFAULT 1,
  last_dispatch_at BIGINT,
  last_sweep_at BIGINT
);

CREATE TABLE restores (
  id BIGSERIAL PRIMARY KEY,
  taken_at BIGINT NOT NULL,
  restored_at BIGINT NOT NULL DEFAULT unix_now(),
  resumed_at BIGINT,
  lost_after_xid BIGINT NOT NULL,
  lost_until_xid BIGINT NOT NULL
);

CREATE TABLE schedules (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  claim_token_digest TEXT,
  network TEXT COLLATE "C",
  changed_without_token BOOLEAN NOT NULL DEFAULT false,
  name TEXT,
  cron TEXT,
  timezone TEXT,
  every_seconds BIGINT,
  starts_at BIGINT,
  ends_at BIGINT,
  paused BOOLEAN NOT NULL DEFAULT false,
  catch_up catch_up NOT NULL,
  target TEXT NOT NULL,
  public_only BOOLEAN NOT NULL DEFAULT false,
  external_id TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  updated_at BIGINT NOT NULL DEFAULT unix_now(),
  revision INTEGER NOT NULL DEFAULT 1,
  checked_until BIGINT NOT NULL DEFAULT unix_now(),
  due_at BIGINT,
  last_run_at BIGINT,
  run_count INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX schedules_claim_token_digest_idx ON schedules (claim_token_digest)
  WHERE claim_token_digest IS NOT NULL;
CREATE INDEX schedules_due_at_id_idx ON schedules (due_at, id);
CREATE INDEX schedules_organization_id_id_idx ON schedules (organization_id, id DESC);
CREATE INDEX schedules_owned_external_id_idx ON schedules (organization_id, hashtextextended(external_id, 0), id DESC)
  WHERE external_id IS NOT NULL;

CREATE TABLE schedule_runs (
  schedule_id TEXT COLLATE "C" NOT NULL REFERENCES schedules ON DELETE CASCADE ON UPDATE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  scheduled_for BIGINT NOT NULL,
  manual BOOLEAN NOT NULL,
  resource_id TEXT COLLATE "C",
  inbox_id TEXT COLLATE "C",
  reason run_failure,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  PRIMARY KEY (schedule_id, id)
);
-- Each time runs once, whatever dispatchers do; manual runs are not limited.
CREATE UNIQUE INDEX schedule_runs_once_key ON schedule_runs (schedule_id, scheduled_for) WHERE NOT manual;

CREATE TABLE changes (
  organization_id TEXT COLLATE "C" NOT NULL,
  xid BIGINT NOT NULL DEFAULT pg_current_xact_id()::text::bigint + change_xid_offset(),
  id BIGSERIAL NOT NULL,
  kind resource_kind NOT NULL,
  action change_action NOT NULL,
  resource_id TEXT COLLATE "C" NOT NULL,
  actor TEXT,
  created_at BIGINT NOT NULL DEFAULT unix_now(),
  PRIMARY KEY (organization_id, xid, id)
);
CREATE INDEX changes_created_at_idx ON changes (created_at);

CREATE TABLE subscriptions (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" NOT NULL REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  kinds TEXT[],
  actions TEXT[],
  url TEXT,
  inbox_id TEXT COLLATE "C" REFERENCES inboxes ON DELETE CASCADE ON UPDATE CASCADE,
  public_only BOOLEAN NOT NULL DEFAULT false,
  after_xid BIGINT NOT NULL,
  after_id BIGINT NOT NULL,
  obstacle push_obstacle,
  created_at BIGINT NOT NULL DEFAULT unix_now()
);
CREATE INDEX subscriptions_inbox_id_idx ON subscriptions (inbox_id);
CREATE INDEX subscriptions_organization_id_id_idx ON subscriptions (organization_id, id DESC);

CREATE TABLE notice_settings (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  kinds TEXT[],
  due_at BIGINT,
  reported_until BIGINT NOT NULL DEFAULT unix_now(),
  full_inboxes TEXT[] DEFAULT '{}',
  last_sent_at BIGINT,
  FOREIGN KEY (organization_id, user_id) REFERENCES members ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX notice_settings_due_at_idx ON notice_settings (due_at);
CREATE UNIQUE INDEX notice_settings_organization_id_user_id_key ON notice_settings (organization_id, user_id);

CREATE TABLE stored_bytes (
  id TEXT COLLATE "C" PRIMARY KEY,
  organization_id TEXT COLLATE "C" REFERENCES organizations ON DELETE CASCADE ON UPDATE CASCADE,
  bytes BIGINT NOT NULL,
  measure_after BIGINT NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
CREATE INDEX stored_bytes_organization_id_idx ON stored_bytes (organization_id);

CREATE TABLE idempotency_records (
  id TEXT COLLATE "C" PRIMARY KEY,
  body_digest TEXT NOT NULL,
  answer BYTEA NOT NULL,
  owner TEXT,
  owned_until BIGINT,
  created_at BIGINT NOT NULL DEFAULT unix_now()
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX idempotency_records_created_at_idx ON idempotency_records (created_at);

CREATE TABLE usage_counters (
  id TEXT COLLATE "C" PRIMARY KEY,
  uses INTEGER NOT NULL,
  window_started_at BIGINT NOT NULL DEFAULT unix_now()
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

CREATE UNLOGGED TABLE usage_windows (
  id TEXT COLLATE "C" PRIMARY KEY,
  started_at BIGINT NOT NULL,
  uses INTEGER NOT NULL,
  previous_uses INTEGER NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
CREATE INDEX usage_windows_started_at_idx ON usage_windows (started_at);

-- References to tables that are created later.
ALTER TABLE sessions ADD FOREIGN KEY (key_id) REFERENCES api_keys ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE api_keys ADD FOREIGN KEY (registration_id) REFERENCES agent_registrations ON DELETE CASCADE ON UPDATE CASCADE;

-- Never repeats, so that settings that were removed and made again are told apart.
CREATE SEQUENCE webhook_flow_versions;

INSERT INTO dispatch_state (id) VALUES (1);
