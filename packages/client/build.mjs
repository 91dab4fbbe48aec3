// `npm run build -w agent-infrastructure-client`: bundles the library and the command with what they need.
import { existsSync, rmSync } from "node:fs";
import { build } from "esbuild";

process.chdir(import.meta.dirname);
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: {
    index: "src/index.ts",
    ...(existsSync("src/cli/main.ts") && { cli: "src/cli/main.ts" }),
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
});
