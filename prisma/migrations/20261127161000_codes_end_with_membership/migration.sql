-- The end of a membership also ends what its person has agreed to and no client has fetched yet: it worked again once
-- the person was invited back.

-- Whatever makes one of these locks the row of `members`, so that the deletion waits for it and this finds it. Only an
-- exchange of a code does not: it locks the code, which is why codes are deleted first. An exchange that had the code
-- before has then committed its grant, and this finds that.
CREATE OR REPLACE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agents text[];
  keys text[];
BEGIN
  DELETE FROM oauth_codes
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  DELETE FROM oauth_device_codes
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  agents := ARRAY(SELECT agents_of_member(OLD.organization_id, OLD.user_id));
  keys := ARRAY(SELECT keys_of_member(OLD.organization_id, OLD.user_id));
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
