// node bench/peers/bullmq.mjs PORT REDIS_PORT
import { Queue, Worker } from "bullmq";
import { AT_ONCE, deliver, serveQueue } from "./queue-server.mjs";

const [port, redisPort] = process.argv.slice(2);
const QUEUE = "bench";
const TOKEN = "bench";
const connection = { host: "127.0.0.1", port: Number(redisPort), maxRetriesPerRequest: null };
const settings = { connection, lockDuration: 60_000, removeOnComplete: { count: 0 } };
const queue = new Queue(QUEUE, { connection });
const receiver = new Worker(QUEUE, null, { ...settings, autorun: false });
await queue.waitUntilReady();
await receiver.waitUntilReady();
const leased = new Map();
let worker;

serveQueue(port, {
  send: async (data) => (await queue.add("item", data)).id,
  async fill({ count, data }) {
    const jobs = Array.from({ length: count }, () => ({ name: "item", data }));
    for (let at = 0; at < count; at += 1000) await queue.addBulk(jobs.slice(at, at + 1000));
  },
  async receive({ limit }) {
    const next = () => receiver.getNextJob(TOKEN, { block: false });
    const jobs = (await Promise.all(Array.from({ length: limit }, next))).filter(Boolean);
    for (const job of jobs) leased.set(job.id, job);
    return jobs.map(({ id, data }) => ({ id, data }));
  },
  async ack({ ids }) {
    await Promise.all(ids.map((id) => leased.get(id)?.moveToCompleted("", TOKEN, false)));
    for (const id of ids) leased.delete(id);
  },
  async purge() {
    leased.clear();
    await queue.obliterate({ force: true });
    await queue.resume();
  },
  async work() {
    worker = new Worker(QUEUE, (job) => deliver(job.data), { ...settings, concurrency: AT_ONCE });
    await worker.waitUntilReady();
  },
  stop: () => worker.close(),
});
