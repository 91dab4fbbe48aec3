import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { examplesOf } from "@/lib/docs/examples";
import type { Operation } from "@/lib/platform/http/operation";
import { expect, test } from "../support/agents";
import { operationAt, ROOT } from "../support/documents";
import { type ExampleCase, exampleCase } from "../support/example-cases";
import { everyOperation, titleOf } from "../support/operations";
import { plainEnvironment } from "../support/servers";

/** Every example of the reference, run as it is shown. Only its sample IDs are replaced. */

// All examples use one server.
test.describe.configure({ mode: "default" });

const run = promisify(execFile);
const FOLDER = path.join(ROOT, "test-results/.examples");

test("Every example in curl makes its call, which succeeds", async ({ agents, db }) => {
  const cases = await Promise.all(everyOperation.map((one) => exampleCase(one, agents, db)));
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

/** After each call, its status, method and URL. A stream is cut off after a second. */
const REPORTING_CURL = `curl() {
  if [ "$1" = -N ]; then set -- -m 1 "$@"; fi
  command curl -sS -o /dev/null -w '%{stderr}%{http_code} %{method} %{url_effective}\\n' "$@" 2>&1 >/dev/null | grep '^[0-9]' >&2
}`;

test("Every example in TypeScript fits the types of the client", async ({ agents }) => {
  writeExamples((operation) => examplesOf(operation, agents.baseUrl).typescript);
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "--project", FOLDER]).catch(
    (error) => error,
  );
  expect(stdout).toBe("");
});

test("Every example in TypeScript makes its call, which succeeds", async ({ agents, db }) => {
  const cases = await Promise.all(everyOperation.map((one) => exampleCase(one, agents, db)));
  const byId = new Map(cases.map((one) => [one.operation.id, one]));
  writeExamples((operation) => {
    const text = examplesOf(operation, agents.baseUrl).typescript;
    return byId.get(operation.id)?.filled(text) ?? text;
  });
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
      const call = JSON.parse(filled(examplesOf(operation, agents.baseUrl).mcp ?? ""));
      const client = new Client({ name: "examples", version: "1" });
      const url = new URL(`${agents.baseUrl}/mcp`);
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      const { isError = false, content } = await client.callTool(call);
      await client.close();
      return { operation: operation.id, isError, content };
    }),
  );
  expect(results.filter(({ isError }) => isError)).toEqual([]);
});

/** Writes an example of each operation into a project of its own. */
function writeExamples(textOf: (operation: Operation) => string) {
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  const compilerOptions = {
    target: "es2022",
    module: "preserve",
    moduleDetection: "force",
    lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    types: ["node"],
    strict: true,
    noEmit: true,
    paths: { "agent-infrastructure-client": [path.join(ROOT, "packages/client/src/index.ts")] },
  };
  fs.writeFileSync(path.join(FOLDER, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  for (const operation of everyOperation) fs.writeFileSync(fileOf(operation), textOf(operation));
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
