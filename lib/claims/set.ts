import { organizationOf } from "@/lib/accounts/access";
import { audit } from "@/lib/accounts/audit";
import { digestOf } from "@/lib/accounts/key-format";
import type { Caller } from "@/lib/caller";
import { type Db, join, query, sql, transaction } from "@/lib/db/sql";
import { ApiError } from "@/lib/errors";
import { lockClaimSet, UNKNOWN_TOKEN } from "@/lib/resources/claim-set";
import { clientOf, refuseClaimToken } from "@/lib/resources/claim-token";
import type { ClaimSetRow } from "@/lib/resources/kind";
import type { ClaimSet } from "./contract";
import { kindOf, kinds } from "./kinds";

/**
 * What a claim token claims, without claiming it. Wrong tokens are counted by organization, or by
 * the network of `address`. Throws 403 for a token that claims nothing, 400 when everything has an
 * owner, and 429 after too many wrong tokens.
 */
export async function listClaimSet(
  caller: Caller,
  token: string,
  address: string | null = null,
): Promise<ClaimSet> {
  const data = openIn(caller, await createdWith(digestOf(token)));
  if (!data) return refuseClaimToken(clientOf(caller, address), "claim_token", UNKNOWN_TOKEN);
  return { object: "claim_set", dry_run: true, organization_id: null, data };
}

/**
 * Transfers everything that a claim token claims to the caller's organization, all or nothing.
 * Throws as `listClaimSet` does.
 */
export async function claimSet(caller: Caller, token: string): Promise<ClaimSet> {
  if (caller.kind === "anonymous") throw new Error("The caller of a claim has no organization.");
  const { organizationId } = caller;
  const digest = digestOf(token);
  const data = await transaction(async (db) => {
    await lockClaimSet(digest, db);
    const open = openIn(caller, await createdWith(digest, db));
    if (!open) return undefined;
    const taken = new Set<string>();
    for (const kind of kinds) {
      for (const id of await kind.takeAll(caller, digest, db)) taken.add(id);
    }
    const claimed = open.filter(({ id }) => taken.has(id));
    await audit(db, {
      action: "resources.claimed",
      actor: caller.kind === "key" ? caller.keyId : caller.userId,
      organizationId,
      data: { count: claimed.length, first: claimed[0]?.id ?? null },
    });
    return claimed;
  });
  if (!data) return refuseClaimToken(organizationId, "claim_token", UNKNOWN_TOKEN);
  return { object: "claim_set", dry_run: false, organization_id: organizationId, data };
}

/** The resources of an organization that were created with the same claim token as this one. */
export async function listClaimedTogether(
  id: string,
  organizationId: string,
): Promise<ClaimSetRow[]> {
  const found = await kindOf(id).ownership(id);
  if (!found?.claim_token_digest) return [];
  const rows = await createdWith(found.claim_token_digest);
  return rows.filter((row) => row.organization_id === organizationId);
}

/** The resources that callers created with a token, oldest first. */
function createdWith(digest: string, db?: Db): Promise<ClaimSetRow[]> {
  const created = kinds.map((kind) => kind.createdWith(digest));
  return query<ClaimSetRow>(
    sql`SELECT * FROM (${join(created, " UNION ALL ")}) AS created
        ORDER BY split_part(id, '_', 2) COLLATE "C"`,
    db,
  );
}

/** The resources without an owner; undefined if there are none. Throws 400 when all have one. */
function openIn(caller: Caller, rows: ClaimSetRow[]): ClaimSet["data"] | undefined {
  if (rows.length === 0) return undefined;
  const open = rows.filter((row) => row.organization_id === null);
  if (open.length > 0) return open.map(({ organization_id, ...line }) => line);
  const isCallers = rows.every((row) => row.organization_id === organizationOf(caller));
  throw new ApiError(
    "resource_already_claimed",
    isCallers
      ? "Your organization already owns everything that this token claims."
      : "Everything this claim token covers already belongs to an organization.",
    { param: "claim_token" },
  );
}
