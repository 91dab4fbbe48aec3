import { onceASecond } from "@/lib/platform/background/once-a-second";
import { config } from "@/lib/platform/config/config";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { type ApiError, rateLimited } from "@/lib/platform/errors";
import { oncePerProcess } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { countNetworkBytes, isNetworkFull } from "./network-bytes";
import { countsAsPublic, findUnclaimed, mayBeUnclaimed } from "./public-owners";
import { sumStoredBytes } from "./stored-bytes-sum";

/** The ID of public data in `stored_bytes`. */
const PUBLIC = "public";
const MEASURE_PAUSE_SECONDS = 60;
/** Longer than a measurement takes. If its process dies, the count may stay too high for that long. */
const MEASURE_SECONDS_MAX = 3600;
/** Measuring may take a fiftieth of the time. */
const MEASURE_PAUSE_FACTOR = 50;
const RETRY_SECONDS = 60;

/** The IDs over their limit, according to the last read. */
const full = oncePerProcess<Set<string>>("storage.full", () => new Set());

/**
 * Counts bytes stored for an organization or, for null, as public data by a client with this
 * address, if known. Needs no round trip: each process adds up for a second, so the limits may be
 * exceeded by that much.
 */
export function countStored(owner: string | null, address: string | null, bytes: number): void {
  countStoredByNetwork(owner, address, bytes);
  if (limitOf(owner) > 0 || (owner !== null && mayBeUnclaimed(owner))) add({ owner, bytes });
}

/**
 * Counts bytes against the client's network alone, if they count as public data at all, and neither
 * for the owner nor for all public data.
 */
export function countStoredByNetwork(owner: string | null, address: string | null, bytes: number) {
  if (address !== null && countsAsPublic(owner)) countNetworkBytes(address, bytes);
}

/**
 * Throws 429 `rate_limited` when the owner's storage is used up or, for what counts as public data,
 * that of the client's network or of all public data.
 */
export function assertStorage(owner: string | null, address: string | null): void {
  if (countsAsPublic(owner)) {
    assertNetworkStorage(address);
    if (isFull(null)) throw refusal("The storage for public data is used up.");
  }
  if (owner === null || !isFull(owner)) return;
  throw refusal("The organization's storage is used up. Delete what is no longer needed.");
}

/** Throws 429 when the client's network has used up its storage for public data. */
export function assertNetworkStorage(address: string | null): void {
  if (!isNetworkFull(address)) return;
  throw refusal("This network has stored as much public data as it may in a day.");
}

/** Throws 429 when the organization has used up what may be recorded for it. */
export function assertRecordStorage(owner: string | null): void {
  if (!isNetworkFull(owner)) return;
  throw rateLimited(
    "The organization has had too many long responses to requests with an Idempotency-Key recorded today. Send the request without this header, or try again tomorrow.",
    RETRY_SECONDS,
  );
}

/** Whether `assertStorage` would throw. */
export function isStorageFull(owner: string | null, address: string | null): boolean {
  return (countsAsPublic(owner) && (isNetworkFull(address) || isFull(null))) || isFull(owner);
}

/** Marks an organization to be measured soon, since it has received resources that were not counted for it. */
export async function measureSoon(organizationId: string, db: Transaction): Promise<void> {
  await query(
    sql`UPDATE stored_bytes SET measure_after = -measure_after
        WHERE id = ${organizationId} AND measure_after > 0`,
    db,
  );
}

function isFull(owner: string | null): boolean {
  const id = owner ?? PUBLIC;
  const isOver = full.has(id);
  if (isOver) add({ owner, bytes: 0 }); // schedules another read
  return isOver;
}

/**
 * `assertStorage` for an arrival, whose owner is looked up only if it may matter. An arrival for an
 * unknown ID is treated like one for a public resource.
 */
export async function assertStorageOfArrival(
  address: string | null,
  findOwner: () => Promise<{ organization_id: string | null } | undefined>,
): Promise<void> {
  if (full.size === 0 && !isNetworkFull(address)) return;
  assertStorage((await findOwner())?.organization_id ?? null, address);
}

function refusal(what: string): ApiError {
  return rateLimited(`${what} Try again later.`, RETRY_SECONDS);
}

function limitOf(owner: string | null): number {
  const { publicInAll, perOrganization } = config().storage;
  return owner === null ? publicInAll : perOrganization;
}

/**
 * Adds bytes to the stored counts, and updates `full`. If it fails, the next measurement finds the
 * bytes.
 */
const add = onceASecond<{ owner: string | null; bytes: number }>("Stored bytes", async (added) => {
  const sums = new Map<string | null, number>();
  for (const { owner, bytes } of added) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
  const owners = [...sums.keys()].filter((owner) => owner !== null);
  // Data of an unclaimed organization also counts as public.
  for (const owner of await findUnclaimed(owners.filter(mayBeUnclaimed))) {
    sums.set(null, (sums.get(null) ?? 0) + (sums.get(owner) ?? 0));
  }
  const limited = [...sums].filter(([owner]) => limitOf(owner) > 0);
  const written = await write(new Map(limited.map(([owner, bytes]) => [owner ?? PUBLIC, bytes])));
  for (const stored of written) await updateFull(stored);
  await forgetDeleted();
});

interface StoredBytes {
  id: string;
  bytes: number;
  is_measured: boolean;
}

function write(added: Map<string, number>): Promise<StoredBytes[]> {
  return query<StoredBytes>(sql`
    INSERT INTO stored_bytes AS known (id, organization_id, bytes)
    SELECT id, nullif(id, ${PUBLIC}), bytes
    FROM unnest(${[...added.keys()]}::text[], ${[...added.values()]}::bigint[]) AS added (id, bytes)
    WHERE id = ${PUBLIC} OR EXISTS (SELECT FROM organizations WHERE organizations.id = added.id)
    ORDER BY id
    ON CONFLICT (id) DO UPDATE SET bytes = known.bytes + excluded.bytes
    RETURNING id, bytes, measure_after > 0 AS is_measured`);
}

async function updateFull({ id, bytes, is_measured }: StoredBytes): Promise<void> {
  const owner = id === PUBLIC ? null : id;
  const isOver = (stored: number) => stored >= limitOf(owner);
  // Removals are not counted, so the count may be higher than what is stored.
  const stored = isOver(bytes) || !is_measured ? await measure(id, owner) : bytes;
  if (isOver(stored ?? bytes)) full.add(id);
  else full.delete(id);
}

/** Drops deleted owners from `full`: while it has any ID, each arrival must look its owner up. */
async function forgetDeleted(): Promise<void> {
  if (full.size === 0) return;
  const gone = await query<{ id: string }>(sql`
    SELECT id FROM unnest(${[...full]}::text[]) AS known (id)
    WHERE NOT EXISTS (SELECT FROM stored_bytes WHERE stored_bytes.id = known.id)`);
  for (const { id } of gone) full.delete(id);
}

/**
 * Measures what is stored, and returns the corrected count. Undefined if it was measured recently
 * or is being measured: of two measurements at a time, each would subtract what had been counted
 * before.
 */
async function measure(id: string, owner: string | null): Promise<number | undefined> {
  const begun = await queryOne<{ bytes: number; measure_after: number }>(sql`
    UPDATE stored_bytes SET measure_after = unix_now() + ${MEASURE_SECONDS_MAX}::bigint
    WHERE id = ${id} AND abs(measure_after) <= unix_now() RETURNING bytes, measure_after`);
  if (!begun) return undefined;
  const start = performance.now();
  const sum = await sumStoredBytes(owner).catch((error) => {
    logError("Stored bytes could not be measured:", error);
    return begun.bytes; // the next measurement comes after the pause
  });
  const pauseSeconds = Math.max(
    Math.ceil(((performance.now() - start) / 1000) * MEASURE_PAUSE_FACTOR),
    MEASURE_PAUSE_SECONDS,
  );
  // Bytes stored during the measurement may count twice; an overestimate is safe.
  const measured = await queryOne<{ bytes: number }>(sql`
    UPDATE stored_bytes SET bytes = bytes - ${begun.bytes}::bigint + ${sum}::bigint,
      measure_after = CASE WHEN measure_after < 0 THEN -1 ELSE 1 END
        * (unix_now() + ${pauseSeconds}::bigint)
    WHERE id = ${id} AND abs(measure_after) = ${begun.measure_after}::bigint RETURNING bytes`);
  return measured?.bytes;
}
