-- Changes a database of the migrations before 0_tables into one of 0_tables and 1_rules. lib/platform/db/adoption.ts
-- creates the types before it, and the indexes, functions and triggers after it, from their files. Tables are rewritten
-- where the type of a column changes.

DO $$
DECLARE
  of_service CONSTANT TEXT[] := string_to_array(translate('
    acknowledge_events, add_in_hour, agents_of_member, announce_credential, capture_and_forward,
    capture_batch, capture_events, capture_webhook_events, delete_inbox_events, end_endpoint_state,
    end_inbox_state, end_membership, expire_events, forward_held_events, id_time, ingest_events,
    keep_endpoint_state, keep_inbox_state, keep_replaced_content, keep_task_labels, keys_of_member,
    lease_events, leave_deleted_organization, lock_waiting_tasks, make_endpoint_state,
    make_inbox_state, open_blocker_of, record_dead_events, record_inbox_end, redrive_events,
    release_events, remove_events, reply_to_event, revoke_in_deleted_organization, slot_of_hour,
    stop_waiting_for_ended, stop_waiting_for_unlinked, wait_for_blocker', E' \n', ''), ',');
  found RECORD;
BEGIN
  FOR found IN
    SELECT tgname AS name, tgrelid::regclass AS parent FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND pronamespace = current_schema()::regnamespace AND proname = ANY (of_service)
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', found.name, found.parent);
  END LOOP;
  FOR found IN
    SELECT oid::regprocedure AS name FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND proname = ANY (of_service)
  LOOP
    EXECUTE format('DROP FUNCTION %s', found.name);
  END LOOP;
  -- Its name is another one where the table was partitioned.
  FOR found IN
    SELECT indexrelid::regclass AS name FROM pg_index
    WHERE indrelid = 'webhook_events'::regclass AND pg_get_expr(indpred, indrelid) LIKE '%forward_status%'
  LOOP
    EXECUTE format('DROP INDEX %s', found.name);
  END LOOP;
END $$;

DROP INDEX scheduled_messages_queue_idx;
DROP INDEX scheduled_messages_organization_failed_idx;
DROP INDEX scheduled_messages_owned_failed_idx;
DROP INDEX tasks_lease_order_idx;
DROP INDEX tasks_open_lease_order_idx;
DROP INDEX tasks_waiting_lease_order_idx;

ALTER TABLE agent_registrations
  DROP agent_user_id,
  ALTER requested_credential_type TYPE credential_type USING requested_credential_type::credential_type;
ALTER TABLE api_keys
  ALTER kind DROP DEFAULT,
  ALTER kind TYPE key_kind USING kind::key_kind,
  ALTER kind SET DEFAULT 'api_key';
ALTER TABLE artifact_versions ALTER format TYPE artifact_format USING format::artifact_format;
ALTER TABLE artifacts
  ALTER format DROP DEFAULT,
  ALTER format TYPE artifact_format USING format::artifact_format,
  ALTER format SET DEFAULT 'markdown';
ALTER TABLE changes
  ALTER kind TYPE resource_kind USING kind::resource_kind,
  ALTER action TYPE change_action USING action::change_action;
ALTER TABLE invitations
  ALTER role DROP DEFAULT,
  ALTER role TYPE member_role USING role::member_role,
  ALTER role SET DEFAULT 'member';
ALTER TABLE members ALTER role TYPE member_role USING role::member_role;
ALTER TABLE notice_settings ALTER full_inboxes SET DEFAULT '{}';
ALTER TABLE oauth_access_tokens ALTER audience TYPE oauth_audience USING audience::oauth_audience;
ALTER TABLE oauth_codes ALTER audience TYPE oauth_audience USING audience::oauth_audience;
ALTER TABLE oauth_device_codes ALTER audience TYPE oauth_audience USING audience::oauth_audience;
ALTER TABLE oauth_grants ALTER audience TYPE oauth_audience USING audience::oauth_audience;
ALTER TABLE schedule_runs ALTER reason TYPE run_failure USING reason::run_failure;
ALTER TABLE scheduled_messages
  ALTER method TYPE message_method USING method::message_method,
  ALTER status DROP DEFAULT,
  ALTER status TYPE message_status USING status::message_status,
  ALTER status SET DEFAULT 'scheduled';
ALTER TABLE schedules ALTER catch_up TYPE catch_up USING catch_up::catch_up;
ALTER TABLE subscriptions ALTER obstacle TYPE push_obstacle USING obstacle::push_obstacle;
ALTER TABLE tasks
  ALTER priority DROP DEFAULT,
  ALTER priority TYPE task_priority USING priority::task_priority,
  ALTER priority SET DEFAULT 'low',
  ALTER labels SET DEFAULT '{}';
ALTER TABLE webhook_events ALTER forward_status TYPE forward_status USING forward_status::forward_status;
ALTER TABLE webhook_forwards ALTER obstacle TYPE forward_obstacle USING obstacle::forward_obstacle;
ALTER TABLE webhook_replays
  ALTER status DROP DEFAULT,
  ALTER status TYPE replay_status USING status::replay_status,
  ALTER status SET DEFAULT 'running';
ALTER TABLE webhook_verifications
  ALTER scheme TYPE signature_scheme USING scheme::signature_scheme,
  ALTER encoding TYPE signature_encoding USING encoding::signature_encoding;

ANALYZE changes, scheduled_messages, tasks, webhook_events;
