import { defineConfig } from "playwright/test";
import { browserLaunch } from "./tests/support/browser";
import type { ServerOptions } from "./tests/support/fixtures";

/** One runner for all tests. `npx playwright test --project=unit` starts no server; see tests/support/global-setup.ts. */
export default defineConfig<object, ServerOptions>({
  globalSetup: "./tests/support/global-setup.ts",
  reporter: [["./tests/support/summary-reporter.ts"]],
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  projects: [
    // First, since these tests mostly wait: one worker runs them while the others do the rest.
    {
      name: "fault",
      testDir: "tests/fault",
      workers: 1,
      fullyParallel: false,
      timeout: 15 * 60_000,
      expect: { timeout: 120_000 },
    },
    { name: "unit", testDir: "tests/unit" },
    { name: "api", testDir: "tests/api", use: { server: "own" } },
    {
      name: "api-next",
      testDir: "tests/api",
      testIgnore: ["own-server.spec.ts", "fuzz.spec.ts"],
      use: { server: "next" },
    },
    {
      name: "browser",
      testDir: "tests/browser",
      timeout: 180_000,
      use: { server: "own", launchOptions: browserLaunch() },
    },
  ],
});
