import { read } from "../support/documents";
import { expect, test } from "../support/fixtures";
import { failuresOf, installRunner, runScenarios, tableOf } from "../support/mcp-conformance";

/** Runs once, against both servers; the runner is a package of its own with another Node.js. */
test("Both servers pass every conformance scenario that applies, in both revisions", async () => {
  installRunner();
  const { TEST_BASE_URL = "", TEST_NEXT_BASE_URL = "" } = process.env;
  for (const baseUrl of [TEST_BASE_URL, TEST_NEXT_BASE_URL]) {
    // On a busy machine a scenario may run out of the time that the runner gives it.
    await expect(async () => {
      const [newer, older] = await Promise.all([
        runScenarios(baseUrl, "2026-07-28"),
        runScenarios(baseUrl, "2025-11-25"),
      ]);
      expect([newer, older].flatMap(failuresOf)).toEqual([]);
      const table = tableOf({ "2026-07-28": newer, "2025-11-25": older });
      expect(read("docs/mcp.md")).toContain(table);
    }).toPass({ timeout: 60_000 });
  }
});
