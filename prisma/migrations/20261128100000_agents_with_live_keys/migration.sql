-- Agents without a live key can do nothing more, and one that registers every hour leaves too many of them for one
-- statement.

-- The agents of a member with a live key: those that the member claimed or that their identity provider vouches for.
CREATE OR REPLACE FUNCTION agents_of_member(organization text, member text) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
  SELECT id FROM agent_registrations AS agent
  WHERE organization_id = organization AND revoked_at IS NULL
    AND EXISTS (SELECT FROM api_keys AS key
                WHERE key.registration_id = agent.id AND key.revoked_at IS NULL
                  AND (key.expires_at IS NULL OR key.expires_at > unix_now()))
    AND (claimed_by_user_id = member OR EXISTS (
      SELECT FROM delegations
      WHERE delegations.iss = agent.iss AND delegations.sub = agent.sub
        AND delegations.organization_id = organization AND delegations.user_id = member))
$$;

-- The deletion of an organization has ended all its keys before its members: to search for those of each member again
-- took longer than a statement may.
CREATE OR REPLACE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agents text[];
  keys text[];
BEGIN
  DELETE FROM oauth_codes
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  DELETE FROM oauth_device_codes
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  IF NOT EXISTS (SELECT FROM deleted_organizations WHERE id = OLD.organization_id) THEN
    agents := ARRAY(SELECT agents_of_member(OLD.organization_id, OLD.user_id));
    keys := ARRAY(SELECT keys_of_member(OLD.organization_id, OLD.user_id));
    UPDATE agent_registrations SET revoked_at = unix_now()
    WHERE id = ANY (agents) AND revoked_at IS NULL;
    UPDATE api_keys SET revoked_at = unix_now() WHERE id = ANY (keys) AND revoked_at IS NULL;
    DELETE FROM sessions WHERE key_id = ANY (keys);
  END IF;
  DELETE FROM delegations
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  DELETE FROM invitations
  WHERE organization_id = OLD.organization_id AND invited_by_user_id = OLD.user_id;
  RETURN NULL;
END $$;
