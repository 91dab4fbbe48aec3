import type { Caller } from "@/lib/accounts/caller";
import { announcement, awaitNews } from "@/lib/db/announcements";
import { query, queryOne, sql } from "@/lib/db/sql";
import { stopping } from "@/lib/process";
import type { EventFilter } from "./event-filter";
import { type EventPage, readPage } from "./event-pages";
import { findEndpoint } from "./service";

/** Longer than anybody waits at one go, so that a watched endpoint is marked again in time. */
const WATCH_SECONDS = 60;

/** Events after `since`, in the order in which they came. */
export type Newer = EventFilter & { since: string; limit: number };

/**
 * The first page of events that are newer than `since` and match, as soon as there is one; empty
 * when the time is over, the caller has gone, or the process stops. Throws as soon as the caller may
 * not reach the endpoint any more.
 */
export async function awaitEvents(
  caller: Caller,
  id: string,
  newer: Newer,
  wait: { milliseconds: number; signal: AbortSignal },
): Promise<EventPage> {
  const endpoint = await findEndpoint(caller, id);
  await watch(endpoint.id);
  let { since } = newer;
  const over = endOf(wait.signal, stopping().signal);
  try {
    const { signal } = over;
    const found = await awaitNews(topicOf(endpoint.id), { ...wait, signal }, async () => {
      const current = await findEndpoint(caller, id);
      const newest = await newestEvent(current.id);
      while (since < newest) {
        const page = await readPage(current, { ...newer, since });
        if (page.events.length > 0) return page;
        // None of those matched, so they need not be looked at again.
        since = page.next ?? newest;
      }
      return undefined;
    });
    return found ?? { events: [], next: null };
  } finally {
    over.forget();
  }
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

/** Like `AbortSignal.any`, which the signal of the process, living as long as that, would never let go of. */
function endOf(...signals: AbortSignal[]): { signal: AbortSignal; forget(): void } {
  const either = new AbortController();
  const end = () => either.abort();
  for (const signal of signals) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  return {
    signal: either.signal,
    forget() {
      for (const signal of signals) signal.removeEventListener("abort", end);
    },
  };
}

function topicOf(endpointId: string): string {
  return `webhook-events:${endpointId}`;
}
