import type * as z from "zod";
import { createOrganization, primaryOrganization } from "@/lib/identity/organizations/members";
import { createUser, findUserByEmail } from "@/lib/identity/people/users";
import { type Commit, together } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { ID_JAG_TYPE, type ProviderRegistered, type RegisterAssertion } from "./contract";
import { credentialTypeOf, issueCredential } from "./credentials";
import { type Assertion, verifyIdJag } from "./id-jag";
import { countValidRegistration } from "./limits";
import { tokenError } from "./provider-token";
import { auditCreated } from "./registrations";
import { lockSubject, markTokenUsed } from "./used-tokens";

interface Principal {
  userId: string;
  organizationId: string;
  /** How the user was found: by an earlier delegation, by a linked address, or just created. */
  match: "delegation" | "email" | "jit";
}

/**
 * Registers an agent for the user named by a provider's assertion and issues its credential, in one
 * transaction that also marks the assertion as used.
 */
export async function registerWithAssertion(
  body: z.output<typeof RegisterAssertion>,
  ip: string | null,
  commit: Commit,
): Promise<ProviderRegistered> {
  if (body.assertion_type !== ID_JAG_TYPE) {
    throw new ApiError("unsupported_type", `"assertion_type" must be "${ID_JAG_TYPE}".`, {
      param: "assertion_type",
    });
  }
  const kind = credentialTypeOf(body.requested_credential_type);
  const assertion = await verifyIdJag(body.assertion);
  const { iss } = assertion.provider;
  await countValidRegistration("identified", ip, iss);
  const store = together(async (db): Promise<ProviderRegistered> => {
    await lockSubject(db, iss, assertion.sub);
    const delegation = await findDelegation(db, assertion);
    await markTokenUsed(db, iss, assertion.jti, assertion.exp);
    const principal = delegation ?? (await newPrincipal(db, assertion));
    const id = await insertRegistration(db, assertion, principal, kind, ip);
    const credential = await issueCredential(db, {
      organizationId: principal.organizationId,
      registrationId: id,
      kind,
      scopes: assertion.grantedScopes,
    });
    const { organizationId, match } = principal;
    await auditCreated(db, id, organizationId, "agent-provider", ip, { iss, match });
    return { registration_id: id, registration_type: "agent-provider", ...credential };
  });
  return commit(store);
}

/**
 * The known user of a provider's subject, whose membership cannot end until the transaction `db` does.
 * Throws 401 for an assertion issued before a revocation.
 */
async function findDelegation(db: Transaction, { provider, sub, iat }: Assertion) {
  const known = await queryOne<{
    user_id: string;
    organization_id: string;
    revoked_at: number | null;
  }>(
    // The end of the membership deletes the delegation.
    sql`SELECT user_id, organization_id, revoked_at
        FROM delegations JOIN members USING (organization_id, user_id)
        WHERE iss = ${provider.iss} AND sub = ${sub} FOR KEY SHARE OF members`,
    db,
  );
  if (!known) return undefined;
  if (known.revoked_at !== null && iat < known.revoked_at) {
    throw tokenError("expired", "The assertion was issued before the user's access was revoked.");
  }
  const principal: Principal = {
    userId: known.user_id,
    organizationId: known.organization_id,
    match: "delegation",
  };
  return principal;
}

async function newPrincipal(db: Transaction, assertion: Assertion): Promise<Principal> {
  const { provider, sub } = assertion;
  const principal =
    (await findLinkedPrincipal(db, assertion)) ?? (await provisionPrincipal(db, assertion));
  await query(
    sql`INSERT INTO delegations (iss, sub, user_id, organization_id)
        VALUES (${provider.iss}, ${sub}, ${principal.userId}, ${principal.organizationId})`,
    db,
  );
  return principal;
}

/** Only for providers that the operator trusts with existing accounts. */
async function findLinkedPrincipal(
  db: Transaction,
  { provider, email }: Assertion,
): Promise<Principal | undefined> {
  if (!provider.link_verified_email || email === null) return undefined;
  const userId = await findUserByEmail(db, email);
  if (userId === undefined) return undefined;
  return { userId, organizationId: await primaryOrganization(db, userId, email), match: "email" };
}

/**
 * Without `link_verified_email` the address is stored on the registration only. If it counted as
 * verified, its owner could later sign in to an account that the provider's user controls.
 */
async function provisionPrincipal(
  db: Transaction,
  { provider, email }: Assertion,
): Promise<Principal> {
  const userId = await createUser(db, provider.link_verified_email ? email : null);
  const name = email ?? `User of ${provider.name ?? provider.iss}`;
  return { userId, organizationId: await createOrganization(db, name, userId), match: "jit" };
}

async function insertRegistration(
  db: Transaction,
  assertion: Assertion,
  { organizationId }: Principal,
  kind: string,
  ip: string | null,
): Promise<string> {
  const id = newId("reg");
  await query(
    sql`INSERT INTO agent_registrations (id, type, requested_credential_type, organization_id, iss,
          sub, aud, client_id, asserted_email, agent_platform, agent_context_id, registration_ip)
        VALUES (${id}, 'agent-provider', ${kind}, ${organizationId}, ${assertion.provider.iss},
                ${assertion.sub}, ${assertion.aud}, ${assertion.clientId}, ${assertion.email},
                ${assertion.agentPlatform}, ${assertion.agentContextId}, ${ip})`,
    db,
  );
  return id;
}
