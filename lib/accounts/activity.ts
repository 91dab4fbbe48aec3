import { query, sql } from "@/lib/db/sql";
import type { Caller } from "./caller";

/** An agent that registered itself, or was registered by a provider. */
export interface AgentShown {
  id: string;
  type: "anonymous" | "service_auth" | "agent-provider";
  agent_platform: string | null;
  /** The address that was named for it, or that a provider asserted. */
  email: string | null;
  created_at: number;
  state: "claimed" | "unclaimed" | "expired" | "revoked";
  claim_ends_at: number | null;
}

/** Agents that hold keys of the caller's organization, newest first. */
export async function listAgents(caller: Caller): Promise<AgentShown[]> {
  if (caller.kind === "anonymous") return [];
  return query<AgentShown>(sql`
    SELECT id, type, agent_platform, coalesce(asserted_email, login_hint) AS email, created_at,
           CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                WHEN claimed_at IS NOT NULL OR type = 'agent-provider' THEN 'claimed'
                WHEN claim_token_expires_at <= unix_now() THEN 'expired'
                ELSE 'unclaimed' END AS state,
           claim_token_expires_at AS claim_ends_at
    FROM agent_registrations WHERE organization_id = ${caller.organizationId}
    ORDER BY id DESC LIMIT 100`);
}

export interface AuditShown {
  id: string;
  actor: string;
  /** The actor's address, where it is a person. */
  email: string | null;
  action: string;
  data: Record<string, string | number | null>;
  ip: string | null;
  created_at: number;
}

/** What was done to the caller's organization, its keys and agents, newest first. */
export async function listAudit(caller: Caller): Promise<AuditShown[]> {
  if (caller.kind === "anonymous") return [];
  return query<AuditShown>(sql`
    SELECT audit_events.id, actor, email, action, data, ip, audit_events.created_at
    FROM audit_events LEFT JOIN users ON users.id = actor
    WHERE organization_id = ${caller.organizationId} ORDER BY audit_events.id DESC LIMIT 50`);
}
