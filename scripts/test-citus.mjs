// `CITUS_URL=… npm run test:citus`: runs the tests of the API on a distributed database, the coordinator's of a
// Citus cluster with workers. It keeps what the tests write. Arguments choose tests, as those of `npm test` do.
import { spawnSync } from "node:child_process";

const { CITUS_URL, ...environment } = process.env;
if (!CITUS_URL) {
  console.log(
    "Skipped: set CITUS_URL to a database for tests on the coordinator of a Citus cluster.",
  );
  process.exit();
}
const argv = ["node_modules/playwright/cli.js", "test", "--project=api", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, argv, {
  env: { ...environment, TEST_CITUS_URL: CITUS_URL },
  stdio: "inherit",
});
process.exit(status ?? 1);
