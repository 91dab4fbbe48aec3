import { build } from "esbuild";

/** The thread that renders Markdown (lib/artifacts/markdown-threads.ts), whole in one file, so that it can be started from anywhere. */
export function buildMarkdownWorker() {
  return build({
    entryPoints: ["lib/artifacts/markdown-worker.ts"],
    outdir: "dist",
    outbase: ".",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
}
