// Runs after `npm ci`: makes Prisma's client. It needs no engine, but the command insists on the path of one.
import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  process.execPath,
  ["node_modules/prisma/build/index.js", "generate", "--no-hints"],
  {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" },
  },
);
process.exit(status ?? 1);
