import { defineConfig } from "playwright/test";
import { browserLaunch } from "./tests/support/browser";
import type { ServerOptions } from "./tests/support/fixtures";

// Tests call the code of the service too, and would drown in its requests.
process.env.LOG_LEVEL = "warn";

/** Where plain `next start` could differ from our own server: how requests are read and answered. */
const EDGE = [
  "artifacts-raw",
  "base-address",
  "cors",
  "discovery",
  "docs",
  "errors",
  "hostile",
  "json-bodies",
  "mcp-conformance",
  "mcp-events-stream",
  "mcp-hostile",
  "mcp-session",
  "mcp-waiting",
  "methods",
  "operations",
  "webhooks-capture",
  "webhooks-live",
];

/** Where several processes could differ from one: what one of them knows and another must notice. */
const SHARED = [
  "idempotency",
  "inboxes-consume",
  "metrics",
  "processes",
  "revocation",
  "task-leases",
  "webhooks-live",
];

/** One runner for all tests. `npx playwright test --project=unit` starts no server; see tests/support/global-setup.ts. */
export default defineConfig<object, ServerOptions>({
  globalSetup: "./tests/support/global-setup.ts",
  reporter: [["./tests/support/summary-reporter.ts"]],
  outputDir: "test-results",
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // More than two cores could keep busy, because the first project often waits. With five, tests
  // that measure time failed on a slow machine.
  workers: 4,
  // Only a hang takes as long: other processes may need the machine too.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  projects: [
    // First, since these tests often wait: two workers run them while the others do the rest.
    {
      name: "fault",
      testDir: "tests/fault",
      // These replace a Postgres server and need the machine for themselves: `npm run test:failover`.
      testIgnore: process.env.TEST_FAILOVER ? [] : ["failover.spec.ts"],
      workers: 2,
      timeout: 15 * 60_000,
      expect: { timeout: 120_000 },
    },
    { name: "unit", testDir: "tests/unit" },
    {
      name: "api",
      testDir: "tests/api",
      // mcp-conformance compares the servers of two projects.
      testIgnore: ["processes.spec.ts", "mcp-conformance.spec.ts"],
      use: { server: "own" },
    },
    {
      name: "api-processes",
      testDir: "tests/api",
      testMatch: SHARED.map((name) => `${name}.spec.ts`),
      use: { server: "processes" },
    },
    {
      name: "api-next",
      testDir: "tests/api",
      testMatch: EDGE.map((name) => `${name}.spec.ts`),
      // Of the tests that depend only on the schema of a body, "names a required property" is enough here.
      // What is stored of a capture, and found by a poll, does not depend on the server either.
      grepInvert: [
        /Random (task bodies|bytes as a body) never cause a 5xx/,
        /Every operation refuses (an unknown property|a body other than a JSON object)/,
        /Fields that the server sets, internal names/,
        /A public endpoint records credentials as \[redacted\]/,
        /Credentials are recorded only from the claim on/,
        /parsed_body is the JSON value for JSON content types/,
        /wait is clamped to its bounds/,
        /A long poll with filters waits for a matching event/,
      ],
      use: { server: "next" },
    },
    {
      name: "browser",
      testDir: "tests/browser",
      // Some files take a minute. In the other projects each process would load every file.
      fullyParallel: true,
      // These do not wait: more would only disturb each other.
      workers: 3,
      use: {
        server: "own",
        launchOptions: browserLaunch(),
        // Drawing transitions takes a twelfth of Chromium's CPU time. Files about what moves turn them on.
        contextOptions: { reducedMotion: "reduce" },
      },
    },
  ],
});
