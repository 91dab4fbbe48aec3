// node bench/dispatch-graphile.mjs DATABASE_URL PORT: GET /fill?count=&url= queues fetches, GET /go makes them, 50 at once, until GET /stop.
import { createServer } from "node:http";
import { Logger, makeWorkerUtils, run } from "graphile-worker";

const [connectionString, port] = process.argv.slice(2);
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();

let runner;

const actions = {
  async "/fill"(query) {
    const payload = { url: query.get("url"), body: '{"bench":true}' };
    const add = "SELECT graphile_worker.add_job('send', $1::json) FROM generate_series(1, $2::int)";
    await utils.withPgClient((client) => client.query(add, [payload, query.get("count")]));
  },
  async "/go"() {
    runner = await run({
      connectionString,
      logger,
      concurrency: 50,
      maxPoolSize: 10,
      pollInterval: 500,
      noHandleSignals: true,
      taskList: { send },
    });
  },
  "/stop": () => runner.stop(),
};

async function send({ url, body }) {
  const response = await fetch(url, { method: "POST", body });
  await response.arrayBuffer();
}

createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  await actions[url.pathname]?.(url.searchParams);
  response.end();
}).listen(Number(port), "127.0.0.1");
