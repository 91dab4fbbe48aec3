import { organizationOf } from "@/lib/identity/access";
import { audit } from "@/lib/identity/audit/audit";
import { digestOf } from "@/lib/identity/keys/key-format";
import type { Caller } from "@/lib/platform/caller";
import { type Commit, together, UNRECORDED } from "@/lib/platform/db/commit";
import { isDeadlock } from "@/lib/platform/db/failures";
import { lockName } from "@/lib/platform/db/name-lock";
import { join, query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { actorOf } from "@/lib/resources/change";
import { refuseUnknownToken } from "@/lib/resources/claim-set";
import { clientOf } from "@/lib/resources/claim-token";
import type { ClaimSetRow } from "@/lib/resources/claimable";
import { ownershipOf } from "@/lib/resources/owner";
import { lockClaimed } from "@/lib/resources/questions/service";
import { resources } from "@/lib/resources/registry";
import { turnsOfChanges } from "@/lib/resources/remove-in-turns";
import { shownIdOf } from "@/lib/resources/shown-id";
import { measureSoon } from "@/lib/resources/storage/stored-bytes";
import { lockBlockersOfClaimed } from "@/lib/resources/tasks/blockers";
import { CLAIMED_LISTED_MAX, type Claimed, type ClaimSet, type ClaimSetSetting } from "./contract";

/**
 * Lists what a claim token claims, without claiming it. Wrong tokens count against the
 * organization, or against the network of `address`. Throws 403 for a token that claims nothing,
 * 400 if everything has an owner, and 429 after too many wrong tokens.
 */
export async function listClaimSet(
  caller: Caller,
  token: string,
  address: string | null = null,
): Promise<ClaimSet> {
  const inTurn = turnsOfChanges(caller);
  const rows = await inTurn(() => withToken(digestOf(token)));
  const open = rows.filter((row) => row.organization_id === null);
  if (open.length === 0) return refuseSet(caller, token, rows, address);
  const ids = open.map(({ id }) => id);
  const claimed = listed(open, await inTurn(() => settingsOf(ids)));
  return { object: "claim_set", dry_run: true, organization_id: null, ...claimed };
}

/**
 * Transfers everything that a claim token claims to the caller's organization, all or nothing.
 * Throws like `listClaimSet`.
 */
export async function claimSet(caller: Caller, token: string, commit: Commit): Promise<ClaimSet> {
  const digest = digestOf(token);
  const organization_id = organizationOf(caller);
  const take = together(async (db) => {
    const taken = await takeSet(caller, digest, undefined, db);
    if (!taken) return UNRECORDED;
    return { object: "claim_set" as const, dry_run: false, organization_id, ...taken };
  });
  const claimed = await commitClaim(caller, commit, take);
  if (claimed !== UNRECORDED) return claimed;
  return refuseSet(caller, token, await withToken(digest), null);
}

/**
 * Commits a claim, once more if a deadlock ends it: a task that is completed is locked before those that wait for it,
 * whatever their IDs. Claims take turns: one that waits for the lock of another holds a connection.
 */
export function commitClaim<Result>(
  caller: Caller,
  commit: Commit,
  take: (db?: Transaction) => Promise<Result>,
): Promise<Result> {
  const claim = () => turnsOfChanges(caller)(() => commit(take));
  return claim().catch((error) => {
    if (isDeadlock(error)) return claim();
    throw error;
  });
}

/**
 * Transfers the resources of a claim token that have no owner, or only one of them with what the
 * service made for it, and ends settings that anyone but the creators made. Undefined if there are
 * none.
 */
export async function takeSet(
  caller: Caller,
  digest: string,
  only: string | undefined,
  db: Transaction,
): Promise<Claimed | undefined> {
  const actor = actorOf(caller);
  const organizationId = organizationOf(caller);
  if (actor === null || organizationId === null) throw new Error("A claim needs an organization.");
  // A claim takes all that joined before it.
  await lockName(db, "claim", digest);
  await lockBlockersOfClaimed(digest, db);
  await lockClaimed(digest, db);
  const taken: ClaimSetRow[] = [];
  for (const { take } of resources) taken.push(...(await take(caller, digest, only, db)));
  if (taken.length === 0) return undefined;
  const settings = await settingsOf(
    taken.map(({ id }) => id),
    db,
  );
  for (const { kind, close } of resources) {
    const ids = taken.filter((row) => row.kind === kind.name).map(({ id }) => id);
    if (ids.length > 0) await close?.(ids, db);
  }
  const claimed = listed(taken, settings);
  await measureSoon(organizationId, db);
  await audit(db, {
    action: "resources.claimed",
    actor,
    organizationId,
    data: { count: taken.length, first: claimed.data[0]?.id ?? null },
  });
  return claimed;
}

/** The resources of an organization that were created with the same claim token as this one. */
export async function listClaimedTogether(
  id: string,
  organizationId: string,
): Promise<ClaimSet["data"]> {
  const found = await ownershipOf(id);
  if (!found?.claim_token_digest) return [];
  const rows = await withToken(found.claim_token_digest);
  return listed(
    rows.filter((row) => row.organization_id === organizationId && row.made_by === null),
    [],
  ).data;
}

/**
 * The resources with a claim token, those without an owner first: at most one more than a claim
 * lists.
 */
function withToken(digest: string): Promise<ClaimSetRow[]> {
  const all = resources.map(({ withToken }) => withToken(digest));
  return query<ClaimSetRow>(
    sql`SELECT * FROM (${join(all, " UNION ALL ")}) AS resource
        ORDER BY organization_id IS NOT NULL, made_by IS NOT NULL,
                 split_part(id, '_', 2) COLLATE "C"
        LIMIT ${CLAIMED_LISTED_MAX + 1}`,
  );
}

/**
 * The settings of the claimed resources. Share links come last, and what survives the claim comes first: only share
 * links can exceed the limit of the list, so a stranger's links hide nothing else.
 */
async function settingsOf(ids: string[], db?: Transaction): Promise<ClaimSetSetting[]> {
  const all = resources.flatMap(({ settings }) => settings?.(ids) ?? []);
  return query<ClaimSetSetting>(
    sql`SELECT * FROM (${join(all, " UNION ALL ")}) AS setting
        ORDER BY setting = 'share', NOT survives_claim, resource_id COLLATE "C", setting,
                 value COLLATE "C"
        LIMIT ${CLAIMED_LISTED_MAX + 1}`,
    db,
  );
}

/** The rows in their published form, in order and cut off. */
function listed(rows: ClaimSetRow[], settings: ClaimSetSetting[]): Claimed {
  const makers = new Map(
    rows.flatMap(({ id }) => [
      [id, id],
      [shownIdOf({ id, created_without_key: true }), id],
    ]),
  );
  const data = rows
    .map(({ id, kind, name, created_at, made_by, changed_since_created, stops }) => ({
      ...{ id, kind, name, created_at },
      made_by: made_by === null ? null : (makers.get(made_by) ?? null),
      ...{ changed_since_created, stops },
    }))
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  return {
    data: data.slice(0, CLAIMED_LISTED_MAX),
    has_more: data.length > CLAIMED_LISTED_MAX || settings.length > CLAIMED_LISTED_MAX,
    settings: settings.slice(0, CLAIMED_LISTED_MAX),
  };
}

/**
 * Resources created by a caller precede those made for them, then the older first: IDs start with
 * the time.
 */
function orderOf({ id, made_by }: ClaimSet["data"][number]): string {
  return `${made_by === null ? 0 : 1}${id.slice(id.indexOf("_"))}`;
}

/** Throws 403, counted, for a token without resources, and 400 if all of them have an owner. */
async function refuseSet(
  caller: Caller,
  token: string,
  rows: ClaimSetRow[],
  address: string | null,
): Promise<never> {
  if (rows.length === 0) {
    return refuseUnknownToken(token, clientOf(caller, address), "claim_token");
  }
  const isCallers = rows.every((row) => row.organization_id === organizationOf(caller));
  throw new ApiError(
    "resource_already_claimed",
    isCallers
      ? "Your organization already owns everything that this token claims."
      : "Everything this claim token covers already belongs to an organization.",
    { param: "claim_token" },
  );
}
