import type { Credential } from "@/lib/accounts/credential";
import type { Caller } from "@/lib/caller";
import { announcement, retryOnAnnouncement } from "@/lib/db/announcements";
import { query, queryOne, sql } from "@/lib/db/sql";
import { findEndpoint } from "@/lib/webhooks/service";
import type { EventFilter } from "./filter";
import { type EventPage, readPage } from "./pages";

/** Longer than anybody waits at one go, so that a watched endpoint is marked again in time. */
const WATCH_SECONDS = 60;

/** Events after `since`, in the order in which they came. */
export type Newer = EventFilter & { since: string; limit: number };

/** How long to wait, and for whom. */
export interface Waiting {
  milliseconds: number;
  signal: AbortSignal;
  credential: Credential;
}

/**
 * The first page of events that are newer than `since` and match, as soon as there is one; empty
 * when the time is over, the caller has gone, or the process stops. Throws as soon as the caller may
 * not reach the endpoint any more, or the credential has ended.
 */
export async function awaitEvents(
  caller: Caller,
  id: string,
  newer: Newer,
  wait: Waiting,
): Promise<EventPage> {
  const endpoint = await findEndpoint(caller, id);
  await watch(endpoint.id);
  const { credential, milliseconds, signal } = wait;
  const deadline = performance.now() + milliseconds;
  const topics = [topicOf(endpoint.id), ...credential.topics];
  let { since } = newer;
  const found = await retryOnAnnouncement(topics, wait, async (lookAgainIn) => {
    const current = await findEndpoint(caller, id);
    const newest = await newestEvent(current.id);
    let page: EventPage | undefined;
    while (since < newest && page === undefined) {
      const next = await readPage(current, { ...newer, since });
      // None of those that do not match need be looked at again.
      since = next.next ?? newest;
      // A search through many bodies ends with the wait; who asks again goes on from there.
      const isOver = signal.aborted || performance.now() > deadline;
      if (next.events.length > 0 || (isOver && next.next !== null)) page = next;
    }
    // After the events were read: what was captured before a key ended is not shown after it.
    const endsIn = await credential.assertLive();
    if (endsIn !== undefined) lookAgainIn(endsIn);
    return page;
  });
  return found ?? { events: [], next: null };
}

/** Tells all who wait for events of these endpoints, in any process, that there are some. */
export function announceEvents(endpointIds: readonly string[]): void {
  for (const id of endpointIds) {
    // Who waits looks for itself after a while, so nothing is lost when this fails.
    query(sql`SELECT ${announcement(topicOf(id))}::text`).catch(() => {});
  }
}

/** The ID of an endpoint's newest event; one that sorts before all when there is none. */
export async function newestEvent(endpointId: string): Promise<string> {
  const row = await queryOne<{ id: string }>(
    sql`SELECT id FROM webhook_events
        WHERE endpoint_id = ${endpointId}
          AND id > (SELECT gone_up_to FROM webhook_endpoints WHERE id = ${endpointId})
        ORDER BY id DESC LIMIT 1`,
  );
  return row?.id ?? "wev_0";
}

/** Captures of an endpoint are announced only while somebody may wait: an announcement costs a commit. */
async function watch(endpointId: string): Promise<void> {
  await query(
    sql`UPDATE webhook_endpoints SET watched_until = unix_now() + ${WATCH_SECONDS}::bigint
        WHERE id = ${endpointId} AND watched_until < unix_now() + ${WATCH_SECONDS / 2}::bigint`,
  );
}

function topicOf(endpointId: string): string {
  return `webhook-events:${endpointId}`;
}
