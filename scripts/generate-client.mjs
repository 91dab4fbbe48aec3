// Part of `npm run generate`, which packing the client runs too: makes the client's types and operations from the contracts
// of lib, unless they are up to date.
import { spawnSync } from "node:child_process";
import { filesBelow, modified, newest } from "./modified.mjs";

const MADE = ["packages/client/src/schema.ts", "packages/client/src/operations.ts"];
const SOURCES = ["package-lock.json", "packages/client/package.json", "scripts/client-types.ts"];

if (Math.min(...MADE.map(modified)) <= newest([...SOURCES, ...filesBelow("lib")])) {
  const argv = ["--import", "tsx", "scripts/client-types.ts"];
  // Without the settings of a server, on which they do not depend.
  const env = { PATH: process.env.PATH };
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", env });
  if (status !== 0) {
    console.error(stderr);
    process.exit(status ?? 1);
  }
}
