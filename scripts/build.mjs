// `npm run build`: builds the pages with Next, the server with esbuild, and the package of the client.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { build } from "esbuild";
import { buildMarkdownWorker } from "./build-markdown-worker.mjs";
import { deploymentId } from "./deployment-id.mjs";
import { EXTERNAL } from "./external-packages.mjs";
import "./generate.mjs";

process.env.NEXT_TELEMETRY_DISABLED = "1";
// Next hashes it into the IDs of server actions. With the same key, a page of one build can post to
// another. It encrypts nothing; instrumentation.ts sets the key that does.
process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = createHash("sha256")
  .update("agent-infrastructure")
  .digest("base64");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/deployment-id", deploymentId());

await build({
  entryPoints: [
    "server/main.ts",
    "scripts/backup.ts",
    "scripts/create-key.ts",
    "scripts/distribute.ts",
    "scripts/migrate.ts",
    "scripts/restore.ts",
    "scripts/resume.ts",
    "scripts/revoke.ts",
    "scripts/storage.ts",
  ],
  outdir: "dist",
  outbase: ".",
  bundle: true,
  splitting: true,
  external: EXTERNAL,
  mainFields: ["module", "main"],
  platform: "node",
  format: "esm",
  target: "node20",
  // Defines `require` for bundled CommonJS code.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  sourcemap: "linked",
  logLevel: "warning",
});

await buildMarkdownWorker();
runNode(["--import", "tsx", "scripts/build-docs.ts"]);
runNode(["scripts/build-client.mjs"]);

runNode(["node_modules/next/dist/bin/next", "build"]);
await compressStaticFiles(".next/static");

/** Writes a Brotli file beside each script and style sheet, for `npm start` to send. */
async function compressStaticFiles(folder) {
  const compress = promisify(brotliCompress);
  const names = readdirSync(folder, { recursive: true }).filter((name) =>
    /\.(?:css|js)$/.test(name),
  );
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      writeFileSync(`${file}.br`, await compress(readFileSync(file)));
    }),
  );
}

function runNode(argv) {
  const { status } = spawnSync(process.execPath, argv, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
