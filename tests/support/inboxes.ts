import type { Pool, PoolClient } from "pg";
import type { InboxStats } from "@/lib/resources/inboxes/contract";
import type { Settled } from "@/lib/resources/inboxes/events/consumer-contract";
import type { InboxEvent, Receipt } from "@/lib/resources/inboxes/events/contract";
import { expectStatus } from "./expectations";
import { type Api, type CallOptions, jsonOf } from "./http";

export type { Receipt, Settled as Outcomes };

/** `lease_id` is present only in received events. */
export type Event = InboxEvent & { lease_id: string };

/** Creates an inbox and returns a client for it, which sends `key` with every call but ingests. */
export async function makeInbox(api: Api, fields: object = {}, key?: string) {
  const created = await api("POST", "/api/inboxes", { key, body: { name: "Test", ...fields } });
  expectStatus(created, 201);
  return inboxClient(api, created.body.id, key);
}

export type InboxClient = ReturnType<typeof inboxClient>;

export function inboxClient(api: Api, id: string, key?: string) {
  const path = `/api/inboxes/${id}`;
  const post = (rest: string, body?: unknown) =>
    api("POST", `${path}/events/${rest}`, { key, body });
  return {
    id,
    path,
    get: () => api("GET", path, { key }),
    tryIngest: (options: CallOptions = {}) => api("POST", `${path}/events`, options),
    async ingest(options: CallOptions = {}): Promise<Receipt> {
      const response = await api("POST", `${path}/events`, options);
      expectStatus(response, 201);
      return jsonOf<Receipt>(response);
    },
    tryReceive: (body?: object) => post("receive", body),
    async receive(body?: object): Promise<Event[]> {
      const response = await post("receive", body);
      expectStatus(response, 200);
      return jsonOf<{ data: Event[] }>(response).data;
    },
    /** Receives the first ready event, or throws. */
    async receiveOne(body?: object): Promise<Event> {
      const response = await post("receive", body);
      const [event] = jsonOf<{ data: Event[] }>(response).data;
      if (!event) throw new Error(`Nothing to receive: ${response.status} ${response.text}`);
      return event;
    },
    ack: ({ id, lease_id }: Event) => post(`${id}/ack`, { lease_id }),
    nack: ({ id, lease_id }: Event, rest: object = {}) => post(`${id}/nack`, { lease_id, ...rest }),
    extend: ({ id, lease_id }: Event, lease_seconds: number) =>
      post(`${id}/extend`, { lease_id, lease_seconds }),
    redrive: (eventId: string) => post(`${eventId}/redrive`),
    redriveAll: (body?: object) => post("redrive", body),
    settle: (body: object) => post("ack", body),
    async event(eventId: string): Promise<Event> {
      const response = await api("GET", `${path}/events/${eventId}`, { key });
      expectStatus(response, 200);
      return jsonOf<Event>(response);
    },
    tryEvent: (eventId: string) => api("GET", `${path}/events/${eventId}`, { key }),
    removeEvent: (eventId: string) => api("DELETE", `${path}/events/${eventId}`, { key }),
    purge: (query: CallOptions["query"] = {}) => api("DELETE", `${path}/events`, { key, query }),
    raw: (eventId: string) => api("GET", `${path}/events/${eventId}/raw`, { key }),
    async events(query: CallOptions["query"] = {}): Promise<Event[]> {
      const response = await api("GET", `${path}/events`, { key, query });
      expectStatus(response, 200);
      return jsonOf<{ data: Event[] }>(response).data;
    },
    async eventCount(): Promise<number> {
      return jsonOf<{ event_count: number }>(await api("GET", path, { key })).event_count;
    },
    async stats(): Promise<InboxStats> {
      const response = await api("GET", `${path}/stats`, { key });
      expectStatus(response, 200);
      return jsonOf<InboxStats>(response);
    },
  };
}

/** Advances time for the events of an inbox, by moving their timestamps into the past. */
export async function elapse(db: Pool, inboxId: string, seconds: number) {
  // In UTC, since Citus wants an expression that does not depend on a setting.
  const earlier = (column: string) =>
    `${column} = (${column} AT TIME ZONE 'UTC' - $2 * interval '1 second') AT TIME ZONE 'UTC'`;
  await db.query(
    `UPDATE inbox_events SET ${earlier("visible_at")}, ${earlier("lapses_at")},
       received_at = received_at - $2, expires_at = expires_at - $2
     WHERE inbox_id = $1`,
    [inboxId, seconds],
  );
  await db.query(`UPDATE inbox_state SET ${earlier("ready_from")} WHERE inbox_id = $1`, [
    inboxId,
    seconds,
  ]);
}

/** Runs `work`, with the connection that has the lock, while no other can write or lock this inbox. */
export async function whileLocked(
  db: Pool,
  inboxId: string,
  work: (client: PoolClient) => Promise<void>,
) {
  const client = await db.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT FROM inbox_state WHERE inbox_id = $1 FOR UPDATE", [inboxId]);
    await work(client);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** As if a worker had taken each event of the inbox too often. */
export async function killEvents(db: Pool, inboxId: string) {
  const { rowCount } = await db.query(
    `UPDATE inbox_events SET visible_at = 'infinity', delivery_count = 5, dedup_key = NULL,
       last_error = 'It broke'
     WHERE inbox_id = $1 AND visible_at < 'infinity'`,
    [inboxId],
  );
  await db.query("UPDATE inbox_state SET occupied = occupied - $2 WHERE inbox_id = $1", [
    inboxId,
    rowCount,
  ]);
}
