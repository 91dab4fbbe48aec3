import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { examplesOf } from "@/lib/docs/examples";
import type { Operation } from "@/lib/platform/http/operation";
import { expect, test } from "../support/agents";
import { operationAt, ROOT } from "../support/documents";
import { type ExampleCase, exampleCase } from "../support/example-cases";
import { messageOf, toolCall } from "../support/mcp";
import { everyOperation, titleOf } from "../support/operations";
import { plainEnvironment } from "../support/servers";

/**
 * The examples of the reference, run as they are shown. Only their sample IDs are replaced. That those in
 * TypeScript fit the types of the client: tests/api/client-package.spec.ts.
 */

// All examples use one server.
test.describe.configure({ mode: "default" });

const run = promisify(execFile);
const FOLDER = path.join(ROOT, "test-results/.examples");

test("An example in curl of each form makes its call, which succeeds", async ({ agents, db }) => {
  const forms = new Map(
    everyOperation.map((one) => [formOf(examplesOf(one, agents.baseUrl).curl), one]),
  );
  expect(forms.size).toBeGreaterThan(10);
  const cases = await inGroups([...forms.values()], 8, (one) => exampleCase(one, agents, db));
  const calls = await inGroups(cases, 8, async ({ operation, key, filled }) => {
    const text = filled(examplesOf(operation, agents.baseUrl).curl);
    const { stderr } = await run("sh", ["-c", `${REPORTING_CURL}\n${text}`], {
      env: { ...plainEnvironment(), AGENT_INFRA_KEY: key },
    });
    return { operation, calls: stderr.trim().split("\n") };
  });
  for (const { operation, calls: made } of calls) {
    expect.soft(made.map(described), operation.id).toEqual([expected(operation, made)]);
  }
});

/** Its options and the names of its headers. The tour calls every operation with curl. */
function formOf(curl: string): string {
  const options = curl.match(/(?<= )-(?:X \w+|H ["'][\w-]+|\w)/g) ?? [];
  return [curl.includes("?") ? "query" : "", ...options].join(" ");
}

/** After each call, its status, method and URL. A stream is cut off some time after it has begun. */
const REPORTING_CURL = `report() {
  command curl -sS -o /dev/null -w '%{stderr}%{http_code} %{method} %{url_effective}\\n' "$@" 2>&1 >/dev/null | grep '^[0-9]'
}
curl() {
  if [ "$1" != -N ]; then report "$@" >&2; return; fi
  for seconds in 1 5 25; do
    line=$(report -m $seconds "$@")
    case $line in 000*) ;; *) break ;; esac
  done
  echo "$line" >&2
}`;

test("Every example in TypeScript makes its call, which succeeds", async ({ agents, db }) => {
  const cases = await inGroups(everyOperation, 8, (one) => exampleCase(one, agents, db));
  writeExamples(cases, agents.baseUrl);
  const results = await runTypescript(cases);
  for (const [index, operation] of everyOperation.entries()) {
    const { calls = [], error } = results[index] ?? {};
    expect.soft(error, operation.id).toBeNull();
    expect.soft(calls.map(described), operation.id).toContain(expected(operation, calls));
  }
});

test("Every example of an MCP tool is a call that succeeds", async ({ agents, db }) => {
  const shown = everyOperation.filter((one) => examplesOf(one, agents.baseUrl).mcp);
  expect(shown.length).toBeGreaterThanOrEqual(20);
  const results = await Promise.all(
    shown.map(async (operation) => {
      const { key, filled } = await exampleCase(operation, agents, db);
      const { name, arguments: given } = JSON.parse(
        filled(examplesOf(operation, agents.baseUrl).mcp ?? ""),
      );
      const headers = { accept: "application/json, text/event-stream" };
      const body = toolCall(name, given);
      const response = await agents.api("POST", "/mcp", { key, headers, body });
      const { isError = false, content } = messageOf(response).result;
      return { operation: operation.id, isError, content };
    }),
  );
  expect(results.filter(({ isError }) => isError)).toEqual([]);
});

/** Writes an example of each operation into a project of its own. */
function writeExamples(cases: ExampleCase[], baseUrl: string) {
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  const compilerOptions = {
    target: "es2022",
    module: "preserve",
    moduleDetection: "force",
    paths: { "agent-infrastructure-client": [path.join(ROOT, "packages/client/src/index.ts")] },
  };
  fs.writeFileSync(path.join(FOLDER, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  for (const { operation, filled } of cases) {
    fs.writeFileSync(fileOf(operation), filled(examplesOf(operation, baseUrl).typescript));
  }
}

function fileOf({ id }: Operation) {
  return path.join(FOLDER, `${id}.ts`);
}

interface Ran {
  calls: string[];
  error: string | null;
}

/** Runs the written examples in one process, each with its key. */
async function runTypescript(cases: ExampleCase[]): Promise<Ran[]> {
  const argv = ["--import", "tsx", path.join(ROOT, "tests/support/run-examples.ts")];
  const child = spawn(process.execPath, argv, {
    cwd: FOLDER,
    env: { ...plainEnvironment(), TSX_TSCONFIG_PATH: path.join(FOLDER, "tsconfig.json") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(
    JSON.stringify(cases.map(({ operation, key }) => ({ file: fileOf(operation), key }))),
  );
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) output += chunk;
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** `200 GET http://…/api/tasks?limit=1` as `200 GET /api/tasks`. */
function described(call: string): string {
  const [status, method = "", url = ""] = call.split(" ");
  return `${status} ${operationAt(method, new URL(url).pathname)}`;
}

/** The call of an operation; an upsert may create. */
function expected(operation: Operation, calls: string[]): string {
  const { success } = operation;
  const created = success.orCreated && calls.some((call) => call.startsWith("201 "));
  return `${created ? 201 : success.status} ${titleOf(operation)}`;
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(work))));
  }
  return results;
}
