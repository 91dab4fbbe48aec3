-- Postgres refuses other values of these sets, which are text (docs/decisions.md). The tables are small.
ALTER TABLE agent_registrations ADD CONSTRAINT agent_registrations_known_type
  CHECK (type IN ('anonymous', 'service_auth', 'agent-provider'));

ALTER TABLE one_time_codes ADD CONSTRAINT one_time_codes_known_purpose
  CHECK (purpose IN ('claim', 'sign-in'));

ALTER TABLE subscriptions
  ADD CONSTRAINT subscriptions_known_kinds CHECK (cardinality(kinds::resource_kind[]) >= 0),
  ADD CONSTRAINT subscriptions_known_actions CHECK (cardinality(actions::change_action[]) >= 0);

ALTER TABLE notice_settings ADD CONSTRAINT notice_settings_known_kinds
  CHECK (kinds <@ '{messages,inboxes,agents}'::text[]);
