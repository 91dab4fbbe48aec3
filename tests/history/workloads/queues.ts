import { setTimeout as pause } from "node:timers/promises";
import { type ApiResponse, jsonOf } from "../../support/http";
import type { Event } from "../../support/inboxes";
import type { Found } from "../log";
import type { Session } from "../session";

/** Makes an inbox or an endpoint before the faults begin. */
export async function make(session: Session, kind: "inboxes" | "webhooks"): Promise<string> {
  const ask = { path: `/api/${kind}`, body: { name: "History", max_events: 10_000 } };
  const made = await session.once("make", kind, { ...ask, find: idOf });
  const [{ id } = { id: "" }] = made?.found ?? [];
  if (!id) throw new Error(`No ${kind} could be made.`);
  return id;
}

/** Sends events, most of them with a key, some delayed. */
export async function produce(session: Session, inbox: string) {
  while (!session.isOver) {
    const value = session.fresh();
    const seconds = session.chance(0.1) ? 1 : 0;
    const ask = {
      path: `${eventsOf(inbox)}?delay_seconds=${seconds}`,
      raw: value,
      about: { value, seconds },
      find: idOf,
    };
    if (session.chance(0.7)) await session.once("ingest", inbox, ask);
    else await session.call("ingest", inbox, ask);
    await session.rest(400);
  }
}

/** Receives events and acknowledges them, returns them, is late, or forgets them. */
export async function consume(session: Session, inbox: string) {
  while (!session.isOver) {
    const seconds = 2 + session.pick(3);
    const limit = 1 + session.pick(3);
    const ask = {
      path: `${eventsOf(inbox)}/receive`,
      body: { limit, lease_seconds: seconds, wait_seconds: session.pick(2) },
      about: { seconds },
      find: (response: ApiResponse) =>
        jsonOf<{ data: Event[] }>(response).data.map((event) => ({
          id: event.id,
          value: event.body ?? "",
          lease: event.lease_id,
          turn: event.delivery_count,
        })),
    };
    const received = session.chance(0.3)
      ? await session.once("receive", inbox, ask)
      : await session.call("receive", inbox, ask);
    for (const event of received?.found ?? []) await settle(session, inbox, event, seconds);
    await session.rest(500);
  }
}

async function settle(session: Session, inbox: string, { id, lease }: Found, granted: number) {
  const post = (op: string, body: object, seconds?: number) =>
    session.call(op, inbox, {
      path: `${eventsOf(inbox)}/${id}/${op}`,
      body: { lease_id: lease, ...body },
      about: { id, lease, seconds },
    });
  const choice = session.pick(20);
  if (choice < 2) return; // The worker has crashed.
  if (choice < 4) return post("nack", {});
  if (choice < 6) await post("extend", { lease_seconds: 3 }, 3);
  // The lease has ended, and another worker may have the event.
  if (choice > 17) await pause(granted * 1000 + 2000 + session.pick(4000));
  return post("ack", {});
}

/** Sends requests to an endpoint, which forwards them. */
export async function capture(session: Session, endpoint: string) {
  while (!session.isOver) {
    const value = session.fresh();
    await session.call("capture", endpoint, {
      path: `/api/catch/${endpoint}`,
      raw: value,
      about: { value },
      find: (response) => [{ id: jsonOf<{ event_id: string }>(response).event_id, value }],
    });
    await session.rest();
  }
}

/** Lists what an inbox or an endpoint has at the end. */
export async function listEvents(session: Session, kind: "inboxes" | "webhooks", id: string) {
  const order = kind === "webhooks" ? "since=wev_0&" : "";
  await session.list("listed", id, `/api/${kind}/${id}/events?${order}`, (event) => ({
    id: event.id,
    value: event.body,
  }));
}

export function idOf(response: { text: string }): Found[] {
  const { id }: { id: string } = JSON.parse(response.text);
  return [{ id }];
}

function eventsOf(inbox: string) {
  return `/api/inboxes/${inbox}/events`;
}
