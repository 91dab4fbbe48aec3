// `npm run build`: builds the pages with Next and the server with esbuild.
import { spawnSync } from "node:child_process";
import { build } from "esbuild";
import { buildMarkdownWorker } from "./build-markdown-worker.mjs";

process.env.NEXT_TELEMETRY_DISABLED = "1";

await build({
  entryPoints: [
    "server/main.ts",
    "scripts/create-key.ts",
    "scripts/migrate.ts",
    "scripts/revoke.ts",
    "scripts/storage.ts",
  ],
  outdir: "dist",
  outbase: ".",
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "linked",
  logLevel: "warning",
});

await buildMarkdownWorker();
runNode(["--import", "tsx", "scripts/build-docs.ts"]);

runNode(["node_modules/next/dist/bin/next", "build"]);

function runNode(argv) {
  const { status } = spawnSync(process.execPath, argv, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
