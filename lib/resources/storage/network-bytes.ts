import { waitUntil } from "@vercel/functions";
import { networksOf } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import type { Limit } from "@/lib/platform/limits/fixed-window";
import { countUses, readUses } from "@/lib/platform/limits/sliding-window";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";

/** The counters of limits have 32 bits, so they count kilobytes. */
const KILOBYTE = 1000;
/** The fraction of the limit counted in this process before it is shared with all instances. */
const SHARED_FRACTION = 50;
const RECHECK_SECONDS = 60;
/** Networks tracked per process. Beyond it the oldest are dropped. */
const NETWORKS_MAX = 50_000;

interface Count {
  /** Bytes not yet shared. */
  bytes: number;
  isFull: boolean;
  /** When a full network is checked again, by this process's clock. */
  recheckAt: number;
}

const counts = oncePerProcess("http.network-bytes", () => new Map<string, Count>());

/** How much public data one network may store in a day. */
export function networkBytesLimit(factor = 1): Limit {
  return dailyLimit(config().storage.publicPerNetwork * factor);
}

function dailyLimit(bytes: number): Limit {
  return { limit: Math.ceil(bytes / KILOBYTE), windowSeconds: 86_400 };
}

/**
 * Counts public bytes that a client stored or, given the ID of an organization, bytes recorded for it.
 * Shared with other instances in the background.
 */
export function countNetworkBytes(client: string | null, bytes: number): void {
  for (const [network, limit] of metersOf(client)) {
    const count = countOf(network);
    count.bytes += bytes;
    if (count.bytes < (limit.limit * KILOBYTE) / SHARED_FRACTION) continue;
    const uses = Math.ceil(count.bytes / KILOBYTE);
    count.bytes = 0;
    note(count, countUses(idOf(network), limit, { uses }));
  }
}

/** Whether the client's network or, given its ID, an organization has used up what `countNetworkBytes` counts. */
export function isNetworkFull(client: string | null): boolean {
  return metersOf(client).some(([network, limit]) => {
    const count = counts.get(network);
    if (!count?.isFull) return false;
    const now = performance.now() / 1000;
    if (now >= count.recheckAt) {
      count.recheckAt = now + RECHECK_SECONDS;
      note(count, readUses(idOf(network), limit));
    }
    return true;
  });
}

function note(count: Count, counted: Promise<{ remaining: number }>) {
  waitUntil(
    counted
      .then(({ remaining }) => {
        count.isFull = remaining <= 0;
        count.recheckAt = performance.now() / 1000 + RECHECK_SECONDS;
      })
      .catch(() => {}), // the limit of all public data still applies
  );
}

function metersOf(client: string | null): [network: string, limit: Limit][] {
  const { publicPerNetwork, perOrganization } = config().storage;
  if (client?.startsWith("org_")) {
    return perOrganization === 0 ? [] : [[client, dailyLimit(perOrganization)]];
  }
  if (publicPerNetwork === 0) return [];
  return networksOf(client).map(([network, factor]) => [network, networkBytesLimit(factor)]);
}

function idOf(network: string): string {
  return `bytes:${network}`;
}

function countOf(network: string): Count {
  const known = counts.get(network);
  if (known) return known;
  const count = { bytes: 0, isFull: false, recheckAt: 0 };
  setBounded(counts, network, count, NETWORKS_MAX);
  return count;
}
