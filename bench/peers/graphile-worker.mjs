// node bench/peers/graphile-worker.mjs PORT DATABASE_URL
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { AT_ONCE, deliver, serveQueue } from "./queue-server.mjs";

const [port, connectionString] = process.argv.slice(2);
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
let runner;

serveQueue(port, {
  async fill({ count, data }) {
    const text =
      "SELECT graphile_worker.add_job('deliver', $1::json) FROM generate_series(1, $2::int)";
    await utils.withPgClient((client) => client.query(text, [data, count]));
  },
  async work() {
    runner = await run({
      connectionString,
      logger,
      concurrency: AT_ONCE,
      maxPoolSize: 10,
      pollInterval: 500,
      noHandleSignals: true,
      taskList: { deliver },
    });
  },
  stop: () => runner.stop(),
});
