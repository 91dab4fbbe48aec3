import { setTimeout as pause } from "node:timers/promises";
import { jsonOf } from "../support/http";
import type { Event, Outcomes } from "../support/inboxes";
import { randomText } from "../support/keys";
import type { Next } from "../support/leases";
import type { Target } from "../support/target";
import type { Client } from "./client";
import type { Ledger } from "./ledger";

interface Soak {
  client: Client;
  ledger: Ledger;
  /** Takes deliveries. */
  target: Target;
  /** The IDs of the messages that the target has got. */
  arrived: ReadonlySet<string>;
  isOver(): boolean;
}

/** Between two rounds of a client, so that the machine is not full. */
const PAUSE_MS = 250;
const LEASED = "soak-lease";
const EVENTS_MAX = 300;

const idempotent = () => ({ "Idempotency-Key": randomText(20) });

/** Creates and updates tasks, with an idempotency key and `If-Match` in effect. */
export async function writeTasks({ client, ledger, isOver }: Soak) {
  while (!isOver()) {
    const name = `Task ${randomText(12)}`;
    const headers = idempotent();
    const task = await client.persist("POST", "/api/tasks", [201], { headers, body: { name } });
    const { id } = task.body;
    const path = `/api/tasks/${id}`;
    const description = randomText(100);
    await client.persist("PATCH", path, [200], { body: { description } });
    ledger.add("task", id, async () => {
      const { status, body } = await client.persist("GET", path, [200, 404]);
      await client.persist("DELETE", path, [204, 404]);
      return status === 200 && body.name === name && body.description === description;
    });
    await pause(PAUSE_MS);
  }
}

/** Creates documents without a key, which stay. */
export async function publishArtifacts({ client, ledger, isOver }: Soak) {
  while (!isOver()) {
    const content = randomText(8000);
    const created = await client.send("POST", "/api/artifacts", [201], {
      key: undefined,
      headers: idempotent(),
      body: { name: "Soak", content },
    });
    if (created) {
      const { id } = created.body;
      ledger.add("artifact", id, async () => {
        const raw = await client.persist("GET", `/api/artifacts/${id}/raw`, [200, 404]);
        return raw.status === 200 && raw.text === content;
      });
    }
    await pause(4 * PAUSE_MS);
  }
}

/** Captures requests, each of which is kept until newer ones evict it, and forwards them. */
export async function captureRequests({ client, ledger, isOver }: Soak, target?: string) {
  const body = { name: "Soak", max_events: EVENTS_MAX };
  const { id } = (await client.persist("POST", "/api/webhooks", [201], { body })).body;
  if (target) {
    await client.persist("PUT", `/api/webhooks/${id}/forward`, [200, 201], {
      body: { url: target },
    });
  }
  let sent = 0;
  while (!isOver()) {
    const raw = randomText(500);
    sent += 1;
    const order = sent;
    const captured = await client.send("POST", `/api/catch/${id}`, [200], { raw });
    if (captured) {
      const path = `/api/webhooks/${id}/events/${captured.body.event_id}`;
      ledger.add("captured request", path, async () => {
        const found = await client.persist("GET", `${path}/raw`, [200, 404]);
        if (found.status === 404) return sent - order >= EVENTS_MAX;
        return found.text === raw;
      });
    }
    await pause(3 * PAUSE_MS);
  }
}

/** Sends events to an inbox, and receives and acknowledges them. */
export async function runQueue({ client, ledger, isOver }: Soak) {
  const body = { name: "Soak" };
  const { id } = (await client.persist("POST", "/api/inboxes", [201], { body })).body;
  const path = `/api/inboxes/${id}/events`;
  const ingested = new Set<string>();
  const acknowledged = new Set<string>();
  /** The response to their acknowledgement was lost. */
  const uncertain = new Set<string>();
  let producers = 2;
  const produce = async () => {
    while (!isOver()) {
      const response = await client.send("POST", path, [201], { raw: randomText(300) });
      if (response) {
        ledger.count("inbox event");
        ingested.add(response.body.id);
      }
      await pause(PAUSE_MS);
    }
    producers -= 1;
  };
  const isDrained = () =>
    producers === 0 &&
    [...ingested].every((event) => acknowledged.has(event) || uncertain.has(event));
  const consume = async () => {
    const deadline = () => isOver() && isDrained();
    for (let empty = 0; !deadline() && empty < 60; ) {
      const received = await client.send("POST", `${path}/receive`, [200], {
        body: { limit: 20, lease_seconds: 30, wait_seconds: 1 },
        waitMs: 1000,
      });
      if (!received) continue;
      const events = jsonOf<{ data: Event[] }>(received).data;
      empty = events.length === 0 && isOver() ? empty + 1 : 0;
      if (events.length === 0) continue;
      const acks = events.map((event) => ({ event_id: event.id, lease_id: event.lease_id }));
      const settled = await client.send("POST", `${path}/ack`, [200], { body: { acks } });
      if (!settled) for (const event of events) uncertain.add(event.id);
      for (const { event_id, outcome } of settled ? jsonOf<Outcomes>(settled).acks : []) {
        if (outcome === "acknowledged") acknowledged.add(event_id);
      }
    }
  };
  await Promise.all([produce(), produce(), consume(), consume()]);
  for (const event of ingested) {
    if (!acknowledged.has(event) && !uncertain.has(event)) ledger.lose("inbox event", event);
  }
}

/** Sends messages, each of which arrives. */
export async function sendMessages({ client, ledger, target, arrived, isOver }: Soak) {
  while (!isOver()) {
    const created = await client.persist("POST", "/api/messages", [201], {
      headers: idempotent(),
      body: { url: `${target.url}/message`, body: "soak", delay_seconds: 1 },
    });
    const { id } = created.body;
    ledger.add("message", id, async () => {
      // The lease of a killed server's delivery ends after a minute.
      const deadline = performance.now() + 120_000;
      while (!arrived.has(id) && performance.now() < deadline) await pause(500);
      await client.persist("DELETE", `/api/messages/${id}`, [204, 404, 409]);
      return arrived.has(id);
    });
    await pause(4 * PAUSE_MS);
  }
}

/** Makes tasks for workers that lease and complete them. */
export async function leaseTasks({ client, ledger, isOver }: Soak) {
  const make = async () => {
    while (!isOver()) {
      const body = { name: "Lease me", labels: [LEASED] };
      await client.persist("POST", "/api/tasks", [201], { headers: idempotent(), body });
      await pause(2 * PAUSE_MS);
    }
  };
  const work = async (holder: string) => {
    while (!isOver()) {
      const response = await client.send("POST", "/api/tasks/lease-next", [200], {
        body: { holder, labels: [LEASED], lease_seconds: 30, wait_seconds: 2 },
        waitMs: 2000,
      });
      const lease = response && jsonOf<Next>(response).lease;
      if (!lease) continue;
      const path = `/api/tasks/${lease.task_id}`;
      const body = { lease_id: lease.lease_id };
      const completed = await client.persist("POST", `${path}/complete`, [200, 409], { body });
      if (completed.status !== 200) continue;
      ledger.add("completed task", lease.task_id, async () => {
        const task = await client.persist("GET", path, [200, 404]);
        await client.persist("DELETE", path, [204, 404]);
        return task.status === 200 && task.body.labels.includes("done");
      });
    }
  };
  await Promise.all([make(), work("one"), work("two")]);
}

/** Reads lists, changes and pages. */
export async function read({ client, isOver }: Soak) {
  const paths = ["/api/tasks?limit=50", "/api/webhooks", "/api/changes?limit=50", "/sign-in"];
  for (let n = 0; !isOver(); n += 1) {
    await client.send("GET", paths[n % paths.length] ?? "/", [200]);
    await pause(2 * PAUSE_MS);
  }
}
