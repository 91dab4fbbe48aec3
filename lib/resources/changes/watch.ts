import { queryOne, sql } from "@/lib/platform/db/sql";
import { oncePerProcess } from "@/lib/platform/process";
import { publishLocally } from "@/lib/platform/wakeups/pubsub";
import { HORIZON } from "./read";

/** The time within which a change reaches those who wait for it. */
const POLL_MS = 250;

/** The topic for changes of an organization, published in this process only. */
export function topicOf(organizationId: string): string {
  return `changes:${organizationId}`;
}

/**
 * Publishes the organization's changes until the returned function is called. One statement polls
 * for the changes of all subscribed organizations, so that writes need not publish them.
 */
export function watchChanges(organizationId: string): () => void {
  const state = watched();
  state.watchers.set(organizationId, (state.watchers.get(organizationId) ?? 0) + 1);
  state.unasked.add(organizationId);
  if (!state.isPolling) {
    state.isPolling = true;
    state.since = undefined;
    setTimeout(poll, POLL_MS).unref();
  }
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    const left = (state.watchers.get(organizationId) ?? 0) - 1;
    if (left > 0) state.watchers.set(organizationId, left);
    else state.watchers.delete(organizationId);
  };
}

async function poll() {
  const state = watched();
  if (state.watchers.size === 0) {
    state.isPolling = false;
    return;
  }
  await look().catch(() => {}); // the database is down: the next round polls again from `since`
  setTimeout(poll, POLL_MS).unref();
}

async function look() {
  const state = watched();
  const { since } = state;
  const asked = [...state.watchers.keys()];
  state.unasked.clear();
  const found = await queryOne<{ horizon: number; changed: string[] | null }>(sql`
    SELECT ${HORIZON} AS horizon, (
      SELECT array_agg(owner.id) FROM unnest(${asked}::text[]) AS owner (id)
      WHERE EXISTS (
        SELECT FROM changes
        WHERE organization_id = owner.id AND xid >= ${since ?? 0}::bigint AND xid < ${HORIZON})
    ) AS changed`);
  if (!found) return;
  state.since = found.horizon;
  // Organizations subscribed during the statement, whose reads may have preceded it.
  const unsure = since === undefined ? asked : [...state.unasked];
  for (const id of new Set([...(found.changed ?? []), ...unsure])) publishLocally(topicOf(id));
}

function watched() {
  return oncePerProcess("changes.watched", () => ({
    /** The number of subscribers, by organization. */
    watchers: new Map<string, number>(),
    /** Organizations subscribed since the last statement began. */
    unasked: new Set<string>(),
    /** Changes of earlier transactions have been published; undefined before the first poll. */
    since: undefined as number | undefined,
    isPolling: false,
  }));
}
