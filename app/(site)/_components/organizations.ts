import type { Account } from "@/lib/identity/sessions/visitor";

/** The organizations that an account may claim for. */
export function organizationsOf(account: Account): { id: string; name: string }[] {
  if (account.memberships.length === 0) return [account.organization];
  return account.memberships.map(({ organizationId, name }) => ({ id: organizationId, name }));
}
