-- A request that waits at an inbox or endpoint learns at once that it was deleted or claimed.
CREATE FUNCTION announce_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('announcements', TG_ARGV[0] || OLD.id);
  RETURN NULL;
END
$$;

CREATE TRIGGER announce_end AFTER DELETE ON inboxes
  FOR EACH ROW WHEN (OLD.awaited_until > now()) EXECUTE FUNCTION announce_end('inbox:');

CREATE TRIGGER announce_claim AFTER UPDATE OF organization_id ON inboxes
  FOR EACH ROW WHEN (OLD.awaited_until > now()
                     AND OLD.organization_id IS DISTINCT FROM NEW.organization_id)
  EXECUTE FUNCTION announce_end('inbox:');

CREATE TRIGGER announce_end AFTER DELETE ON webhook_endpoints
  FOR EACH ROW WHEN (OLD.watched_until > unix_now()) EXECUTE FUNCTION announce_end('webhook-events:');

CREATE TRIGGER announce_claim AFTER UPDATE OF organization_id ON webhook_endpoints
  FOR EACH ROW WHEN (OLD.watched_until > unix_now()
                     AND OLD.organization_id IS DISTINCT FROM NEW.organization_id)
  EXECUTE FUNCTION announce_end('webhook-events:');
