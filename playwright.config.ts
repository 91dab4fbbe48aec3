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
  "mcp-events-subscribe",
  "metrics",
  "processes",
  "revocation",
  "task-leases",
  "webhooks-live",
];

/** Of these, what waits for others, runs beside others, is remembered or is counted. */
const BETWEEN_PROCESSES = [
  /idempotency\.spec.*(parallel requests|byte for byte|was revoked)/,
  /inboxes-consume\.spec.*(A waiting receiver|waiting receivers|disconnects|Of parallel deletes)/,
  /mcp-events-subscribe\.spec.*made again at once/,
  /metrics\.spec.*(Every request is counted|while they wait)/,
  /processes\.spec/,
  /revocation\.spec/,
  /task-leases\.spec.*(A waiting worker|20 workers|Of workers that)/,
  /webhooks-live\.spec.*(responds within|keeps reconnecting|during a claim|A stream ends)/,
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
      testIgnore: ["processes.spec.ts"],
      use: { server: "own" },
    },
    {
      name: "api-processes",
      testDir: "tests/api",
      testMatch: SHARED.map((name) => `${name}.spec.ts`),
      grep: BETWEEN_PROCESSES,
      use: { server: "processes" },
    },
    {
      name: "api-next",
      testDir: "tests/api",
      testMatch: EDGE.map((name) => `${name}.spec.ts`),
      // Of the tests that depend only on the schema of a body, "names a required property" is enough here.
      // What is stored of a capture, found by a poll or in a document, and refused as a value, does not
      // depend on the server either.
      grepInvert: [
        /Random bytes as a body never cause a 5xx/,
        /Every operation refuses (an unknown|a body other than a JSON object)/,
        /Deeply nested JSON is refused|A hundred thousand labels|Thousands of unknown properties/,
        /Fields that the server sets, internal names/,
        /The message of invalid_json says where|Of several errors in a body/,
        /A public endpoint records credentials as \[redacted\]/,
        /Credentials are recorded only from the claim on/,
        /A hostile body is captured|A text over the limit ends|A GitHub signature verifies/,
        /Parallel captures are all stored|Captures of other endpoints do not wait/,
        /parsed_body is the JSON value for JSON content types/,
        /wait is clamped to its bounds|since returns newer events|An invalid position or wait/,
        /A long poll (responds within|without events|with filters)|A reader that keeps reconnecting/,
        /It (describes the security|documents If-Match|lists the operations)/,
        /Capture and ingest accept any body/,
        /The raw ETag changes|The file name of a download/,
        /(A cancelled wait|A wait reports progress|five jobs from the URL|A stream confirms) .*\(2025/,
        // Node's own 431 may be lost, because it closes while the client writes. Ours waits.
        /A megabyte of headers is 431/,
        // That each path exports every method: tests/unit/registry.spec.ts.
        /Other methods than those of a path are 405/,
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
        // Of a worker's tests: a new one would start a process and compile our scripts for each.
        reuseContext: true,
        // Drawing transitions takes a twelfth of Chromium's CPU time. Files about what moves turn them on.
        contextOptions: { reducedMotion: "reduce" },
      },
    },
  ],
});
