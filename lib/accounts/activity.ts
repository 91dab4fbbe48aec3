import type { Caller } from "@/lib/caller";
import { NEWEST_OWNED, ownedBy } from "@/lib/db/owned";
import { query, queryOne, sql } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import {
  emptyList,
  type List,
  type ListQuery,
  page,
  rowsToRead,
  wantsTotal,
} from "@/lib/http/list";

/** An agent that registered itself or was registered by a provider. */
export interface AgentSummary {
  id: string;
  type: "anonymous" | "service_auth" | "agent-provider";
  agent_platform: string | null;
  /** From the login hint or the provider's assertion. */
  email: string | null;
  created_at: number;
  /** `asking`: it belongs to no organization yet, and gave the caller's address. */
  state: "claimed" | "unclaimed" | "asking" | "expired" | "revoked";
  claim_ends_at: number | null;
}

/** The agents of the caller's organization, newest first, after those that ask for the caller. */
export async function listAgents(caller: Caller): Promise<AgentSummary[]> {
  if (caller.kind === "anonymous") return [];
  const userId = caller.kind === "user" ? caller.userId : "";
  const asking = sql`
    SELECT id, type, agent_platform, login_hint AS email, created_at, 'asking' AS state,
           claim_token_expires_at AS claim_ends_at
    FROM agent_registrations
    WHERE claimed_at IS NULL AND revoked_at IS NULL AND organization_id IS NULL
      AND claim_token_expires_at > unix_now()
      AND login_hint = (SELECT email FROM users
                        WHERE id = ${userId} AND email_verified_at IS NOT NULL)
    ORDER BY created_at DESC LIMIT 20`;
  return query<AgentSummary>(sql`
    (${asking}) UNION ALL (
    SELECT id, type, agent_platform, coalesce(asserted_email, login_hint) AS email, created_at,
           CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                WHEN claimed_at IS NOT NULL OR type = 'agent-provider' THEN 'claimed'
                WHEN claim_token_expires_at <= unix_now() THEN 'expired'
                ELSE 'unclaimed' END AS state,
           claim_token_expires_at AS claim_ends_at
    FROM agent_registrations WHERE organization_id = ${caller.organizationId}
    ORDER BY id DESC LIMIT 100)`);
}

export interface AuditEntry {
  id: string;
  actor: string;
  /** A person's email, an agent's platform or a key's name. */
  actor_name: string | null;
  /** Email of the affected user. */
  about: string | null;
  action: string;
  data: Record<string, string | number | null>;
  ip: string | null;
  created_at: number;
}

/** The log contains email and IP addresses, so a read-only key may not read it. */
export function mayReadAudit(caller: Caller): boolean {
  return caller.kind === "user" || (caller.kind === "key" && caller.scopes.includes("api.write"));
}

/** The audit log of the caller's organization, newest first. Throws 403. */
export async function listAudit(caller: Caller, listQuery: ListQuery): Promise<List<AuditEntry>> {
  if (caller.kind === "anonymous") return emptyList(listQuery);
  if (!mayReadAudit(caller)) {
    throw new ApiError(
      "insufficient_scope",
      "Reading the audit log needs a key with the scope api.write.",
    );
  }
  const own = ownedBy(caller.organizationId);
  const position = listQuery.after === undefined ? sql`` : sql`AND id < ${listQuery.after}`;
  const rows = await query<AuditEntry>(sql`
    SELECT event.id, event.actor, event.action, event.data, event.ip, event.created_at,
           coalesce(person.email, agent.agent_platform, api_keys.name) AS actor_name,
           other.email AS about
    FROM (SELECT * FROM audit_events WHERE ${own} ${position}
          ORDER BY ${NEWEST_OWNED} LIMIT ${rowsToRead(listQuery)}) AS event
    LEFT JOIN users AS person ON person.id = event.actor
    LEFT JOIN agent_registrations AS agent ON agent.id = event.actor
    LEFT JOIN api_keys ON api_keys.id = event.actor
    LEFT JOIN users AS other ON other.id = event.data->>'user'
    ORDER BY event.id DESC`);
  const total = wantsTotal(listQuery)
    ? await queryOne<{ count: number }>(sql`SELECT count(*) FROM audit_events WHERE ${own}`)
    : undefined;
  return page(rows, listQuery, total?.count);
}
