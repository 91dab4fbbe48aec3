import type * as z from "zod";
import { createOrganization, primaryOrganization } from "@/lib/identity/organizations/members";
import { createUser, findUserByEmail } from "@/lib/identity/people/users";
import type { Row } from "@/lib/platform/db/columns";
import { type Commit, together } from "@/lib/platform/db/commit";
import { newId } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { ID_JAG_TYPE, type ProviderRegistered, type RegisterAssertion } from "./contract";
import { credentialTypeOf, issueCredential } from "./credentials";
import { type Assertion, verifyIdJag } from "./id-jag";
import { countValidRegistration } from "./limits";
import { auditCreated } from "./registrations";
import { assertIssuedSince } from "./revoked-subjects";
import { assertUnused, lockSubject, markTokenUsed } from "./used-tokens";

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
  // Before it is counted: the repeats of one assertion must not stop the provider's other users.
  await assertIssuedSince(prisma, { ...assertion, iss });
  await assertUnused(iss, assertion.jti);
  await countValidRegistration("identified", ip, iss);
  const store = together(async (tx): Promise<ProviderRegistered> => {
    await lockSubject(tx, iss, assertion.sub);
    await assertIssuedSince(tx, { ...assertion, iss });
    const delegation = await findDelegation(tx, assertion);
    await markTokenUsed(tx, iss, assertion.jti, assertion.exp);
    const principal = delegation ?? (await newPrincipal(tx, assertion));
    const id = await insertRegistration(tx, assertion, principal, kind, ip);
    const credential = await issueCredential(tx, {
      organizationId: principal.organizationId,
      registrationId: id,
      kind,
      scopes: assertion.grantedScopes,
    });
    const { organizationId, match } = principal;
    await auditCreated(tx, id, organizationId, "agent-provider", ip, { iss, match });
    return { registration_id: id, registration_type: "agent-provider", ...credential };
  });
  return commit(store);
}

/** The known user of a provider's subject. Their membership cannot end before the transaction `tx` does. */
async function findDelegation(tx: Transaction, { provider, sub }: Assertion) {
  const known = await queryOne<Row<"Delegation", "user_id" | "organization_id">>(
    // (a) The end of the membership deletes the delegation.
    sql`SELECT user_id, organization_id
        FROM delegations JOIN members USING (organization_id, user_id)
        WHERE iss = ${provider.iss} AND sub = ${sub} FOR KEY SHARE OF members`,
    tx,
  );
  if (!known) return undefined;
  const principal: Principal = {
    userId: known.user_id,
    organizationId: known.organization_id,
    match: "delegation",
  };
  return principal;
}

async function newPrincipal(tx: Transaction, assertion: Assertion): Promise<Principal> {
  const { provider, sub } = assertion;
  // With `link_verified_email` the operator trusts the provider with existing accounts.
  const linkedEmail = provider.link_verified_email ? assertion.email : null;
  const principal =
    (await findLinkedPrincipal(tx, linkedEmail)) ??
    (await provisionPrincipal(tx, assertion, linkedEmail));
  const { userId: user_id, organizationId: organization_id } = principal;
  await tx.delegation.create({
    data: { iss: provider.iss, sub, user_id, organization_id },
    select: { iss: true },
  });
  return principal;
}

/** The principal of the user who has verified this address. */
async function findLinkedPrincipal(
  tx: Transaction,
  email: string | null,
): Promise<Principal | undefined> {
  if (email === null) return undefined;
  const userId = await findUserByEmail(tx, email);
  if (userId === undefined) return undefined;
  return { userId, organizationId: await primaryOrganization(tx, userId, email), match: "email" };
}

/**
 * Creates the user with the address `linkedEmail`; if another user has verified it, links that one instead.
 * Without `link_verified_email` the address is only stored on the registration: if it counted as verified, its
 * owner could later sign in to an account that the provider's user controls.
 */
async function provisionPrincipal(
  tx: Transaction,
  assertion: Assertion,
  linkedEmail: string | null,
): Promise<Principal> {
  const userId = await createUser(tx, linkedEmail);
  if (userId === undefined) {
    // Another user has the address: one just created, or one who has not verified it.
    return (await findLinkedPrincipal(tx, linkedEmail)) ?? provisionPrincipal(tx, assertion, null);
  }
  const { provider, email } = assertion;
  const name = email ?? `User of ${provider.name ?? provider.iss}`;
  return { userId, organizationId: await createOrganization(tx, name, userId), match: "jit" };
}

async function insertRegistration(
  tx: Transaction,
  assertion: Assertion,
  { organizationId }: Principal,
  kind: Row<"AgentRegistration">["requested_credential_type"],
  ip: string | null,
): Promise<string> {
  const { id } = await tx.agentRegistration.create({
    data: {
      id: newId("reg"),
      type: "agent-provider",
      requested_credential_type: kind,
      organization_id: organizationId,
      iss: assertion.provider.iss,
      sub: assertion.sub,
      aud: assertion.aud,
      client_id: assertion.clientId,
      asserted_email: assertion.email,
      agent_platform: assertion.agentPlatform,
      agent_context_id: assertion.agentContextId,
      registration_ip: ip,
    },
    select: { id: true },
  });
  return id;
}
