import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { EXTERNAL } from "./external-packages.mjs";
import { modified } from "./modified.mjs";

const OPTIONS = {
  outdir: "dist",
  outbase: ".",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
};

/** Bundles the server, and the scripts that an installation without sources runs, into dist. */
export async function buildServer(root = process.cwd()) {
  const { metafile } = await build({
    ...OPTIONS,
    absWorkingDir: root,
    entryPoints: [
      "server/main.ts",
      "scripts/backup.ts",
      "scripts/create-key.ts",
      "scripts/distribute.ts",
      "scripts/migrate.ts",
      "scripts/restore.ts",
      "scripts/resume.ts",
      "scripts/revoke.ts",
      "scripts/seed.ts",
      "scripts/storage.ts",
    ],
    splitting: true,
    external: EXTERNAL,
    mainFields: ["module", "main"],
    // Defines `require` for bundled CommonJS code.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    sourcemap: "linked",
    metafile: true,
  });
  const written = Object.keys(metafile.outputs).map((file) => path.basename(file));
  removeOldChunks(path.join(root, "dist"), written);
}

/**
 * Removes the chunks of earlier builds, whose names are not among those that this build has written. A server that still
 * runs may load those of the last day.
 */
export function removeOldChunks(folder, written) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const isOld = modified(file) < Date.now() - 24 * 60 * 60 * 1000;
    if (isOld && /-[A-Z0-9]{8}\.js(\.map)?$/.test(name) && !written.includes(name)) rmSync(file);
  }
}

/**
 * Bundles the Markdown worker (lib/resources/artifacts/markdown-threads.ts) into one file that can be started
 * from anywhere.
 */
export function buildMarkdownWorker(root = process.cwd()) {
  const entryPoints = ["lib/resources/artifacts/markdown-worker.ts"];
  return build({ ...OPTIONS, absWorkingDir: root, entryPoints });
}
