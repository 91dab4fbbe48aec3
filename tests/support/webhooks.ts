import type { Pool } from "pg";
import { expect } from "playwright/test";
import type { List } from "@/lib/platform/lists/list";
import type { CreatedWebhookEndpoint } from "@/lib/resources/webhooks/contract";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { expectStatus, missing } from "./expectations";
import type { Api, ApiResponse, CallOptions } from "./http";
import { rowsOf } from "./rows";
import { pause } from "./servers";
import type { HoldingTarget, Target } from "./target";

export type Endpoint = CreatedWebhookEndpoint;
export type Event = WebhookEvent;
export type EventList = List<Event>;

/** A new endpoint, public unless a key is given. */
export async function makeEndpoint(
  api: Api,
  { key, ...fields }: { key?: string; max_events?: number; name?: string } = {},
): Promise<Endpoint> {
  const response = await api("POST", "/api/webhooks", { key, body: { name: "Test", ...fields } });
  expectStatus(response, 201);
  return JSON.parse(response.text);
}

export async function readEndpoint(api: Api, id: string, key?: string): Promise<Endpoint> {
  const response = await api("GET", `/api/webhooks/${id}`, { key });
  expectStatus(response, 200);
  return JSON.parse(response.text);
}

/** Sends a request to a capture URL and returns the event's ID. */
export async function capture(api: Api, id: string, options: CallOptions = {}): Promise<string> {
  const response = await api("POST", `/api/catch/${id}`, options);
  expectStatus(response, 200);
  return eventIdOf(response);
}

export function eventIdOf(response: ApiResponse): string {
  const { event_id }: { event_id: string } = JSON.parse(response.text);
  return event_id;
}

/**
 * Sends so many captures, ten at once, each until it is answered, as providers do. In between it kills the server as
 * often as there are `kills`.
 */
export async function captureUnderKills(
  captures: number,
  send: (n: number) => Promise<ApiResponse>,
  kills: Array<() => Promise<void>>,
): Promise<void> {
  let next = 0;
  let answered = 0;
  const sender = async () => {
    for (let n = next++; n < captures; n = next++) {
      while ((await send(n).catch(() => null))?.status !== 200) await pause(20);
      answered += 1;
    }
  };
  const sending = Promise.all(Array.from({ length: 10 }, sender));
  for (const [index, kill] of kills.entries()) {
    while (answered < ((index + 1) * captures) / (kills.length + 1)) await pause(10);
    await kill();
  }
  await sending;
}

export async function listEvents(
  api: Api,
  id: string,
  query: CallOptions["query"] = {},
  key?: string,
): Promise<EventList> {
  const response = await api("GET", `/api/webhooks/${id}/events`, { query, key });
  expectStatus(response, 200);
  return JSON.parse(response.text);
}

/** The events of all pages, in order. */
export async function allEvents(
  api: Api,
  id: string,
  query: Record<string, string | number> = {},
  key?: string,
): Promise<Event[]> {
  const events: Event[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const filter = { limit: 100, ...query, ...(after && { after }) };
    const page: EventList = await listEvents(api, id, filter, key);
    events.push(...page.data);
    after = page.next_cursor;
  }
  return events;
}

export async function readEvent(
  api: Api,
  id: string,
  eventId: string,
  key?: string,
): Promise<Event> {
  const response = await api("GET", `/api/webhooks/${id}/events/${eventId}`, { key });
  expectStatus(response, 200);
  return JSON.parse(response.text);
}

export async function readRaw(api: Api, id: string, eventId: string): Promise<Buffer> {
  const response = await api("GET", `/api/webhooks/${id}/events/${eventId}/raw`);
  expectStatus(response, 200);
  return response.bytes;
}

/** Fills an empty endpoint with events received one second apart; number 1 is the oldest. */
export async function fillEndpoint(
  db: Pool,
  { id, count, bodyBytes = 40 }: { id: string; count: number; bodyBytes?: number },
): Promise<void> {
  await db.query(
    `INSERT INTO webhook_events
       (endpoint_id, id, method, path, query_string, headers, body, size_bytes, received_at)
     SELECT $1, 'wev_' || id_time(1700000000000000 + n::bigint * 1000000) || 'filledfilledfill', 'POST',
            '/api/catch/' || $1 || '/number/' || n, '', '{"content-type":"application/json"}',
            convert_to(rpad('{"number":' || n || ',"more":"', $3::int - 2, 'x') || '"}', 'UTF8'),
            $3::int, unix_now() - $2::int + n
     FROM generate_series(1, $2::int) AS n`,
    [id, count, bodyBytes],
  );
  await db.query("UPDATE endpoint_state SET event_count = $2 WHERE endpoint_id = $1", [id, count]);
}

/** As if the database's clock was set back by an hour. Returns an ID before those of later events. */
export async function setClockBack(db: Pool, endpointId: string): Promise<string> {
  const { rows } = await db.query<{ latest: string }>(
    `UPDATE endpoint_state
     SET last_event_micros = greatest(last_event_micros, unix_now() * 1000000) + 3600000000
     WHERE endpoint_id = $1 RETURNING 'wev_' || id_time(last_event_micros) AS latest`,
    [endpointId],
  );
  return rows[0]?.latest ?? missing();
}

/**
 * Waits until the target holds every replay of the endpoint that is under way. A replay that was leased
 * before a cancel is still sent.
 */
export async function untilAllHeld(db: Pool, endpointId: string, target: HoldingTarget) {
  const underWay = async () => {
    const where = { replayed_endpoint_id: endpointId, status: "delivering" } as const;
    return (await rowsOf(db).scheduledMessage.count({ where })) - target.held.length;
  };
  await expect.poll(underWay).toBe(0);
}

/** Waits until the event has become a message, and returns its ID. */
export async function forwardedTo(
  api: Api,
  id: string,
  eventId: string,
  key?: string,
): Promise<string> {
  let message: string | null | undefined;
  await expect
    .poll(async () => {
      message = (await readEvent(api, id, eventId, key)).forward?.message_id;
      return message;
    })
    .toMatch(/^msg_/);
  return message ?? "";
}

/** Dispatches until the target has as many requests, and what was dispatched has ended. */
export async function arrivals(api: Api, target: Target, count: number) {
  const dispatches: Promise<ApiResponse>[] = [];
  await expect
    .poll(() => {
      // It may wait for the targets of other tests.
      dispatches.push(api("POST", "/api/messages/dispatch"));
      return target.received.length;
    })
    .toBe(count);
  await Promise.all(dispatches);
  return target.received;
}
