-- The deletion of an account clears its address from all agents that named it or whose provider did. None has both.
CREATE INDEX CONCURRENTLY IF NOT EXISTS agent_registrations_address_idx
  ON agent_registrations ((coalesce(asserted_email, login_hint)))
  WHERE coalesce(asserted_email, login_hint) IS NOT NULL;
