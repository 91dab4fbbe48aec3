import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Running, Stage } from "../stage";

/** A queue of bench/peers/ and the process that it stores in, or why it is missing. */
export type Peer = { name: string; running: Running; storePid: number } | Missing;

export interface Missing {
  name: string;
  missing: string;
}

export async function pgBoss(stage: Stage): Promise<Peer> {
  const running = await stage.peer("pg-boss", "pg-boss.mjs", stage.url);
  return { name: "pg-boss", running, storePid: stage.postgresPid };
}

export async function graphileWorker(stage: Stage): Promise<Peer> {
  const running = await stage.peer("graphile-worker", "graphile-worker.mjs", stage.url);
  return { name: "graphile-worker", running, storePid: stage.postgresPid };
}

/** pgmq in plain SQL: `PGMQ_SQL` names its `pgmq.sql`. */
export async function pgmq(stage: Stage): Promise<Peer> {
  const file = process.env.PGMQ_SQL;
  if (!file) return { name: "pgmq", missing: "pgmq: `PGMQ_SQL` is not set" };
  const running = await stage.peer("pgmq", "pgmq.mjs", stage.url, file);
  return { name: "pgmq", running, storePid: stage.postgresPid };
}

/** Redis that syncs every write, as Postgres does. */
export async function bullmq(stage: Stage): Promise<Peer> {
  if (!runs("redis-server", "--version")) {
    return { name: "BullMQ", missing: "BullMQ: Redis is not installed" };
  }
  const folder = join(stage.folder, "redis");
  await mkdir(folder);
  const redis = await stage.start("redis-server", "redis-server", (port) => [
    ...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    ...["--appendonly", "yes", "--appendfsync", "always", "--loglevel", "warning"],
  ]);
  const running = await stage.peer("BullMQ", "bullmq.mjs", `${redis.port}`);
  return { name: "BullMQ", running, storePid: redis.pid };
}

/** JetStream that syncs every write, which NATS can since 2.10. */
export async function nats(stage: Stage): Promise<Peer> {
  const configuration = join(stage.folder, "nats.conf");
  const folder = join(stage.folder, "nats");
  await writeFile(configuration, `jetstream { store_dir: "${folder}", sync_interval: always }\n`);
  if (!runs("nats-server", "-t", "-c", configuration)) {
    return { name: "NATS", missing: "NATS JetStream: nats-server 2.10 or newer is not installed" };
  }
  const server = await stage.start("nats-server", "nats-server", (port) => [
    ...[
      "-c",
      configuration,
      "-a",
      "127.0.0.1",
      "-p",
      `${port}`,
      "-l",
      join(stage.folder, "nats.log"),
    ],
  ]);
  const running = await stage.peer("NATS JetStream", "nats.mjs", `${server.port}`);
  return { name: "NATS JetStream", running, storePid: server.pid };
}

function runs(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
