import { build } from "esbuild";
import { EXTERNAL } from "./external-packages.mjs";

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
export function buildServer(root = process.cwd()) {
  return build({
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
  });
}

/**
 * Bundles the Markdown worker (lib/resources/artifacts/markdown-threads.ts) into one file that can be started
 * from anywhere.
 */
export function buildMarkdownWorker(root = process.cwd()) {
  const entryPoints = ["lib/resources/artifacts/markdown-worker.ts"];
  return build({ ...OPTIONS, absWorkingDir: root, entryPoints });
}
