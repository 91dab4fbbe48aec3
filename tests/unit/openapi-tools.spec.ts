import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { openApiDocument } from "@/lib/api/openapi/document";
import { everyOperation } from "../support/operations";
import { ROOT } from "../support/servers";

/** In npm's cache of tools, which a clean checkout keeps, since they are larger than all that we use. */
const TOOLS = ["@hey-api/openapi-ts@0.95.0", "orval@7.13.2", "@stoplight/spectral-cli@6.16.3"];

/** The folder of their commands. */
let commands: string;

test.beforeAll(() => {
  test.setTimeout(10 * 60_000);
  const options = ["--yes", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const packages = TOOLS.map((tool) => `--package=${tool}`);
  const find = ["--fetch-retries=1", ...packages, "--call", "command -v orval"];
  const { status, stdout, stderr } = run("npm", ["exec", ...options, ...find], ROOT);
  test.skip(status !== 0 && UNREACHABLE.test(stderr), "The package registry cannot be reached.");
  expect(status, stderr).toBe(0);
  commands = path.dirname(stdout.trim());
});

/** What npm reports of a network or registry that fails. */
const UNREACHABLE =
  /ENOTFOUND|EAI_\w+|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|code E(?:429|5\d\d)/;

test("Spectral finds nothing in the document and its parts but what we leave out", () => {
  inFolder((folder) => {
    const ruleset = {
      extends: ["spectral:oas"],
      rules: {
        // The summaries of these operations say it all.
        "operation-description": "off",
        // Whoever runs the service is its contact.
        "info-contact": "off",
      },
    };
    writeFileSync(path.join(folder, "rules.json"), JSON.stringify(ruleset));
    const { stdout, stderr } = tool(
      "spectral",
      folder,
      "lint openapi.json part.json -r rules.json",
    );
    expect(stderr + stdout).toContain("No results with a severity of 'error' found!");
    expect(stdout).not.toContain("problem");
  });
});

test("@hey-api/openapi-ts makes a client that compiles, with null where a value may be null", () => {
  inFolder((folder) => {
    const { status, stderr } = tool("openapi-ts", folder, "-i openapi.json -o client");
    expect(status, stderr).toBe(0);
    const types = readFileSync(path.join(folder, "client/types.gen.ts"), "utf8");
    expect(types).toContain("body_encoding: 'utf8' | 'base64' | null;");
    expect(types).not.toMatch(/} & {|& [A-Z]/);
    expect(compile(folder, "client/index.ts")).toBe("");
  });
});

test("orval makes a client that compiles, with no names of its own for parts of a schema", () => {
  inFolder((folder) => {
    const argv = "--input openapi.json --output client.ts --client fetch";
    const { status, stdout, stderr } = tool("orval", folder, argv);
    expect(status, stdout + stderr).toBe(0);
    expect(readFileSync(path.join(folder, "client.ts"), "utf8")).not.toMatch(/\w+AllOf/);
    expect(compile(folder, "client.ts")).toBe("");
  });
});

/** Runs the test in a folder that has the document, and a part with what that leaves out. */
function inFolder(work: (folder: string) => void) {
  const folder = mkdtempSync(path.join(ROOT, "node_modules/.openapi-"));
  const described = everyOperation.filter(({ inPartOnly }) => !inPartOnly);
  const write = (name: string, operations: typeof everyOperation, isPart: boolean) => {
    const document = openApiDocument(operations, everyOperation, "https://agents.acme.dev", {
      isPart,
    });
    writeFileSync(path.join(folder, name), JSON.stringify(document));
  };
  write("openapi.json", described, false);
  const ofTasks = ({ path }: { path: string }) => path.startsWith("/api/tasks");
  const part = everyOperation.filter((one) => one.inPartOnly || ofTasks(one));
  write("part.json", part, true);
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tool(name: string, folder: string, argv: string) {
  return run(path.join(commands, name), argv.split(" "), folder);
}

/** What the compiler says about a program of this file. */
function compile(folder: string, file: string): string {
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--target",
    "es2022",
  ];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--types", "node"];
  const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout, stderr } = run(
    process.execPath,
    [compiler, ...options, ...modules, file],
    folder,
  );
  return stdout + stderr;
}

function run(command: string, argv: string[], cwd: string) {
  return spawnSync(command, argv, { cwd, encoding: "utf8", maxBuffer: 100_000_000 });
}
