import { unclaimedAmong } from "@/lib/identity/organizations/unclaimed";
import { onceASecond } from "@/lib/platform/background/once-a-second";
import { config } from "@/lib/platform/config/config";
import { NEWEST_OWNED, ownedBy } from "@/lib/platform/db/owned";
import { join, query, raw, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";
import { kinds } from "@/lib/resources/kinds";
import { ownershipOf } from "@/lib/resources/owner";

/** How many organizations a process remembers. The oldest are forgotten first. */
const ORGANIZATIONS_MAX = 50_000;

/**
 * How long an organization that was claimed is not looked up again, even if nobody answers for it
 * any more.
 */
const CLAIMED_MS = 10_000;

/** Whether each organization was unclaimed when it was last looked up, by `performance.now()`. */
const known = oncePerProcess(
  "storage.unclaimed",
  () => new Map<string, { isUnclaimed: boolean; at: number }>(),
);

/**
 * Whether the owner is null or, on a public server, the organization of an agent that nobody has claimed.
 * Needs no round trip: an organization is looked up within a second of its first use, and later again with
 * its uses.
 */
export function isUnclaimed(owner: string | null): boolean {
  if (owner === null) return true;
  if (config().localMode) return false;
  const found = known.get(owner);
  const isClaimed = found?.isUnclaimed === false && performance.now() - found.at < CLAIMED_MS;
  if (!isClaimed) lookUp(owner);
  return found?.isUnclaimed ?? false;
}

/** Whether this owner's data counts as public: it is null or, while public data is limited, unclaimed. */
export function countsAsPublic(owner: string | null): boolean {
  return owner === null || (isLimited() && isUnclaimed(owner));
}

/** Whether this organization may turn out to be unclaimed, while public data is limited. */
export function mayBeUnclaimed(owner: string): boolean {
  return isLimited() && !isKnownClaimed(owner);
}

/** Whether this organization was claimed when it was last looked up. */
export function isKnownClaimed(owner: string): boolean {
  return known.get(owner)?.isUnclaimed === false;
}

/** Which of these organizations are unclaimed. A round trip. */
export async function findUnclaimed(owners: string[]): Promise<Set<string>> {
  const ids = [...new Set(owners)];
  return new Set(ids.length === 0 ? [] : await unclaimedAmong(ids));
}

/** Those of these organizations that are unclaimed and own a resource, in the order of their IDs. */
export async function unclaimedOwners(organizations: { id: string }[]): Promise<{ id: string }[]> {
  const unclaimed = await findUnclaimed(organizations.map(({ id }) => id));
  if (unclaimed.size === 0) return [];
  // Not `EXISTS`, for which Postgres might read all rows of a table.
  const owned = kinds.map(
    ({ table }) => sql`(
      SELECT id FROM ${raw(table)} WHERE ${ownedBy(sql`one.id`)} ORDER BY ${NEWEST_OWNED} LIMIT 1)`,
  );
  return query(sql`
    SELECT id FROM unnest(${[...unclaimed]}::text[]) AS one (id)
    WHERE coalesce(${join(owned, ", ")}) IS NOT NULL ORDER BY id COLLATE "C"`);
}

/** Whether the resource with this ID has no owner, if public data is limited. A round trip. */
export async function isPublic(id: string): Promise<boolean> {
  return isLimited() && (await ownershipOf(id))?.organization_id === null;
}

function isLimited(): boolean {
  const { publicPerNetwork, publicInAll } = config().storage;
  return publicPerNetwork > 0 || publicInAll > 0;
}

const lookUp = onceASecond<string>("Unclaimed organizations", async (owners) => {
  const unclaimed = await findUnclaimed(owners);
  const at = performance.now();
  for (const id of owners) {
    setBounded(known, id, { isUnclaimed: unclaimed.has(id), at }, ORGANIZATIONS_MAX);
  }
});
