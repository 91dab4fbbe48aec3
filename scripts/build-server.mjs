import { build } from "esbuild";
import { EXTERNAL } from "./external-packages.mjs";

/** Bundles the server, and the scripts that an installation without sources runs, into dist. */
export function buildServer(root = process.cwd()) {
  return build({
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
}
