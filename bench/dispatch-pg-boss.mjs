// node bench/dispatch-pg-boss.mjs DATABASE_URL PORT: GET /fill?count=&url= queues fetches, GET /go makes them, 50 at once, until GET /stop.
import { createServer } from "node:http";
import PgBoss from "pg-boss";

const [databaseUrl, port] = process.argv.slice(2);
const boss = new PgBoss({ connectionString: databaseUrl, max: 10 });
await boss.start();
await boss.createQueue("send");

const actions = {
  async "/fill"(query) {
    const data = { url: query.get("url"), body: '{"bench":true}' };
    const jobs = Array.from({ length: Number(query.get("count")) }, () => ({ name: "send", data }));
    for (let at = 0; at < jobs.length; at += 1000) await boss.insert(jobs.slice(at, at + 1000));
  },
  // A batch of ten times 50, because it fetches one batch in half a second at most.
  async "/go"() {
    await boss.work("send", { batchSize: 500, pollingIntervalSeconds: 0.5 }, async (jobs) => {
      const left = jobs.values();
      const worker = async () => {
        for (const job of left) await send(job);
      };
      await Promise.all(Array.from({ length: 50 }, worker));
    });
  },
  "/stop": () => boss.offWork("send"),
};

async function send({ data: { url, body } }) {
  const response = await fetch(url, { method: "POST", body });
  await response.arrayBuffer();
}

createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  await actions[url.pathname]?.(url.searchParams);
  response.end();
}).listen(Number(port), "127.0.0.1");
