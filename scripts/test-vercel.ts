import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { argumentsOf } from "./arguments.mjs";

/**
 * `npm run test:vercel`: builds as Vercel does, with its CLI but without signing in, and checks the
 * output that Vercel would deploy. Needs the network to download the CLI.
 */
const CLI = "vercel@48";
/** What Vercel, with Skew Protection, and the owner set in production. The CLI sets `VERCEL` and `NOW_BUILDER`. */
const ENVIRONMENT = {
  VERCEL_ENV: "production",
  VERCEL_PROJECT_PRODUCTION_URL: "agents.acme.dev",
  NEXT_DEPLOYMENT_ID: "dpl_test",
  SERVER_SECRET: "s".repeat(40),
  AGENT_AUTH_SECRET: "a".repeat(40),
  VERCEL_TELEMETRY_DISABLED: "1",
};
const OUTPUT = ".vercel/output";
const FUNCTIONS = path.join(OUTPUT, "functions");
/** Vercel's limit, unpacked. */
const MEGABYTES_MAX = 250;
/** Files that functions read or start by their path. */
const READ = [
  ["/a/[token]/view", "dist/lib/resources/artifacts/markdown-worker.js"],
  ["/artifacts/[id]/view", "dist/lib/resources/artifacts/markdown-worker.js"],
  ["/artifacts/[id]/versions/[n]/view", "dist/lib/resources/artifacts/markdown-worker.js"],
  ["/artifacts/preview/view", "dist/lib/resources/artifacts/markdown-worker.js"],
  ["/questions/[id]/[part]/[signature]/view", "dist/lib/resources/artifacts/markdown-worker.js"],
  ["/tasks/[id]", "dist/lib/resources/artifacts/markdown-worker.js"],
  ["/docs/[[...path]]", "dist/docs/pages.json"],
  ["/llms-full.txt", "dist/docs/full.md"],
  ["/client.tgz", "dist/client.tgz"],
] as const;

interface FunctionConfig {
  runtime: string;
  maxDuration?: number;
  supportsCancellation?: boolean;
  /** Maps a path in the function to the file. */
  filePathMap?: Record<string, string>;
}

interface Function {
  route: string;
  config: FunctionConfig;
  /** Names in the function, with their sizes in bytes. */
  files: Map<string, number>;
}

argumentsOf("Usage: npm run test:vercel\n\nBuilds as Vercel does, and checks the output.");
await build();
const problems: string[] = [];
const functions = readFunctions();
checkSizes();
checkDeclarations();
checkFiles();
checkCron();
// npm start cannot serve Vercel's build, and would not see that it has to build again.
fs.rmSync(".next", { recursive: true });
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "The output for Vercel is fine." : "");
process.exit(problems.length === 0 ? 0 : 1);

async function build() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "test-vercel-"));
  fs.chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    if (!fs.existsSync(".vercel/project.json")) {
      fs.mkdirSync(".vercel", { recursive: true });
      const settings = { framework: "nextjs", installCommand: "" };
      const project = { projectId: "prj_none", orgId: "team_none", settings };
      fs.writeFileSync(".vercel/project.json", JSON.stringify(project));
    }
    execFileSync("npx", ["--yes", CLI, "build", "--yes"], {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...ENVIRONMENT, DATABASE_URL: postgres.url },
    });
  } finally {
    await postgres.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Leaves out functions that are links to others. */
function readFunctions(): Function[] {
  return fs
    .readdirSync(FUNCTIONS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.endsWith(".func"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((folder) => {
      const config: FunctionConfig = JSON.parse(
        fs.readFileSync(path.join(folder, ".vc-config.json"), "utf8"),
      );
      const route = `/${path.relative(FUNCTIONS, folder).replace(/\.func$/, "")}`;
      return { route, config, files: filesOf(folder, config) };
    });
}

function filesOf(folder: string, { filePathMap = {} }: FunctionConfig): Map<string, number> {
  const own = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map([
    ...own.map((file) => [path.relative(folder, file), fs.statSync(file).size] as const),
    ...Object.entries(filePathMap).map(([name, file]) => [name, fs.statSync(file).size] as const),
  ]);
}

function checkSizes() {
  const sizes = functions.map(({ route, files }) => ({
    route,
    megabytes: [...files.values()].reduce((sum, size) => sum + size, 0) / 1_000_000,
  }));
  sizes.sort((a, b) => b.megabytes - a.megabytes);
  const largest = sizes[0] ?? { route: "none", megabytes: Number.NaN };
  console.log(
    `${functions.length} functions; the largest, ${largest.route}, has ${largest.megabytes.toFixed(1)} MB.`,
  );
  if (!(largest.megabytes <= MEGABYTES_MAX)) problems.push(`${largest.route} is too large.`);
}

/** Checks the durations that sources declare, and how many functions can be cancelled. */
function checkDeclarations() {
  let cancellable = 0;
  for (const file of fs.readdirSync("app", { recursive: true, encoding: "utf8" })) {
    if (path.basename(file) !== "route.ts") continue;
    const source = fs.readFileSync(path.join("app", file), "utf8");
    const seconds = /^export const maxDuration = (\d+);$/m.exec(source)?.[1];
    if (seconds === undefined) continue;
    const route = `/${path.dirname(file).replaceAll(/\([^)]*\)\//g, "")}`;
    const { maxDuration: given, supportsCancellation = false } = configOf(route) ?? {};
    console.log(`${route}: maxDuration ${given}`);
    if (supportsCancellation) cancellable += 1;
    if (given !== Number(seconds)) problems.push(`${route}: maxDuration is not ${seconds}.`);
  }
  const declared = Object.keys(JSON.parse(fs.readFileSync("vercel.json", "utf8")).functions).length;
  if (cancellable !== declared) {
    problems.push(`${cancellable} functions can be cancelled; vercel.json names ${declared}.`);
  }
}

function checkFiles() {
  const migrations = fs.readdirSync("prisma/migrations").length;
  for (const route of ["/readyz", "/api/health", "/metrics"]) {
    const files = [...(functionOf(route)?.files.keys() ?? [])];
    const found = files.filter((file) => /prisma\/migrations\/.*\/migration\.sql$/.test(file));
    if (found.length < migrations - 1) problems.push(`${route} lacks migrations.`);
  }
  const runtimes = new Set(functions.map(({ config }) => config.runtime));
  console.log(`Runtimes: ${[...runtimes].join(", ")}`);
  for (const [route, file] of READ) {
    const files = [...(functionOf(route)?.files.keys() ?? [])];
    if (!files.some((name) => name.endsWith(file))) problems.push(`${route} lacks ${file}.`);
  }
}

function checkCron() {
  const { crons } = JSON.parse(fs.readFileSync(path.join(OUTPUT, "config.json"), "utf8"));
  console.log(`Cron jobs: ${JSON.stringify(crons)}`);
  const expected = [{ path: "/api/messages/dispatch", schedule: "* * * * *" }];
  if (JSON.stringify(crons) !== JSON.stringify(expected)) problems.push("The cron job is missing.");
}

function functionOf(route: string) {
  const link = path.join(FUNCTIONS, `${route}.func`);
  if (!fs.existsSync(link)) return undefined;
  const real = `/${path.relative(fs.realpathSync(FUNCTIONS), fs.realpathSync(link))}`;
  return functions.find((one) => `${one.route}.func` === real);
}

function configOf(route: string): FunctionConfig | undefined {
  const file = path.join(FUNCTIONS, `${route}.func`, ".vc-config.json");
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : undefined;
}
