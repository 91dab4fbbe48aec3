import { read } from "../support/documents";
import { expect, test } from "../support/fixtures";
import { failuresOf, installRunner, runScenarios, tableOf } from "../support/mcp-conformance";

/** Runs once, against both servers; the runner is a package of its own with another Node.js. */
test("Both servers pass every conformance scenario that applies, in both revisions", async () => {
  installRunner();
  const { TEST_BASE_URL = "", TEST_NEXT_BASE_URL = "" } = process.env;
  const servers = [TEST_BASE_URL, TEST_NEXT_BASE_URL].map(async (baseUrl) => {
    const [newer, older] = await Promise.all([
      runScenarios(baseUrl, "2026-07-28"),
      runScenarios(baseUrl, "2025-11-25"),
    ]);
    return { "2026-07-28": newer, "2025-11-25": older };
  });
  for (const results of await Promise.all(servers)) {
    expect(Object.values(results).flatMap(failuresOf)).toEqual([]);
    expect(read("docs/mcp.md")).toContain(tableOf(results));
  }
});
