import { type Contender, compare } from "../compare";
import { type Connection, load, once, type Request, repeat } from "../load";
import type { Running, Stage } from "../stage";
import { onConnections, type Table } from "../table";
import { median } from "../times";
import { bullmq, type Missing, nats, type Peer, pgBoss, pgmq } from "./queues";

const PAYLOAD = {
  order: 4711,
  items: [
    { sku: "A-1", count: 2 },
    { sku: "B-2", count: 1 },
  ],
};
/** As many as an inbox may hold. */
const STOCK = 10_000;

interface Delivery {
  id: string;
  lease_id?: string;
}

/** An inbox, or a queue behind a bare server. */
interface Queue {
  name: string;
  running: Running;
  storePid: number | number[];
  send: Request;
  fill(count: number): Promise<unknown>;
  purge(): Promise<unknown>;
  receive(connection: Connection, limit: number): Promise<Delivery[]>;
  ack(connection: Connection, deliveries: Delivery[]): Promise<unknown>;
}

/** Ingest, receive and acknowledge, beside queues on the same Postgres and on other stores. */
export async function inboxes(stage: Stage, table: Table) {
  const service = await stage.service();
  const peers = [await pgBoss(stage), await pgmq(stage), await bullmq(stage), await nats(stage)];
  const here = inboxOn(service, stage.postgresPid, await makeInbox(service));
  const queues = [here, ...peers.flatMap((peer) => ("missing" in peer ? [] : [queueOf(peer)]))];
  const missing = peers.filter((peer): peer is Missing => "missing" in peer);

  const measure = async (
    what: string,
    contenderOf: (queue: Queue) => Contender,
    rounds: number,
  ) => {
    const [own, ...others] = await compare(queues.map(contenderOf), rounds);
    for (const other of others) table.row(what, own, other);
    for (const peer of missing) table.missing(what, own, peer.missing);
  };
  for (const connections of [1, 16]) {
    const what = `ingest, ${onConnections(connections)}`;
    await measure(what, (queue) => sending(queue, connections), 4);
  }
  await measure("receive 1 and ack 1, 16 connections", (queue) => taking(queue, 16, 1, 3000), 4);
  await measure(
    "receive 100 and ack 100, 4 connections",
    (queue) => taking(queue, 4, 100, STOCK),
    4,
  );
  await besideExpired(stage, service, table);
}

export function sending(
  { name, running, storePid, send, purge }: Queue,
  connections: number,
): Contender {
  const turn = () => repeat(running.port, connections, send);
  return { name, pid: running.pid, storePid, turn, after: purge };
}

/** Receives and acknowledges until the stock is used up or the time is over. */
export function taking(queue: Queue, connections: number, limit: number, stock: number): Contender {
  const { name, running, storePid } = queue;
  return {
    name,
    pid: running.pid,
    storePid,
    before: () => queue.fill(stock),
    turn: () =>
      load(running.port, connections, async (connection) => {
        const deliveries = await queue.receive(connection, limit);
        if (deliveries.length > 0) await queue.ack(connection, deliveries);
        return deliveries.length;
      }),
    after: queue.purge,
  };
}

function queueOf(peer: Exclude<Peer, Missing>): Queue {
  const call = (method: string, input: unknown): Request => ({
    method: "POST",
    path: `/${method}`,
    body: JSON.stringify(input),
  });
  const { port } = peer.running;
  return {
    ...peer,
    send: call("send", PAYLOAD),
    fill: (count) => once(port, call("fill", { count, data: PAYLOAD })),
    purge: () => once(port, call("purge", {})),
    receive: async (connection, limit) =>
      JSON.parse(await connection.send(call("receive", { limit }))) ?? [],
    ack: (connection, deliveries) =>
      connection.send(call("ack", { ids: deliveries.map(({ id }) => id) })),
  };
}

const JSON_BODY = { "Content-Type": "application/json" };

export function inboxOn(running: Running, storePid: number | number[], id: string): Queue {
  const path = `/api/inboxes/${id}/events`;
  const post = (to: string, body: object): Request => ({
    method: "POST",
    path: to,
    headers: JSON_BODY,
    body: JSON.stringify(body),
  });
  const send = post(path, PAYLOAD);
  return {
    name: "service",
    running,
    storePid,
    send,
    fill: (count) => ingest(running.port, send, count),
    purge: () => once(running.port, { method: "DELETE", path }),
    receive: async (connection, limit) =>
      JSON.parse(await connection.send(post(`${path}/receive`, { limit }))).data,
    ack(connection, deliveries) {
      const [first] = deliveries;
      if (deliveries.length === 1 && first) {
        return connection.send(post(`${path}/${first.id}/ack`, { lease_id: first.lease_id }));
      }
      const acks = deliveries.map(({ id: event_id, lease_id }) => ({ event_id, lease_id }));
      return connection.send(post(`${path}/ack`, { acks }));
    },
  };
}

export async function makeInbox(service: Running): Promise<string> {
  const body = JSON.stringify({ name: "bench", max_events: STOCK });
  const made = await once(service.port, {
    method: "POST",
    path: "/api/inboxes",
    headers: JSON_BODY,
    body,
  });
  const { id }: { id: string } = JSON.parse(made);
  return id;
}

async function ingest(port: number, send: Request, count: number) {
  let left = count;
  const work = async (connection: Connection) => {
    if (left-- <= 0) return 0;
    await connection.send(send);
    return 1;
  };
  await load(port, Math.min(count, 64), work, Number.POSITIVE_INFINITY);
}

/** Receives one by one from an inbox where as many events as possible have just expired. */
async function besideExpired(stage: Stage, service: Running, table: Table) {
  const ready = 100;
  const contenderOf = (name: string, id: string, expired: number): Contender => {
    const inbox = inboxOn(service, stage.postgresPid, id);
    return {
      name,
      pid: service.pid,
      storePid: stage.postgresPid,
      async before() {
        await expiredEvents(stage, id, expired);
        await inbox.fill(ready);
      },
      turn: async () => {
        const times: number[] = [];
        await load(service.port, 1, async (connection) => {
          const started = performance.now();
          const deliveries = await inbox.receive(connection, 1);
          if (deliveries.length > 0) times.push(performance.now() - started);
          return deliveries.length;
        });
        // The median, because the first receives also remove the expired events.
        return { operations: times.length, seconds: (median(times) * times.length) / 1000 };
      },
      after: inbox.purge,
    };
  };
  const [alone, beside] = await compare([
    contenderOf("without", await makeInbox(service), 0),
    contenderOf("beside", await makeInbox(service), STOCK - ready),
  ]);
  table.row("receive 1 beside 10 000 expired events, 1 connection", beside, alone);
}

/** Inserts events that expired before anyone noticed. */
async function expiredEvents(stage: Stage, inboxId: string, count: number) {
  await stage.db.query(
    `INSERT INTO inbox_events (inbox_id, id, headers, body, size_bytes, query_string,
                               delivery_count, queue_id, visible_at, lapses_at, expires_at)
     SELECT $1, 'iev_0' || $4 || lpad(n::text, 8, '0'), '{}', convert_to($2, 'UTF8'), length($2), '', 0,
            $1, now() - interval '1 minute', now() - interval '10 seconds', unix_now() - 10
     FROM generate_series(1, $3::integer) AS n`,
    [inboxId, JSON.stringify(PAYLOAD), count, Math.random().toString(36).slice(2, 12)],
  );
  await stage.db.query("UPDATE inbox_state SET occupied = occupied + $2 WHERE inbox_id = $1", [
    inboxId,
    count,
  ]);
}
