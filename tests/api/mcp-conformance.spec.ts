import { read } from "../support/documents";
import { expect, test } from "../support/fixtures";
import type { Revision } from "../support/mcp";
import {
  failuresOf,
  installRunner,
  type Results,
  runScenarios,
  tableOf,
} from "../support/mcp-conformance";

/** The runner is a package of its own with another Node.js. */
test("Our server passes every conformance scenario that applies, in both revisions", async ({
  baseUrl,
}) => {
  installRunner();
  const newer = await passed(baseUrl, "2026-07-28");
  const older = await passed(baseUrl, "2025-11-25");
  const table = tableOf({ "2026-07-28": newer, "2025-11-25": older });
  expect(read("docs/mcp.md")).toContain(table);
});

/** On a busy machine a scenario may run out of the time that the runner gives it. */
async function passed(baseUrl: string, revision: Revision): Promise<Results> {
  let results: Results = new Map();
  await expect(async () => {
    results = await runScenarios(baseUrl, revision);
    expect(failuresOf(results)).toEqual([]);
  }).toPass({ timeout: 80_000 });
  return results;
}
