// `npm run generate`: makes Prisma Client from prisma/schema.prisma, unless it is up to date. Needs no
// network and no database. ./generate-client.mjs then makes the types of packages/client.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { argumentsOf } from "./arguments.mjs";

const isMain = process.argv[1] === fileURLToPath(import.meta.url);
if (isMain) {
  argumentsOf(`Usage: npm run generate

Makes Prisma Client from prisma/schema.prisma, and the types of packages/client, unless they are current.`);
}

const CLIENT = "lib/platform/db/generated/client.ts";
const SOURCES = ["prisma/schema.prisma", "node_modules/prisma/package.json"];

const isCurrent =
  existsSync(CLIENT) && SOURCES.every((file) => statSync(file).mtimeMs < statSync(CLIENT).mtimeMs);
if (!isCurrent) {
  const argv = ["node_modules/prisma/build/index.js", "generate", "--no-hints"];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  if (status !== 0) {
    console.error(stderr);
    process.exit(status ?? 1);
  }
}
if (isMain) await import("./generate-client.mjs");
