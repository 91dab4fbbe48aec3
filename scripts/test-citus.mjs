// Runs the tests of the API on the database of a Citus cluster.
import { spawnSync } from "node:child_process";
import { argumentsOf } from "./arguments.mjs";

const { positionals: tests } = argumentsOf(
  `Usage: npm run test:citus -- [TESTS…]

Distributes the database CITUS_URL, the coordinator's of a Citus cluster, and runs the tests of the API there.
The database keeps what they write.`,
  { max: Number.POSITIVE_INFINITY },
);
const { CITUS_URL, ...environment } = process.env;
if (!CITUS_URL) {
  console.log("Skipped: set CITUS_URL to a database for tests.");
  process.exit();
}
const argv = ["node_modules/playwright/cli.js", "test", "--project=api", ...tests];
const { status } = spawnSync(process.execPath, argv, {
  env: { ...environment, TEST_CITUS_URL: CITUS_URL },
  stdio: "inherit",
});
process.exit(status ?? 1);
