// node bench/peers/nats.mjs PORT NATS_PORT
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { serveQueue } from "./queue-server.mjs";

const [port, natsPort] = process.argv.slice(2);
const NAME = "bench";
const connection = await connect({ servers: `127.0.0.1:${natsPort}` });
const manager = await jetstreamManager(connection);
await manager.streams.add({ name: NAME, subjects: [NAME], retention: "workqueue" });
const ack_wait = 60 * 1_000_000_000;
await manager.consumers.add(NAME, {
  durable_name: NAME,
  ack_policy: AckPolicy.Explicit,
  ack_wait,
  max_ack_pending: -1,
});
const stream = jetstream(connection);
const consumer = await stream.consumers.get(NAME, NAME);
const leased = new Map();

serveQueue(port, {
  send: async (data) => (await stream.publish(NAME, JSON.stringify(data))).seq,
  async fill({ count, data }) {
    const text = JSON.stringify(data);
    for (let left = count; left > 0; left -= 1000) {
      const publish = () => stream.publish(NAME, text);
      await Promise.all(Array.from({ length: Math.min(left, 1000) }, publish));
    }
  },
  async receive({ limit }) {
    const items = [];
    for await (const message of await consumer.fetch({ max_messages: limit, expires: 1000 })) {
      leased.set(message.seq, message);
      items.push({ id: message.seq, data: message.json() });
    }
    return items;
  },
  // `ackAck` waits until the acknowledgement is stored.
  async ack({ ids }) {
    await Promise.all(ids.map((id) => leased.get(id)?.ackAck()));
    for (const id of ids) leased.delete(id);
  },
  async purge() {
    leased.clear();
    await manager.streams.purge(NAME);
  },
});
