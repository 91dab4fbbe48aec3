import type { AuditEvent } from "@/lib/identity/audit/audit";
import { createKey } from "@/lib/identity/keys/keys";
import { addMember } from "@/lib/identity/organizations/members";
import { findOrCreateUser } from "@/lib/identity/people/users";
import { newId } from "@/lib/platform/db/ids";
import { join, query, sql, transaction } from "@/lib/platform/db/sql";
import { DAY, HOUR, pastId } from "./past";

const MEMBERS = ["kofi@northwind.example", "ines@northwind.example"];
const INVITED = ["sofia@northwind.example"];

const AGENTS = [
  { platform: "Ledger agent", type: "service_auth", state: "claimed", days: 12 },
  { platform: "Belt watcher", type: "agent-provider", state: "claimed", days: 6 },
  { platform: "Photo tagger", type: "anonymous", state: "unclaimed", days: 0.2 },
  { platform: "Trial run", type: "anonymous", state: "expired", days: 9 },
] as const;

/** People, keys, agents in every claim state, and their audit log. Returns the IDs of the keys in use. */
export async function makeAccounts(organizationId: string, ownerId: string): Promise<string[]> {
  const members = await transaction(async (db) => {
    const ids = await Promise.all(MEMBERS.map((email) => findOrCreateUser(db, email)));
    for (const id of ids) await addMember(db, organizationId, id, "member");
    return ids;
  });
  await query(sql`
    UPDATE members SET created_at = unix_now() - one.days * ${DAY}::bigint
    FROM unnest(${[ownerId, ...members]}::text[], ${[61, 29, 12]}::bigint[]) AS one (user_id, days)
    WHERE members.organization_id = ${organizationId} AND members.user_id = one.user_id`);
  await query(sql`INSERT INTO invitations (id, organization_id, email, invited_by_user_id, expires_at)
    SELECT ${newId("inv")}, ${organizationId}, email, ${ownerId}, unix_now() + ${11 * DAY}::bigint
    FROM unnest(${INVITED}::text[]) AS email ON CONFLICT DO NOTHING`);
  const [kofi = ownerId] = members;
  const report = await addKey(organizationId, {
    name: "Nightly report",
    by: ownerId,
    days: 41,
    usedDays: 0.4,
    uses: [214, 219, 208, 221, 64, 71, 216],
  });
  const deploy = await addKey(organizationId, {
    name: "Deploy bot",
    by: ownerId,
    days: 18,
    usedDays: 0.02,
    uses: [38, 12, 96, 51, 0, 4, 63],
  });
  const old = await addKey(organizationId, {
    name: "Laptop of Kofi",
    by: kofi,
    days: 90,
    usedDays: 33,
    uses: [0, 0, 0, 0, 0, 0, 0],
  });
  await query(
    sql`UPDATE api_keys SET revoked_at = unix_now() - ${5 * DAY}::bigint WHERE id = ${old}`,
  );
  const agents: string[] = [];
  for (const agent of AGENTS) agents.push(await addAgent(organizationId, ownerId, agent));
  await log(organizationId, [
    [41, ownerId, "key.created", { name: "Nightly report", key: report }],
    [30, ownerId, "member.invited", { email: "kofi@northwind.example" }],
    [29.6, members[0], "member.joined", { user: members[0] }],
    [18, ownerId, "key.created", { name: "Deploy bot", key: deploy }],
    [12, agents[0], "registration.created", { type: "service_auth" }],
    [11.9, ownerId, "claim.confirmed", {}],
    [6, agents[1], "registration.created", { type: "agent-provider" }],
    [5, members[0], "key.revoked", { name: "Laptop of Kofi", key: old }],
    [4, ownerId, "organization.renamed", { name: "Northwind Robotics" }],
    [3, ownerId, "member.invited", { email: INVITED[0] }],
    [0.2, agents[2], "registration.created", { type: "anonymous" }],
    [0.1, members[1], "session.started", {}],
  ]);
  return [report, deploy];
}

interface SeedKey {
  name: string;
  by: string;
  days: number;
  usedDays: number;
  /** The uses on each of the last days, the oldest first. */
  uses: number[];
}

async function addKey(organizationId: string, { name, by, days, usedDays, uses }: SeedKey) {
  const { id } = await createKey(organizationId, { name, scopes: ["api.read"] });
  await query(sql`UPDATE api_keys SET created_at = unix_now() - ${days * DAY}::bigint,
    created_by_user_id = ${by},
    last_used_at = unix_now() - ${Math.floor(usedDays * DAY)}::bigint,
    uses_by_day = ARRAY(
      SELECT (day << 32) + count FROM unnest(${uses}::bigint[]) WITH ORDINALITY AS one (count, place),
        LATERAL (SELECT unix_now() / 86400 - ${uses.length}::bigint + place AS day) AS dated
      ORDER BY day % 7)
    WHERE id = ${id}`);
  return id;
}

async function addAgent(
  organizationId: string,
  ownerId: string,
  { platform, type, state, days }: (typeof AGENTS)[number],
): Promise<string> {
  const id = newId("reg");
  const ago = Math.floor(days * DAY);
  const isClaimed = state === "claimed";
  const left = state === "unclaimed" ? 20 * HOUR : HOUR - ago;
  await query(sql`
    INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, agent_platform,
      login_hint, claimed_by_user_id, claimed_at, claim_token_expires_at, created_at)
    VALUES (${id}, ${type}, 'api_key', ${organizationId}, ${platform},
      ${type === "service_auth" ? MEMBERS[0] : null}, ${isClaimed ? ownerId : null},
      ${isClaimed ? sql`unix_now() - ${ago - 600}::bigint` : sql`NULL`},
      unix_now() + ${left}::bigint, unix_now() - ${ago}::bigint)`);
  return id;
}

type Logged = [
  days: number,
  actor: string | undefined,
  action: AuditEvent["action"],
  data: Record<string, string | undefined>,
];

async function log(organizationId: string, events: Logged[]) {
  const rows = events.map(([days, actor = "operator", action, data]) => {
    const ago = sql`${Math.floor(days * DAY)}::bigint`;
    return sql`(${pastId(sql`${newId("evt")}`, ago)}, ${organizationId}, ${actor}, ${action},
      ${JSON.stringify(data)}::jsonb, '203.0.113.9', unix_now() - ${ago})`;
  });
  await query(sql`INSERT INTO audit_events (id, organization_id, actor, action, data, ip, created_at)
    VALUES ${join(rows, ", ")}`);
}
