import fs from "node:fs";
import pg from "pg";
import { migrate } from "@/lib/platform/db/migrate";
import { makeKey, Stage } from "../../bench/stage";
import { startCluster } from "../support/patroni";
import { makeTemporaryFolder } from "../support/servers";

/** What the servers share. */
export interface Database {
  name: string;
  url: string;
  db: pg.Pool;
  /** Kills the primary, and returns once the standby has taken its place and it is the standby. */
  failOver?(): Promise<void>;
  makeKey(name: string): Promise<string>;
  close(): Promise<void>;
}

export async function openEmbedded(): Promise<Database> {
  const stage = await Stage.open();
  const { url, db } = stage;
  return {
    name: "the embedded Postgres",
    url,
    db,
    makeKey: (name) => makeKey(db, name),
    close: () => stage.close(),
  };
}

/** Two Postgres servers under Patroni, as in `deploy/failover`. */
export async function openCluster(): Promise<Database> {
  const folder = makeTemporaryFolder();
  const cluster = await startCluster(folder);
  await cluster.whenComplete();
  const { url } = cluster;
  await migrate({ url });
  const db = new pg.Pool({ connectionString: url, max: 2 });
  db.on("error", () => {}); // a failover ends idle connections
  return {
    name: "two Postgres servers under Patroni",
    url,
    db,
    async failOver() {
      const { primary, standby } = await cluster.whenComplete();
      await primary.kill();
      await cluster.promoted(standby);
      primary.start();
      await cluster.whenComplete();
    },
    makeKey: (name) => makeKey(db, name),
    async close() {
      await db.end();
      await cluster.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
