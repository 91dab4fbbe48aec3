import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "@/lib/platform/operator-error";
import type { Cluster } from "./cluster";
import { findPostmaster, type StartedPostmaster, startPostmaster } from "./postmaster";

export const DATABASE = "app";
/** The session-level advisory lock, in the database `postgres`, that the owner holds. */
const OWNER_LOCK = 7_305_218_846;
const START_MS_MAX = 60_000;
/** How long the backend of a killed owner may take to release the lock. */
const OWNER_GONE_MS_MAX = 3000;
/** A Postgres that takes longer to respond is busy, not lost. */
const HELD_MS_MAX = 5000;
const POLL_MS = 25;
const RETRY_MS = 250;
/** A concurrent start was faster, the port was taken, or a killed Postgres is still exiting. */
const TRANSIENT_FAILURE = /could not bind|lock file .* (already exists|is empty)|still in use/;

/** Another living server owns the data. */
export class DataInUseError extends OperatorError {}

/** A connection that holds the owner's lock. Only its holder may stop Postgres. */
interface Ownership {
  pid: number;
  port: number;
  adopted: boolean;
  /** Asks Postgres, because a connection that has just ended is not detected at once. */
  held(): Promise<boolean>;
  lost: Promise<void>;
  release(): Promise<void>;
}

/**
 * Finds a running Postgres for the data or starts one, on `wantedPort` or a free port, and takes
 * the owner's lock. Starts nothing while `stopping`. Throws `DataInUseError` if another process
 * holds the lock.
 */
export async function takeOwnership(
  cluster: Cluster,
  wantedPort: number | null,
  stopping: () => boolean,
): Promise<Ownership> {
  let started: StartedPostmaster | null = null;
  for (
    const deadline = performance.now() + START_MS_MAX;
    performance.now() < deadline;
    await pause(POLL_MS)
  ) {
    const running = await findPostmaster(cluster);
    if (running?.ready) {
      const session = await connect(cluster, running.port);
      if (session && (await lockOwnership(session.client, cluster))) {
        const { pid, port } = running;
        return { ...session, pid, port, adopted: pid !== started?.pid };
      }
    } else if (!running && started?.ended()) {
      const reason = await started.readLog();
      if (!TRANSIENT_FAILURE.test(reason)) throw cannotStart(cluster, reason);
      started = null;
      await pause(RETRY_MS);
    } else if (!running && !started) {
      if (stopping()) throw new OperatorError("Postgres is not started during shutdown.");
      started = await startPostmaster(cluster, wantedPort ?? (await findFreePort()));
    }
  }
  throw cannotStart(cluster, (await started?.readLog()) ?? "It does not accept connections.");
}

/** The port of the Postgres running on the data, once it accepts connections; null if none runs. */
export async function findRunning(cluster: Cluster): Promise<number | null> {
  for (
    const deadline = performance.now() + START_MS_MAX;
    performance.now() < deadline;
    await pause(POLL_MS)
  ) {
    const running = await findPostmaster(cluster);
    if (!running) return null;
    const session = running.ready && (await connect(cluster, running.port));
    if (!session) continue;
    await createDatabase(session.client);
    await session.release();
    return running.port;
  }
  throw cannotStart(cluster, "It is running but does not accept connections.");
}

/** Null while Postgres refuses connections, as during recovery or shutdown. */
async function connect(cluster: Cluster, port: number) {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: "postgres",
    password: cluster.password,
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: `owner ${process.pid}`,
  });
  let open = true;
  const lost = new Promise<void>((resolve) => {
    client.once("end", () => {
      open = false;
      resolve();
    });
  });
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "28P01") {
      throw new OperatorError(
        `The password file beside ${cluster.dir} does not match the database: restore the file ` +
          "postgres-password from your backup.",
        { cause: error },
      );
    }
    return null;
  }
  const held = async () => {
    const asked = client.query("SELECT").then(
      () => true,
      () => false,
    );
    return open && (await Promise.race([asked, pause(HELD_MS_MAX, true, { ref: false })]));
  };
  const release = () => client.end().catch(() => {});
  return { client, lost, held, release };
}

/** Returns false when the connection ended because the previous owner stopped Postgres. */
async function lockOwnership(client: pg.Client, cluster: Cluster): Promise<boolean> {
  try {
    for (const deadline = performance.now() + OWNER_GONE_MS_MAX; performance.now() < deadline; ) {
      const { rows } = await client.query<{ locked: boolean }>(
        "SELECT pg_try_advisory_lock($1) AS locked",
        [OWNER_LOCK],
      );
      if (rows[0]?.locked) {
        await createDatabase(client);
        return true;
      }
      await pause(POLL_MS);
    }
  } catch {
    await client.end().catch(() => {});
    return false;
  }
  const owner = await findOwner(client);
  await client.end().catch(() => {});
  throw new DataInUseError(
    `The data in ${cluster.dir} is in use by another server (${owner}): stop it first, or ` +
      "set DATA_DIR to another folder.",
  );
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: pg.DatabaseError) => {
    // Another script created it first: duplicate_database, or unique_violation at the same moment.
    if (error.code !== "42P04" && error.code !== "23505") throw error;
  });
}

async function findOwner(client: pg.Client): Promise<string> {
  const { rows } = await client
    .query<{ name: string }>(
      `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND granted
         AND (classid::bigint << 32) + objid::bigint = $1 AND objsubid = 1`,
      [OWNER_LOCK],
    )
    .catch(() => ({ rows: [] }));
  return rows[0]?.name.replace("owner", "process") ?? "an unknown process";
}

function cannotStart(cluster: Cluster, reason: string): OperatorError {
  return new OperatorError(
    `Postgres does not start on ${cluster.dir}: see the reason below or in ${cluster.logFile}, or ` +
      `set DATABASE_URL to another Postgres server.\n${reason}`,
  );
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A port has no number.");
  return address.port;
}
