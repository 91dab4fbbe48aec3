-- Agents that wait for their claim, in an organization or for the owner of an address.

CREATE INDEX CONCURRENTLY IF NOT EXISTS "agent_registrations_waiting_idx"
  ON "agent_registrations" ("organization_id", "created_at")
  WHERE "claimed_at" IS NULL AND "revoked_at" IS NULL AND "type" <> 'agent-provider';
CREATE INDEX CONCURRENTLY IF NOT EXISTS "agent_registrations_asking_idx"
  ON "agent_registrations" ("login_hint", "created_at")
  WHERE "claimed_at" IS NULL AND "revoked_at" IS NULL AND "login_hint" IS NOT NULL;
