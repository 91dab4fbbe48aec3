import type { Role } from "@/lib/identity/organizations/members";
import type { Caller } from "@/lib/platform/caller";
import type { Row } from "@/lib/platform/db/columns";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";

/** A person in one of their organizations. */
export interface Person {
  userId: string;
  organizationId: string;
}

/** Only people manage keys and members: a leaked key must not be able to create more. */
export function requirePerson(caller: Caller): Person {
  if (caller.kind === "user") return caller;
  throw new ApiError(
    "forbidden",
    "Only a person may do this. Sign in with your email address instead of an API key.",
  );
}

/**
 * The caller, whose membership is locked until the transaction `tx` ends. A removal or role change
 * waits, and then covers what was done. Throws 403 unless the caller is still a member.
 */
export async function requireMember(caller: Caller, tx: Transaction): Promise<Person> {
  const person = requirePerson(caller);
  if ((await lockRole(tx, person)) !== undefined) return person;
  throw new ApiError("forbidden", "You are not a member of this organization.");
}

/** Like `requireMember`, but throws 403 unless the caller is an owner. */
export async function requireOwner(caller: Caller, tx: Transaction): Promise<Person> {
  const person = requirePerson(caller);
  if ((await lockRole(tx, person)) === "owner") return person;
  throw new ApiError("forbidden", "Only an owner of the organization can do this.");
}

/**
 * The person whose membership the caller depends on: the caller itself, or who made its key, connected its client
 * or claimed its agent, or for whom a provider registered it. Null for an operator's key.
 */
export async function personBehind(caller: Caller, tx: Transaction): Promise<string | null> {
  if (caller.kind !== "key") return caller.kind === "user" ? caller.userId : null;
  // (d) Reads four tables.
  const found = await queryOne<{ id: string | null }>(
    sql`SELECT coalesce(created_by_user_id, oauth_grants.user_id, claimed_by_user_id,
                        delegations.user_id) AS id
        FROM api_keys
        LEFT JOIN oauth_grants ON oauth_grants.id = api_keys.id
        LEFT JOIN agent_registrations AS agent ON agent.id = registration_id
        LEFT JOIN delegations ON delegations.iss = agent.iss AND delegations.sub = agent.sub
          AND delegations.organization_id = agent.organization_id
        WHERE api_keys.id = ${caller.keyId}`,
    tx,
  );
  return found?.id ?? null;
}

async function lockRole(
  tx: Transaction,
  { userId, organizationId }: Person,
): Promise<Role | undefined> {
  // (a) A concurrent removal or role change waits.
  const member = await queryOne<Row<"Member", "role">>(
    sql`SELECT role FROM members
        WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR SHARE`,
    tx,
  );
  return member?.role;
}
