-- A membership's end, in whatever way, ends everything that works through it.

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
END
$$;

DROP TRIGGER revoke_grants ON members;
DROP FUNCTION revoke_grants_of_member();

CREATE TRIGGER end_membership AFTER DELETE ON members
  FOR EACH ROW EXECUTE FUNCTION end_membership();

-- What earlier ends have left open. Keys and agents of former members stay, since owners could choose to
-- keep them.
DELETE FROM delegations WHERE NOT EXISTS (
  SELECT FROM members WHERE members.organization_id = delegations.organization_id
    AND members.user_id = delegations.user_id);
DELETE FROM invitations WHERE NOT EXISTS (
  SELECT FROM members WHERE members.organization_id = invitations.organization_id
    AND members.user_id = invitations.invited_by_user_id);
