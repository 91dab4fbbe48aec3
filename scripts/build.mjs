// `npm run build`: builds the pages with Next, the server with esbuild, and the package of the client.
import "./environment.mjs";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { argumentsOf } from "./arguments.mjs";
import { buildMarkdownWorker, buildServer } from "./build-server.mjs";
import { deploymentId } from "./deployment-id.mjs";

const { values } = argumentsOf(
  `Usage: npm run build -- [--verbose]

Builds the server into dist and the pages into .next. With --verbose, shows what Next.js prints.`,
  { options: { verbose: { type: "boolean" } } },
);
console.log("Building the server and the documentation…");
await import("./generate.mjs");

process.env.NEXT_TELEMETRY_DISABLED = "1";
// Next hashes it into the IDs of server actions. With the same key, a page of one build can post to
// another. It encrypts nothing; instrumentation.ts sets the key that does.
process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = createHash("sha256")
  .update("agent-infrastructure")
  .digest("base64");
try {
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/deployment-id", deploymentId());
} catch (error) {
  console.error(
    `The build cannot be written: ${error.message}. This user needs a writable checkout.`,
  );
  process.exit(1);
}

await buildMarkdownWorker();
runNode(["--import", "tsx", "scripts/build-docs.ts"]);
runNode(["scripts/build-client.mjs"]);
console.log("Building the pages, which takes a minute or two…");
runNode(["node_modules/next/dist/bin/next", "build"]);
await compressStaticFiles(".next/static");
// Last: `npm start` takes the time of the server for that of the build.
await buildServer();

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

/** Shows the output only if it fails: Next.js lists all routes, and warns of CSS that it does not know. */
function runNode(argv) {
  const stdio = values.verbose ? "inherit" : "pipe";
  const options = { stdio, encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY };
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, options);
  if (status === 0) return;
  console.error(`${stdout ?? ""}${stderr ?? ""}`);
  process.exit(status ?? 1);
}
