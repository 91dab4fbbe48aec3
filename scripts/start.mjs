// `npm start`: builds when there is no build or the sources are newer, then serves in this process.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

const built = modified(".next/BUILD_ID");
if (built === 0 || modified("dist/server/main.js") === 0 || newest(sources()) > built) {
  console.log("Building, which takes a minute or two the first time…");
  const build = spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
const { start } = await import("../dist/server/main.js");
await start();

function sources() {
  const files = ["package-lock.json", "next.config.ts", "tsconfig.json", "postcss.config.mjs"];
  return [...files, ...["app", "components", "lib", "server", "prisma"].flatMap(filesBelow)];
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function newest(files) {
  return Math.max(...files.map(modified));
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
