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
