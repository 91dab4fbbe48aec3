import { queryOne, sql } from "@/lib/platform/db/sql";
import { increment } from "@/lib/platform/increment";
import { oncePerProcess } from "@/lib/platform/process";
import { publishLocally } from "@/lib/platform/wakeups/pubsub";
import { HORIZON } from "./read";

/** The time within which a change reaches those who wait for it. */
const POLL_MS = 250;

const polling = oncePerProcess("changes.polling", () => ({
  subscribers: new Map<string, number>(),
  /** Organizations subscribed since the last statement began. */
  added: new Set<string>(),
  /** Changes of earlier transactions have been published; undefined before the first poll. */
  since: undefined as number | undefined,
  isPolling: false,
}));

/** The topic for changes of an organization, published in this process only. */
export function changesTopic(organizationId: string): string {
  return `changes:${organizationId}`;
}

/**
 * Publishes the organization's changes until the returned function is called. One statement polls
 * for the changes of all subscribed organizations, so that writes need not publish them.
 */
export function subscribe(organizationId: string): () => void {
  increment(polling.subscribers, organizationId, 1);
  polling.added.add(organizationId);
  if (!polling.isPolling) {
    polling.isPolling = true;
    polling.since = undefined;
    setTimeout(poll, POLL_MS).unref();
  }
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    increment(polling.subscribers, organizationId, -1);
  };
}

async function poll() {
  if (polling.subscribers.size === 0) {
    polling.isPolling = false;
    return;
  }
  await pollOnce().catch(() => {}); // the database is down: the next round polls again from `since`
  setTimeout(poll, POLL_MS).unref();
}

async function pollOnce() {
  const { since } = polling;
  const subscribed = [...polling.subscribers.keys()];
  polling.added.clear();
  const found = await queryOne<{ horizon: number; changed: string[] | null }>(sql`
    SELECT ${HORIZON} AS horizon, (
      SELECT array_agg(owner.id) FROM unnest(${subscribed}::text[]) AS owner (id)
      WHERE EXISTS (
        SELECT FROM changes
        WHERE organization_id = owner.id AND xid >= ${since ?? 0}::bigint AND xid < ${HORIZON})
    ) AS changed`);
  if (!found) return;
  polling.since = found.horizon;
  // Organizations subscribed during the statement, whose reads may have preceded it.
  const candidates = since === undefined ? subscribed : [...polling.added];
  for (const id of new Set([...(found.changed ?? []), ...candidates]))
    publishLocally(changesTopic(id));
}
