import * as z from "zod";
import { CHECKED_MS, credentialOf } from "@/lib/identity/credential";
import { type Occurrence, occurrenceOf } from "@/lib/resources/subscriptions/events/source";
import { startFrom } from "@/lib/resources/subscriptions/events/sources";
import { askedFor, type Client, eventFields, paramsOf, turnsFor } from "./asked";

const EVENTS_MAX = 100;
const EVENTS_DEFAULT = 50;
/** The size of the events of one result, unless there is a single one. */
const EVENTS_BYTES_MAX = 1_000_000;
const NEXT_POLL_MS = 5000;

const Poll = z.strictObject({ ...eventFields, maxEvents: z.int().min(1).nullable().optional() });

/** The events after a cursor; without one, none and the position of now. */
export async function pollEvents(client: Client, given: Record<string, unknown>) {
  const { caller } = client;
  const { maxEvents, maxAgeMs, ...params } = paramsOf(Poll, given);
  const asked = askedFor(caller, params);
  const since = performance.now();
  const inTurn = turnsFor(client, asked);
  const start = { cursor: params.cursor, maxAgeMs: maxAgeMs ?? undefined, inTurn };
  const { cursor, truncated } = await startFrom(caller, asked, start);
  const isStart = params.cursor === undefined || params.cursor === null;
  if (isStart || truncated) {
    return { events: [], cursor, truncated, hasMore: truncated, nextPollMs: NEXT_POLL_MS };
  }
  const limit = Math.min(maxEvents ?? EVENTS_DEFAULT, EVENTS_MAX);
  const page = await inTurn(async () => {
    if (performance.now() - since > CHECKED_MS) await credentialOf(caller).assertLive();
    return asked.source.read(caller, asked.args, cursor, { limit });
  });
  const events = fitting(page.events);
  const isCut = events.length < page.events.length;
  return {
    events: events.map((event) => occurrenceOf(asked.source.name, event)),
    cursor: (isCut && events.at(-1)?.cursor) || page.cursor,
    truncated: false,
    hasMore: isCut || page.hasMore,
    nextPollMs: NEXT_POLL_MS,
  };
}

/** The first events, as many as fit. */
function fitting(events: Occurrence[]): Occurrence[] {
  let bytes = 0;
  const first = events.findIndex((event, index) => {
    bytes += Buffer.byteLength(JSON.stringify(event.data));
    return bytes > EVENTS_BYTES_MAX && index > 0;
  });
  return first === -1 ? events : events.slice(0, first);
}
