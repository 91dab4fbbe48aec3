import { maySeeAddresses } from "@/lib/identity/access";
import { FAILURES_MAX, IS_UNCLAIMED } from "@/lib/identity/agents/registrations";
import { IS_LIVE } from "@/lib/identity/keys/live-key";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { contains } from "@/lib/platform/db/like";
import { join, query, type Sql, sql } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { emptyList, type List, type ListQuery } from "@/lib/platform/lists/list";
import { listNewest } from "@/lib/platform/lists/newest";

/** An agent that registered itself or was registered by a provider. */
export type AgentSummary = Row<
  "AgentRegistration",
  "id" | "type" | "agent_platform" | "created_at"
> & {
  /** The login hint or the asserted address; null for callers that may not see addresses. */
  email: string | null;
  /** `asking`: it requested the caller's address and belongs to no organization yet. */
  state: "claimed" | "unclaimed" | "asking" | "expired" | "revoked";
  claim_ends_at: number | null;
};

const AGENTS_MAX = 100;

/** The first agents of a list, and how many others there are. */
export interface AgentList {
  data: AgentSummary[];
  others: number;
}

/**
 * (d) The agents of the caller's organization, those with a live key first, then the newest, after those
 * that request the caller's address. With `words`, only those whose ID, platform or shown address contains
 * them.
 */
export async function listAgents(caller: Caller, words?: string): Promise<AgentList> {
  if (caller.kind === "anonymous") return { data: [], others: 0 };
  const userId = caller.kind === "user" ? caller.userId : "";
  const email = maySeeAddresses(caller)
    ? sql`coalesce(asserted_email, login_hint)`
    : sql`NULL::text`;
  const matching =
    words === undefined ? sql`true` : contains([sql`id`, sql`agent_platform`, email], words);
  const asking = sql`
    SELECT id, type, agent_platform, login_hint AS email, created_at, 'asking' AS state,
           claim_token_expires_at AS claim_ends_at, 0 AS total
    FROM agent_registrations
    WHERE ${IS_UNCLAIMED} AND organization_id IS NULL
      AND login_hint = (SELECT email FROM users
                        WHERE id = ${userId} AND email_verified_at IS NOT NULL)
      AND ${matching}
    ORDER BY created_at DESC LIMIT 20`;
  const rows = await query<AgentSummary & { total: number }>(sql`
    (${asking}) UNION ALL (
    SELECT id, type, agent_platform, ${email} AS email, created_at,
           CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
                WHEN claimed_at IS NOT NULL OR type = 'agent-provider' THEN 'claimed'
                WHEN claim_token_expires_at <= unix_now()
                  OR otp_failures_total >= ${FAILURES_MAX}::int THEN 'expired'
                ELSE 'unclaimed' END AS state,
           claim_token_expires_at AS claim_ends_at, count(*) OVER () AS total
    FROM agent_registrations WHERE organization_id = ${caller.organizationId} AND ${matching}
    ORDER BY id IN (
      SELECT registration_id FROM api_keys
      WHERE organization_id = ${caller.organizationId} AND registration_id IS NOT NULL
        AND ${IS_LIVE}) DESC, id DESC
    LIMIT ${AGENTS_MAX})`);
  const others = Math.max(0, ...rows.map(({ total }) => total - AGENTS_MAX));
  return { data: rows.map(({ total: _, ...agent }) => agent), others };
}

export type AuditEntry = Row<"AuditEvent", "id" | "actor" | "action" | "ip" | "created_at"> & {
  /** A person's email, an agent's platform or a key's name. */
  actor_name: string | null;
  /** The affected user's email. */
  about: string | null;
  data: Record<string, string | number | null>;
};

/** The parts that the audit log can be limited to, by what actions begin with. */
export const AUDIT_PARTS = {
  keys: ["key", "grant"],
  agents: ["registration", "claim"],
  members: ["member", "invitation", "organization", "account"],
  "sign-ins": ["session", "otp"],
  resources: ["resources", "share", "subscription", "webhook", "signing_secret"],
} as const;

export type AuditPart = keyof typeof AUDIT_PARTS;

/** What an entry of the audit log must match. */
export interface AuditSearch {
  /** Words in the actor, the action, the data or the address. `actions` are those whose sentence contains the words. */
  words?: { text: string; actions: string[] } | undefined;
  part?: AuditPart | undefined;
  /** The ID of who did it. */
  actor?: string | undefined;
}

/**
 * The audit log of the caller's organization, newest first. It is full of addresses, so a read-only
 * key may not read it: throws 403. With `search`, only entries that match all of it.
 */
export async function listAudit(
  caller: Caller,
  listQuery: ListQuery,
  search: AuditSearch = {},
): Promise<List<AuditEntry>> {
  if (caller.kind === "anonymous") return emptyList(listQuery);
  if (!maySeeAddresses(caller)) {
    throw new ApiError(
      "insufficient_scope",
      "Reading the audit log needs a key with the scope api.write.",
    );
  }
  return listNewest<AuditEntry, AuditEntry>(
    {
      table: sql`audit_events`,
      organizationId: caller.organizationId,
      columns: sql`id, actor, action, data, ip, created_at, ${ACTOR_NAME} AS actor_name,
        ${ABOUT} AS about`,
      conditions: [],
      search: conditionOf(search),
      serialize: (row) => row,
    },
    listQuery,
  );
}

const ACTOR_NAME = sql`coalesce(
  (SELECT email FROM users WHERE users.id = actor),
  (SELECT agent_platform FROM agent_registrations AS agent WHERE agent.id = actor),
  (SELECT name FROM api_keys WHERE api_keys.id = actor))`;
const ABOUT = sql`(SELECT email FROM users WHERE users.id = data->>'user')`;

function conditionOf({ words, part, actor }: AuditSearch): Sql | undefined {
  const conditions = [
    words && saysWords(words),
    part && sql`split_part(action, '.', 1) = ANY (${[...AUDIT_PARTS[part]]}::text[])`,
    actor !== undefined && sql`actor = ${actor}`,
  ].filter((one) => one !== undefined && one !== false);
  return conditions.length === 0 ? undefined : join(conditions, " AND ");
}

function saysWords({ text, actions }: NonNullable<AuditSearch["words"]>): Sql {
  const values = sql`(SELECT string_agg(value, ' ') FROM jsonb_each_text(data))`;
  const texts = contains([sql`actor`, sql`action`, sql`ip`, values, ACTOR_NAME, ABOUT], text);
  return sql`(action = ANY(${actions}::text[]) OR ${texts})`;
}
