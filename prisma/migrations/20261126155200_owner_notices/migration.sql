-- An owner hears by mail of messages that failed for good, until they choose otherwise.
CREATE FUNCTION notify_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO notice_settings (id, organization_id, user_id, kinds, due_at)
  VALUES ('ntc_' || id_time((extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
            || left(replace(gen_random_uuid()::text, '-', ''), 16),
          NEW.organization_id, NEW.user_id, '{messages}', unix_now() + 300)
  ON CONFLICT (organization_id, user_id) DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER notify_owner AFTER INSERT OR UPDATE OF role ON members
  FOR EACH ROW WHEN (NEW.role = 'owner') EXECUTE FUNCTION notify_owner();
