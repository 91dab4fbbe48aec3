// The yardstick of bench/inbox.ts: node:http before pg-boss, a job queue on the same Postgres.
import { createServer } from "node:http";
import PgBoss from "pg-boss";

const [url, port] = process.argv.slice(2);
const QUEUE = "bench";
const boss = new PgBoss({ connectionString: url, max: 10, supervise: false, schedule: false });
await boss.start();
await boss.createQueue(QUEUE);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const input = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
  const body = JSON.stringify(await answer(request.url, input));
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), "127.0.0.1");

async function answer(path, input) {
  if (path === "/send") return { id: await boss.send(QUEUE, input) };
  if (path === "/receive") return { data: await boss.fetch(QUEUE, { batchSize: input.limit }) };
  if (path === "/ack") return { count: (await boss.complete(QUEUE, input.ids)).affected ?? 0 };
  return {};
}
