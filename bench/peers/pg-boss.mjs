// node bench/peers/pg-boss.mjs PORT DATABASE_URL
import PgBoss from "pg-boss";
import { AT_ONCE, deliver, serveQueue } from "./queue-server.mjs";

const [port, connectionString] = process.argv.slice(2);
const QUEUE = "bench";
const boss = new PgBoss({ connectionString, max: 10, supervise: false, schedule: false });
await boss.start();
await boss.createQueue(QUEUE);

serveQueue(port, {
  send: (data) => boss.send(QUEUE, data),
  async fill({ count, data }) {
    const jobs = Array.from({ length: count }, () => ({ name: QUEUE, data }));
    for (let at = 0; at < count; at += 1000) await boss.insert(jobs.slice(at, at + 1000));
  },
  receive: ({ limit }) => boss.fetch(QUEUE, { batchSize: limit }),
  ack: ({ ids }) => boss.complete(QUEUE, ids),
  purge: () => boss.clearStorage(),
  // It fetches one batch in half a second at most, so a batch is ten times what runs at once.
  async work() {
    const options = { batchSize: 10 * AT_ONCE, pollingIntervalSeconds: 0.5 };
    await boss.work(QUEUE, options, async (jobs) => {
      const left = jobs.values();
      const worker = async () => {
        for (const { data } of left) await deliver(data);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
  },
  stop: () => boss.offWork(QUEUE),
});
