-- Rotations leave ended keys behind. To revoke them too took longer than a statement may, so that the membership of
-- somebody who had rotated often enough could not be ended.

-- The live keys that a member made, those of their agents, and their OAuth grants.
CREATE OR REPLACE FUNCTION keys_of_member(organization text, member text) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
  SELECT id FROM api_keys
  WHERE organization_id = organization AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > unix_now())
    AND (created_by_user_id = member
      OR registration_id IN (SELECT agents_of_member(organization, member))
      OR EXISTS (SELECT FROM oauth_grants
                 WHERE oauth_grants.id = api_keys.id AND oauth_grants.user_id = member))
$$;
