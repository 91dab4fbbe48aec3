// `npm start`: builds if there is no build or the sources are newer, then serves in this process.
// After `npm ci --omit=dev` there are no compilers, and it serves the existing build.
import "./environment.mjs";
import { spawnSync } from "node:child_process";
import cluster from "node:cluster";
import { existsSync } from "node:fs";
import { argumentsOf } from "./arguments.mjs";
import { filesBelow, modified, newest } from "./modified.mjs";

argumentsOf(`Usage: npm start

Builds if the sources are newer than the build, and serves until Ctrl-C. Settings are environment
variables, as in PORT=4000 npm start, or lines of the file .env: see docs/configuration.md.`);

process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

// The other processes of a running server serve its build, even if the sources have changed since.
if (cluster.isPrimary) buildIfStale();
const { start } = await import("../dist/server/main.js");
await start();

function buildIfStale() {
  const built = Math.min(modified(".next/BUILD_ID"), modified("dist/server/main.js"));
  const canBuild = existsSync("node_modules/esbuild");
  if (built === 0 && !canBuild) {
    console.error(
      "There is no build, and without development dependencies none can be made. " +
        "Run npm ci, or copy .next and dist from a build.",
    );
    process.exit(1);
  }
  if (!canBuild) return;
  if (built === 0 || newest(sources()) > built) {
    run(["scripts/build.mjs"]);
    return;
  }
  if (newest(filesBelow("packages/client/src")) > modified("dist/client.tgz")) {
    run(["scripts/build-client.mjs"]);
  }
  if (newest(filesBelow("docs")) > modified("dist/docs/pages.json")) {
    run(["--import", "tsx", "scripts/build-docs.ts"]);
  }
}

function run(argv) {
  const { status } = spawnSync(process.execPath, argv, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function sources() {
  const files = ["next.config.ts", "proxy.ts", "instrumentation.ts"];
  const settings = ["package-lock.json", "tsconfig.json", "postcss.config.mjs"];
  return [
    ...files,
    ...settings,
    ...["app", "components", "lib", "server", "prisma"].flatMap(filesBelow),
  ];
}
