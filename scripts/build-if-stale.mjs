// Builds what is missing, or older than its sources, for `npm start` and the tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { filesBelow, modified, newest } from "./modified.mjs";

buildIfStale();

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
