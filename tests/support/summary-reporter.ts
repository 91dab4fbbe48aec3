import fs from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type {
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from "playwright/types/testReporter";
import { LOG } from "./servers";

/**
 * A dot for a test that passed, a paragraph for one that did not, and as the last line
 * `N passed, N failed` (and `, N skipped` where some were), which `.ci/run` reads.
 */
export default class SummaryReporter implements Reporter {
  private suite: Suite | undefined;
  private errors: TestError[] = [];
  private column = 0;

  onBegin(_config: unknown, suite: Suite) {
    this.suite = suite;
    if (isListing) for (const test of suite.allTests()) console.log(name(test));
    console.log(`${suite.allTests().length} tests`);
  }

  /** The report includes the output of tests, such as the fuzzer's seed. */
  onStdOut(chunk: string | Buffer, test: TestCase | undefined) {
    this.line(`${test ? `${name(test)}: ` : ""}${String(chunk).trimEnd()}`);
  }

  onStdErr(chunk: string | Buffer, test: TestCase | undefined) {
    this.onStdOut(chunk, test);
  }

  onTestEnd(test: TestCase, result: TestResult) {
    if (result.status === test.expectedStatus)
      return this.mark(result.status === "skipped" ? "-" : ".");
    this.line(`\nFAILED ${name(test)} (${result.status}, ${result.duration} ms)`);
    for (const error of result.errors) console.log(indented(error));
  }

  /** Errors outside of tests: the set-up, a file that does not load. */
  onError(error: TestError) {
    this.errors.push(error);
    this.line(`\nERROR ${indented(error)}`);
  }

  onEnd(result: FullResult) {
    if (isListing && this.errors.length === 0) return;
    const tests = this.suite?.allTests() ?? [];
    const skipped = tests.filter((test) => test.expectedStatus === "skipped").length;
    const passed = tests.filter(
      (test) => test.results.length > 0 && test.outcome() === "expected",
    ).length;
    const failing = tests.filter(
      (test) => test.expectedStatus !== "skipped" && test.outcome() !== "expected",
    );
    const notRun = failing.filter((test) => test.results.length === 0);

    this.line("");
    for (const test of failing) {
      if (notRun.includes(test)) continue;
      console.log(`failed: ${name(test)}`);
      // Once more, since a long log is often shortened in the middle.
      for (const { errors } of test.results) for (const error of errors) console.log(brief(error));
      for (const line of test.results.flatMap(loggedDuring)) console.log(`    ${line}`);
    }
    if (notRun.length > 0) console.log(`${notRun.length} tests were not run; they count as failed`);
    if (this.errors.length > 0)
      console.log(`${this.errors.length} errors outside of tests; they count as failed`);
    console.log(`${result.status} after ${Math.round(result.duration / 1000)} s`);

    const failed = failing.length + this.errors.length;
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  }

  private mark(character: string) {
    process.stdout.write(character);
    this.column += 1;
    if (this.column >= 100) this.line("");
  }

  /** Prints a line, on a new one if dots precede it. */
  private line(text: string) {
    if (this.column > 0) process.stdout.write("\n");
    this.column = 0;
    if (text) console.log(text);
  }
}

const LOG_SLACK_MS = 1000;
const LOGGED_LINES_MAX = 20;
const LOGGED_CHARACTERS_MAX = 1000;

/** `npx playwright test --list` runs none of them. */
const isListing = process.argv.includes("--list");

function name(test: TestCase) {
  const [, project, , ...titles] = test.titlePath();
  return `[${project}] ${test.location.file.split("/tests/").at(-1)}:${test.location.line} ${titles.join(" > ")}`;
}

/** The last lines that the shared servers logged during the test, where the cause of a 5xx is. */
function loggedDuring({ startTime, duration }: TestResult): string[] {
  if (!fs.existsSync(LOG)) return [];
  const shared = Object.entries(process.env).filter(([name]) => /^TEST_.*BASE_URL$/.test(name));
  const ports = shared.map(([, url = ""]) => new URL(url).port);
  // The test's clock may be a little behind.
  const end = startTime.getTime() + duration + LOG_SLACK_MS;
  const lines = fs.readFileSync(LOG, "utf8").split("\n");
  const logged = lines.filter((line) => {
    const [, port = "", time = ""] = /^\[(\d+)\] \{"time":"([^"]+)"/.exec(line) ?? [];
    const at = Date.parse(time);
    return ports.includes(port) && at >= startTime.getTime() && at <= end;
  });
  return logged.slice(-LOGGED_LINES_MAX).map((line) => line.slice(0, LOGGED_CHARACTERS_MAX));
}

function indented(error: TestError) {
  const text = error.stack ?? error.message ?? String(error.value);
  return indent([text, error.snippet ?? ""].join("\n"));
}

function brief(error: TestError) {
  return indent((error.message ?? String(error.value)).slice(0, LOGGED_CHARACTERS_MAX));
}

function indent(text: string) {
  const shown = text.trimEnd().replace(/^/gm, "    ");
  return process.stdout.isTTY ? shown : stripVTControlCharacters(shown);
}
