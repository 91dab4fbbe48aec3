import { type CallerWait, waitAs } from "@/lib/identity/credential";
import type { Caller } from "@/lib/platform/caller";
import { queryOne, sql } from "@/lib/platform/db/sql";
import type { InTurn } from "@/lib/platform/limits/search-gate";
import { FIRST_POLLS_MS } from "@/lib/platform/wakeups/pubsub";
import { findEndpoint } from "@/lib/resources/webhooks/service";
import { type Endpoint, type EventFilter, startOfEvents } from "./filter";
import { type EventPage, readPage } from "./pages";

/** Longer than any single wait, so that the subscription is renewed in time. */
const SUBSCRIPTION_SECONDS = 60;

/** What a wait found. */
interface WaitedPage extends EventPage {
  /** The position up to which no matching event is left to read, even on an empty page. */
  reached: string;
}

/**
 * Waits for a page of matching events newer than `since`, and runs each read `inTurn`. Empty on
 * timeout, when the caller disconnects, or at shutdown. Throws as soon as the caller loses access to
 * the endpoint or the credential ends.
 */
export async function waitForEvents(
  caller: Caller,
  id: string,
  newer: EventFilter & { since: string; limit: number },
  wait: CallerWait & { inTurn: InTurn },
): Promise<WaitedPage> {
  const endpoint = await findEndpoint(caller, id);
  const polls = await subscribe(endpoint.id);
  const deadline = performance.now() + wait.milliseconds;
  let { since } = newer;
  const found = await waitAs([capturesTopic(endpoint.id)], wait, async (retryIn) => {
    const current = await findEndpoint(caller, id);
    const newest = await newestEvent(current);
    let page: EventPage | undefined;
    while (since < newest && page === undefined) {
      const read = () => readPage(current, { ...newer, since });
      const next = await wait.inTurn(read);
      // Events that did not match need not be read again.
      since = next.next ?? newest;
      // A long search ends with the wait; the next request continues from there.
      const isOver = wait.signal.aborted || performance.now() > deadline;
      if (next.events.length > 0 || (isOver && next.next !== null)) page = next;
    }
    retryIn(polls.shift());
    return page;
  });
  const { events, next, start } = found ?? { events: [], next: null };
  return { events, next, start, reached: next ?? events.at(-1)?.id ?? since };
}

/**
 * Waits until the endpoint has an event newer than `since` and returns the ID of its newest one;
 * undefined on timeout, when the caller disconnects, or at shutdown. Throws like `waitForEvents`.
 */
export async function waitForNewest(
  caller: Caller,
  id: string,
  since: string,
  wait: CallerWait,
): Promise<string | undefined> {
  const polls = await subscribe(id);
  return waitAs([capturesTopic(id)], wait, async (retryIn) => {
    const newest = await newestEvent(await findEndpoint(caller, id));
    retryIn(polls.shift());
    return newest > since ? newest : undefined;
  });
}

/** The ID of an endpoint's newest event, or one that sorts before all. */
export async function newestEvent(endpoint: Endpoint): Promise<string> {
  const row = await queryOne<{ id: string }>(
    sql`SELECT id FROM webhook_events
        WHERE endpoint_id = ${endpoint.id} AND id > ${startOfEvents(endpoint)}
        ORDER BY id DESC LIMIT 1`,
  );
  return row?.id ?? "wev_0";
}

/**
 * The position up to which an endpoint's events have been removed, and one that no event has
 * reached. Undefined if the endpoint was claimed or deleted after it was read.
 */
export function boundsOfEvents({ id, organization_id }: Endpoint) {
  return queryOne<{ start: string; end: string }>(sql`
    SELECT gone_up_to AS start, 'wev_' || id_time(last_event_micros + 1) AS "end"
    FROM endpoint_state
    WHERE endpoint_id = ${id} AND organization_id IS NOT DISTINCT FROM ${organization_id}`);
}

/**
 * Subscribes to the endpoint: captures are published only then, since NOTIFY is expensive. Returns
 * when to poll, in case one was missed.
 */
async function subscribe(endpointId: string): Promise<number[]> {
  const marked = await queryOne<{ is_first: boolean }>(
    sql`WITH marked AS (
          UPDATE endpoint_state AS endpoint
          SET watched_until = unix_now() + ${SUBSCRIPTION_SECONDS}::bigint
          FROM (SELECT endpoint_id, watched_until FROM endpoint_state
                WHERE endpoint_id = ${endpointId}) AS before
          WHERE endpoint.endpoint_id = before.endpoint_id
            AND endpoint.watched_until < unix_now() + ${SUBSCRIPTION_SECONDS / 2}::bigint
          RETURNING before.watched_until
        )
        SELECT watched_until <= unix_now() AS is_first FROM marked`,
  );
  return marked?.is_first ? [...FIRST_POLLS_MS] : [];
}

export function capturesTopic(endpointId: string): string {
  return `webhook-events:${endpointId}`;
}
