import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Revision } from "./mcp";
import { makeTemporaryFolder, ROOT } from "./servers";

const FOLDER = path.join(ROOT, "tests/conformance");

/** Scenarios for what this server does not have, by the reason. */
const NOT_APPLICABLE: Record<string, RegExp> = {
  "There are no prompts": /^prompts-/,
  "There is no completion of arguments": /^completion-/,
  "There is no logging to clients": /^(logging-set-level|tools-call-with-logging)$/,
  "Lists never change, so there are no subscriptions": /^resources-(un)?subscribe$/,
  "They ask for input in tools with fixed names, and there is no sampling":
    /^(tools-call-sampling|tools-call-elicitation|elicitation-|input-required-)/,
  "They call tools with fixed names, such as `test_simple_text`":
    /^(tools-call-|json-schema-2020-12$)/,
  "They read resources with fixed names, such as `test://static-text`":
    /^resources-(read|templates-read)/,
  "No argument is also a header": /^http-custom-header-/,
  "They need a session or an event store, and this server keeps nothing":
    /^(server-session-lifecycle|server-sse-polling)$/,
};

/** Single checks for the same reasons, in scenarios that apply. */
const UNTESTABLE =
  /^(prompts\/list returned JSON-RPC error -32601|Not testable: server does not list)/;

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

/** The checks of each scenario. */
export type Results = Map<string, Check[]>;

/** Installs the runner and the Node.js that it needs, unless they are there. */
export function installRunner() {
  const [lock, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map((name) =>
    fs.statSync(path.join(FOLDER, name), { throwIfNoEntry: false }),
  );
  if (lock && installed && installed.mtimeMs > lock.mtimeMs) return;
  const { status, stderr } = spawnSync("npm", ["ci", "--prefix", FOLDER], { encoding: "utf8" });
  if (status !== 0) throw new Error(`The conformance runner cannot be installed: ${stderr}`);
}

/** Runs every scenario of a revision against a server. */
export async function runScenarios(baseUrl: string, revision: Revision): Promise<Results> {
  const output = makeTemporaryFolder();
  const modules = path.join(FOLDER, "node_modules");
  const argv = ["server", "--url", `${baseUrl}/mcp`, "--spec-version", revision, "--suite", "all"];
  const program = path.join(modules, "@modelcontextprotocol/conformance/dist/index.js");
  // It exits with 1, since scenarios that do not apply fail.
  await promisify(execFile)(runtimeIn(modules), [program, ...argv, "-o", output]).catch(() => {});
  const results: Results = new Map();
  for (const folder of fs.readdirSync(output).sort()) {
    const name = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    const checks = fs.readFileSync(path.join(output, folder, "checks.json"), "utf8");
    results.set(name, JSON.parse(checks));
  }
  fs.rmSync(output, { recursive: true });
  return results;
}

/** The Node.js 22 of this platform. */
function runtimeIn(modules: string): string {
  const folder = fs
    .readdirSync(modules)
    .find((name) => /^node-(bin-)?(linux|darwin|win)-/.test(name));
  if (folder === undefined) throw new Error("There is no Node.js 22 for this platform.");
  const name = process.platform === "win32" ? "node.exe" : "node";
  return path.join(modules, folder, "bin", name);
}

function applies(scenario: string): boolean {
  return !Object.values(NOT_APPLICABLE).some((pattern) => pattern.test(scenario));
}

/** The failed checks of scenarios that apply, as texts. */
export function failuresOf(results: Results): string[] {
  return [...results].flatMap(([scenario, checks]) =>
    checks
      .filter(
        ({ status, errorMessage = "" }) => status === "FAILURE" && !UNTESTABLE.test(errorMessage),
      )
      .filter(() => applies(scenario))
      .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`),
  );
}

/** How many checks passed in each scenario that applies, without those where none did. */
export function passedIn(results: Results): Record<string, number> {
  const counts = [...results].map(([scenario, checks]): [string, number] => [
    scenario,
    checks.filter(({ status }) => status === "SUCCESS").length,
  ]);
  return Object.fromEntries(counts.filter(([scenario, count]) => count > 0 && applies(scenario)));
}
