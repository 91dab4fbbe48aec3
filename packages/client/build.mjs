// `node build.mjs [FOLDER]` bundles the library, as ES module and as CommonJS, and the command with
// their dependencies, by default into dist/.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const outdir = resolve(process.argv[2] ?? join(folder, "dist"));
rmSync(outdir, { recursive: true, force: true });
const common = {
  absWorkingDir: folder,
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
};
const library = { index: "src/index.ts" };
await build({ ...common, entryPoints: library });
await build({ ...common, entryPoints: library, format: "cjs", outdir: join(outdir, "cjs") });
writeFileSync(join(outdir, "cjs/package.json"), '{ "type": "commonjs" }\n');
// The types are written once: an ES module may have them from CommonJS, but not the other way round.
writeFileSync(join(outdir, "index.d.ts"), 'export * from "./cjs/index.js";\n');
await build({
  ...common,
  entryPoints: { cli: "src/cli/main.ts" },
  minify: true,
  // Commander is CommonJS and requires Node's modules.
  banner: {
    js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);',
  },
});

// Bundled packages keep their licences.
const { devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const licences = Object.keys(devDependencies).map((name) => {
  const text = readFileSync(join(folder, "../../node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(join(outdir, "third-party-licenses.txt"), licences.join("\n---\n\n"));
