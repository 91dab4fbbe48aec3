import { read } from "../support/documents";
import { expect, test } from "../support/fixtures";
import { failuresOf, installRunner, runScenarios, tableOf } from "../support/mcp-conformance";

/** Runs once, against both servers; the runner is a package of its own with another Node.js. */
test("Both servers pass every conformance scenario that applies, in both revisions", async () => {
  installRunner();
  const { TEST_BASE_URL = "", TEST_NEXT_BASE_URL = "" } = process.env;
  for (const baseUrl of [TEST_BASE_URL, TEST_NEXT_BASE_URL]) {
    const results = {
      "2026-07-28": await runScenarios(baseUrl, "2026-07-28"),
      "2025-11-25": await runScenarios(baseUrl, "2025-11-25"),
    };
    expect(Object.values(results).flatMap(failuresOf)).toEqual([]);
    expect(read("docs/mcp.md")).toContain(tableOf(results));
  }
});
