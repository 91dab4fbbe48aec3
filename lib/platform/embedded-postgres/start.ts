import { existsSync } from "node:fs";
import { access, constants, mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OperatorError } from "@/lib/platform/operator-error";
import { findPostgresBinaries } from "./binaries";
import { type Cluster, openCluster } from "./cluster";
import { DATABASE, DataInUseError, findRunning, takeOwnership } from "./ownership";
import { boundLog, stopPostmaster } from "./postmaster";

const RESTART_DELAY_MS_MAX = 5000;
const SESSION_END_MS = 50;
const LOG_CHECK_MS = 60 * 60 * 1000;

export interface EmbeddedPostgres {
  url: string;
  /** True if Postgres was already running, left by a killed owner. */
  adopted: boolean;
  /** Shuts Postgres down and waits until it has exited. A second call waits for the first. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Contains `postgres/`, `postgres-password` and `postgres.log`. */
  dataDir: string;
  log?: (line: string) => void;
  /** Called after Postgres died: it was restarted, or another server took the data. */
  onExit?: (exit: { restarted: boolean; message: string }) => void;
}

/**
 * Starts Postgres on `dataDir`, or adopts one whose owner was killed, and owns it until `stop()`,
 * restarting it on the same port if it dies. Throws `OperatorError` when another server owns the
 * data or Postgres cannot start.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options);
  return own(cluster, options);
}

/**
 * For scripts that may run beside a server. Uses a running Postgres, which `stop()` leaves running,
 * or starts one for the duration of the script. Throws `OperatorError` if there is no database yet,
 * unless it may `create` one.
 */
export async function connectEmbeddedPostgres({
  create = false,
  ...options
}: EmbeddedPostgresOptions & { create?: boolean }): Promise<EmbeddedPostgres> {
  if (!create && !existsSync(path.join(options.dataDir, "postgres"))) {
    throw new OperatorError(
      `There is no database in ${path.resolve(options.dataDir)}: run npm start once, or set DATA_DIR ` +
        "or DATABASE_URL as for the server.",
    );
  }
  const cluster = await prepareCluster(options);
  const port = await findRunning(cluster);
  if (port === null) return own(cluster, options);
  return { url: databaseUrl(cluster, port), adopted: false, stop: async () => {} };
}

async function prepareCluster({ dataDir, log = () => {} }: EmbeddedPostgresOptions) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.W_OK);
  } catch (cause) {
    throw new OperatorError(
      `The folder ${path.resolve(dataDir)} is not writable: set DATA_DIR to a writable folder, or ` +
        "set DATABASE_URL to a Postgres server.",
      { cause },
    );
  }
  const dir = await realpath(dataDir);
  return openCluster(await findPostgresBinaries(dir), dir, log);
}

async function own(cluster: Cluster, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => {}, onExit = () => {} } = options;
  let ownership = await takeOwnership(cluster, null, () => false);
  const { port, adopted } = ownership;
  let stopping: Promise<void> | null = null;
  let restarting: Promise<void> = Promise.resolve();
  if (adopted) log(`Using the Postgres on port ${port}, left by a server that was killed.`);
  watch();
  const boundingLog = setInterval(() => {
    boundLog(cluster).catch((error) => log(`${cluster.logFile} could not be shortened: ${error}`));
  }, LOG_CHECK_MS).unref();

  /** The lock's connection ends with Postgres, whether it is our child or was adopted. */
  function watch(): void {
    void ownership.lost.then(() => {
      if (!stopping) restarting = restart();
    });
  }

  async function restart(): Promise<void> {
    const { pid } = ownership;
    log("The connection to Postgres was lost.");
    for (let attempt = 0; !stopping; attempt++) {
      try {
        ownership = await takeOwnership(cluster, port, () => stopping !== null);
        log(`Postgres runs again on port ${port}.`);
        watch();
        // The same postmaster: it only restarted its children after one was killed.
        if (ownership.pid === pid) return;
        return onExit({ restarted: true, message: "Postgres died and was restarted." });
      } catch (error) {
        if (stopping) return;
        const message = error instanceof Error ? error.message : String(error);
        if (error instanceof DataInUseError) {
          return onExit({ restarted: false, message });
        }
        log(message);
        await pause(Math.min(RESTART_DELAY_MS_MAX, 100 * 2 ** attempt));
      }
    }
  }

  async function stop(): Promise<void> {
    clearInterval(boundingLog);
    await restarting;
    // After one of its processes is killed, Postgres ends our session and recovers. Until then it
    // must not be told to stop: Postgres 18 would wait for a second signal.
    await pause(SESSION_END_MS);
    const isHeld = await ownership.held();
    const owned = isHeld
      ? ownership
      : await takeOwnership(cluster, port, () => true).catch(() => null);
    if (!owned) return;
    // Holds the lock until Postgres closes the connection, so that nobody adopts it while it stops.
    await stopPostmaster(cluster);
    await owned.release();
  }

  return {
    url: databaseUrl(cluster, port),
    adopted,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

function databaseUrl({ password }: Cluster, port: number): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${DATABASE}?sslmode=disable`;
}
