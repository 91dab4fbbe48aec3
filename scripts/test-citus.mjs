// Runs the tests of the API, and those of faults of captures and inboxes, on a Citus cluster.
import { spawnSync } from "node:child_process";
import { argumentsOf } from "./arguments.mjs";

const FAULTS = ["capture-burst", "capture-limits", "inboxes-receivers"];
/** Pages read both kinds of tables at once, where the API reads one resource. */
const PAGES = ["every-page", "overview-pages", "webhooks-flow"];
const { positionals: tests } = argumentsOf(
  `Usage: npm run test:citus -- [TESTS…]

Distributes the database CITUS_URL, the coordinator's of a Citus cluster, and runs the tests of the API and of some
pages there, which keeps what they write. Then the tests of faults, in databases that they make. They need a superuser,
and one of them stops nodes, which must run on this machine.`,
  { max: Number.POSITIVE_INFINITY },
);
const { CITUS_URL, ...environment } = process.env;
if (!CITUS_URL) {
  console.log("Skipped: set CITUS_URL to a database for tests.");
  process.exit();
}
const chosen = ["--project=api", "--project=browser", "--project=fault", ...tests];
const all = [
  ["--project=api", "--project=browser", "api/", ...PAGES.map((name) => `browser/${name}.spec`)],
  ["--project=fault", ...FAULTS.map((name) => `fault/${name}.spec`)],
  // Runs apart, since it stops nodes.
  ["--project=fault", "fault/citus.spec"],
];
const runs = tests.length > 0 ? [chosen] : all;
const results = runs.map((argv) =>
  spawnSync(process.execPath, ["node_modules/playwright/cli.js", "test", ...argv], {
    env: { ...environment, TEST_CITUS_URL: CITUS_URL },
    stdio: "inherit",
  }),
);
process.exit(results.find(({ status }) => status !== 0)?.status ?? 0);
