import fs from "node:fs";
import path from "node:path";
import { argumentsOf } from "../../scripts/arguments.mjs";
import { freePort, makeTemporaryFolder, startServer } from "../support/servers";
import type { FuzzOptions } from "./fuzz";

const USAGE = `Usage: npm run fuzz -- [--seconds 60] [--seed N] [--path …]
                    [--url http://localhost:3000 --key svc_live_…]

Without --url it starts its own server and database. Only servers on this machine are allowed.`;

const { values } = argumentsOf(USAGE, {
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    path: { type: "string" },
    url: { type: "string" },
    key: { type: "string" },
  },
});

// Only now, since --help should not wait for them.
const [{ connectEmbeddedPostgres }, { testPool }, { fuzz }, { keysOf }] = await Promise.all([
  import("@/lib/platform/embedded-postgres/start"),
  import("../support/test-pool"),
  import("./fuzz"),
  import("./keys"),
]);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const common = { seed, path: values.path, seconds: Number(values.seconds) };
console.log(`--seed ${seed}`);
process.exitCode = values.url ? await against(values.url, values.key) : await againstOwnServer();

async function against(url: string, key = "svc_live_none") {
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)) {
    console.error(
      "The fuzzer runs only against a server on this machine: --url http://localhost:3000",
    );
    return 2;
  }
  const keys = { key, otherkey: key, readkey: key };
  return await report({ ...common, baseUrl: new URL(url).origin, makeKeys: async () => keys });
}

async function againstOwnServer() {
  const folder = makeTemporaryFolder();
  const dataDir = path.join(folder, "data");
  const server = await startServer(["scripts/start.mjs"], await freePort(), {
    DATA_DIR: dataDir,
    VALIDATE_RESPONSES: "1",
  });
  const database = await connectEmbeddedPostgres({ dataDir });
  const db = testPool(database.url, 2);
  try {
    return await report({ ...common, baseUrl: server.baseUrl, makeKeys: () => keysOf(db) });
  } finally {
    await db.end();
    await database.stop();
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function report(options: FuzzOptions) {
  const { requests, statuses, failure } = await fuzz(options);
  console.log(`${requests} requests:`, JSON.stringify(statuses));
  if (failure === null) return 0;
  console.error(failure);
  return 1;
}
