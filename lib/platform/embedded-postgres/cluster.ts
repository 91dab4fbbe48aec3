import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createOnce } from "@/lib/platform/create-once";
import { OperatorError } from "@/lib/platform/operator-error";
import { isAlive } from "./alive";
import type { PostgresBinaries } from "./binaries";
import { choosePostgresUser, chownTree, type PostgresUser, spawnAs } from "./user";

const INIT_PREFIX = "postgres-init-";
const INIT_MS_MAX = 60 * 60 * 1000;

/** A Postgres data directory, the user that runs it and its superuser's password. */
export interface Cluster {
  dir: string;
  logFile: string;
  user: PostgresUser;
  password: string;
  binaries: PostgresBinaries;
}

/**
 * Opens the cluster in `dataDir`, or creates it. A new cluster is created in a temporary folder and
 * renamed, so that a killed or concurrent start never leaves half a cluster.
 */
export async function openCluster(
  binaries: PostgresBinaries,
  dataDir: string,
  log: (line: string) => void,
): Promise<Cluster> {
  const dir = path.join(dataDir, "postgres");
  await removeLeftovers(dataDir);
  const user = await choosePostgresUser(binaries, dir);
  const exists = await isCluster(dir);
  const password = await readPassword(path.join(dataDir, "postgres-password"), exists);
  const logFile = path.join(dataDir, "postgres.log");
  const cluster = { dir, logFile, user, password, binaries };
  if (!exists) {
    log(`Creating a database in ${dir}…`);
    await createCluster(cluster, dataDir);
  } else if (user.owner && (await stat(dir)).uid === 0) {
    await chownTree(user, dir);
  }
  return cluster;
}

async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(INIT_PREFIX)) continue;
    const leftover = path.join(dataDir, name);
    const pid = Number.parseInt(name.slice(INIT_PREFIX.length), 10);
    const age = Date.now() - ((await stat(leftover).catch(() => null))?.mtimeMs ?? 0);
    if ((await isAlive(pid)) && age < INIT_MS_MAX) continue;
    // An orphaned initdb may still write here; the next start removes the rest.
    await rm(leftover, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

async function isCluster(dir: string): Promise<boolean> {
  const entries = await readdir(dir).catch((): string[] => []);
  if (entries.length === 0 || entries.includes("PG_VERSION")) return entries.length > 0;
  throw new OperatorError(
    `The folder ${dir} contains files that are not a database: move them away, or set DATA_DIR to ` +
      "another folder.",
  );
}

/** Two concurrent first starts agree on one password. */
async function readPassword(file: string, clusterExists: boolean): Promise<string> {
  const read = () =>
    readFile(file, "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  const known = await read();
  if (known) return known;
  if (clusterExists) {
    throw new OperatorError(
      `The database password file ${file} is missing or unreadable: restore it ` +
        "from your backup, and start as the user that created it.",
    );
  }
  createOnce(file, randomBytes(24).toString("base64url"));
  return read();
}

async function createCluster(cluster: Cluster, dataDir: string): Promise<void> {
  const temporary = await mkdtemp(path.join(dataDir, `${INIT_PREFIX}${process.pid}-`));
  try {
    const fresh = path.join(temporary, "cluster");
    const passwordFile = path.join(temporary, "password");
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(passwordFile, cluster.password, { mode: 0o600 });
    await chownTree(cluster.user, temporary);
    await runInitdb(cluster, fresh, passwordFile);
    await rename(fresh, cluster.dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runInitdb(cluster: Cluster, dir: string, passwordFile: string): Promise<void> {
  const child = spawnAs(
    cluster.user,
    [
      cluster.binaries.initdb,
      `--pgdata=${dir}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      // Built-in Unicode rules sort identically on every machine.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--no-instructions",
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code, signal] = await once(child, "close").catch((error: Error) => [error.message]);
  if (code === 0) return;
  throw new OperatorError(
    `Could not create the database in ${cluster.dir} (initdb ended with ${code ?? signal}): ` +
      `see the reason below, or set DATABASE_URL to a Postgres server.\n${output.slice(-2000)}`,
  );
}
