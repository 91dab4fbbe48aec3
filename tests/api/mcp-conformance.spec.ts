import { expect, test } from "../support/fixtures";
import type { Revision } from "../support/mcp";
import { failuresOf, installRunner, passedIn, runScenarios } from "../support/mcp-conformance";

/** The checks that must pass: none may be left out unnoticed. */
const CHECKS: Record<Revision, Record<string, number>> = {
  "2026-07-28": {
    caching: 6,
    "dns-rebinding-protection": 2,
    "http-header-validation": 14,
    "resources-list": 2,
    "sep-2164-resource-not-found": 4,
    "server-sse-multiple-streams": 1,
    "server-stateless": 24,
    "tools-list": 4,
  },
  "2025-11-25": {
    "dns-rebinding-protection": 2,
    ping: 2,
    "resources-list": 2,
    "server-initialize": 2,
    "server-sse-multiple-streams": 2,
    "tools-list": 3,
  },
};

/** The runner is a package of its own with another Node.js. */
test("Our server passes every conformance scenario that applies, in both revisions", async ({
  baseUrl,
}) => {
  installRunner();
  await runUntilPassed(baseUrl, "2026-07-28");
  await runUntilPassed(baseUrl, "2025-11-25");
});

/** On a busy machine a scenario may run out of the time that the runner gives it. */
async function runUntilPassed(baseUrl: string, revision: Revision): Promise<void> {
  await expect(async () => {
    const results = await runScenarios(baseUrl, revision);
    expect(failuresOf(results)).toEqual([]);
    expect(passedIn(results)).toEqual(CHECKS[revision]);
  }).toPass({ timeout: 80_000 });
}
