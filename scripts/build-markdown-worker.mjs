import { build } from "esbuild";

/**
 * Bundles the Markdown worker (lib/resources/artifacts/markdown-threads.ts) into one file that can be started
 * from anywhere.
 */
export function buildMarkdownWorker(root = process.cwd()) {
  return build({
    absWorkingDir: root,
    entryPoints: ["lib/resources/artifacts/markdown-worker.ts"],
    outdir: "dist",
    outbase: ".",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
}
