-- A request that waits for news learns at once that its credential has ended, however it was ended.
CREATE FUNCTION announce_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('announcements', 'credential:' || (to_jsonb(OLD) ->> TG_ARGV[0]));
  RETURN NULL;
END
$$;

CREATE TRIGGER announce_change AFTER UPDATE OF revoked_at, expires_at ON api_keys
  FOR EACH ROW WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at
                     OR OLD.expires_at IS DISTINCT FROM NEW.expires_at)
  EXECUTE FUNCTION announce_credential('id');

CREATE TRIGGER announce_end AFTER DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_credential('id');

CREATE TRIGGER announce_end AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION announce_credential('id');

CREATE TRIGGER announce_end AFTER DELETE ON members
  FOR EACH ROW EXECUTE FUNCTION announce_credential('user_id');
