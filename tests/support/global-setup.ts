import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { assertBrowser, lacksShell } from "./browser";
import { hasJq, installPackages } from "./debian";
import { startMailbox } from "./mailbox";
import { hasNginx } from "./nginx";
import { hasPatroni } from "./patroni";
import { pgbouncerPath } from "./pgbouncer";
import { announce, expectPreparation } from "./prepared";
import {
  endPostgres,
  freePort,
  launchServer,
  makeTemporaryFolder,
  plainEnvironment,
  ROOT,
  removeLater,
  SERVE,
  startServer,
  waitUntilHealthy,
} from "./servers";

/**
 * Builds if needed, makes a database that others are copies of, and starts the servers that the chosen
 * projects need: the server as a user starts it (`npm start`, embedded database), and on the same
 * database one with two processes, one that sends mail, and plain `next start`. Returns the teardown.
 * `unit` needs none of it and starts at once (prepared.ts); `fault` starts its own servers.
 */
export default async function globalSetup() {
  const projects = chosenProjects();
  const installing = installPackages(missingPackages(projects));
  if (projects.every((project) => project === "unit")) return installing;

  const folder = makeTemporaryFolder();
  expectPreparation(path.join(folder, "prepared.json"));
  const initial = path.join(folder, "initial");
  const dataDir = path.join(folder, "data");
  const secret = randomBytes(32).toString("hex");
  const stops: Array<() => Promise<void>> = [];
  let preparing = Promise.resolve();
  const teardown = async () => {
    await preparing;
    for (const stop of stops.reverse()) await stop();
    await endPostgres(dataDir);
    removeLater(folder);
  };

  const prepare = async () => {
    await installing;
    if (projects.includes("browser")) assertBrowser();
    const { copyDataDir, makeDataDir } = await import("./data-dirs");
    // Made by the mutants' run.
    const made = process.env.TEST_MADE_DATA;
    const making = made ? copyDataDir(made, initial) : makeDataDir(initial);
    await Promise.all([buildIfStale(), making]);
    process.env.TEST_DATA_DIR = initial;
    if (!process.env.TEST_DECLARED) {
      const { writeDeclared } = await import("./write-declared");
      process.env.TEST_DECLARED = writeDeclared(path.join(folder, "declared.json"));
    }
    if (projects.every((project) => ["unit", "fault"].includes(project))) return;

    await copyDataDir(initial, dataDir);
    const distributed =
      process.env.TEST_CITUS_URL && (await distribute(process.env.TEST_CITUS_URL));
    const partitioned = process.env.TEST_PARTITIONED && (await startPartitioned(dataDir, stops));
    const url = distributed || partitioned;
    const server = await startServer(["scripts/start.mjs"], await freePort(), {
      ...(url ? { DATABASE_URL: url } : { DATA_DIR: dataDir }),
      SERVER_SECRET: secret,
      VALIDATE_RESPONSES: "1",
    });
    stops.push(server.stop);

    const { connectEmbeddedPostgres } = await import("@/lib/platform/embedded-postgres/start");
    const database = distributed
      ? { url: distributed, stop: async () => {} }
      : await connectEmbeddedPostgres({ dataDir });
    stops.push(database.stop);
    process.env.TEST_BASE_URL = server.baseUrl;
    process.env.TEST_SERVER_SECRET = secret;
    process.env.TEST_DATABASE_URL = database.url;

    // The first server alone sends messages: tests may rely on the limits of one.
    const beside = async (argv: string[], environment: Record<string, string>, port: number) => {
      const server = launchServer(argv, port, {
        DATABASE_URL: database.url,
        SERVER_SECRET: secret,
        VALIDATE_RESPONSES: "1",
        DISPATCH_INTERVAL_SECONDS: "0",
        ...environment,
      });
      stops.push(server.stop);
      await waitUntilHealthy(server);
      return server.baseUrl;
    };
    const processes = async () => {
      const environment = { WEB_CONCURRENCY: "2" };
      const baseUrl = await beside([SERVE], environment, await freePort());
      process.env.TEST_PROCESSES_BASE_URL = baseUrl;
    };
    const next = async () => {
      const port = await freePort();
      const next = "node_modules/next/dist/bin/next";
      // To rewrite, Next sends a request to itself, whose connection must not end as it is used again.
      const lasting = ["--keepAliveTimeout", "60000"];
      const argv = [next, "start", "--hostname", "127.0.0.1", "--port", String(port), ...lasting];
      const environment = { BASE_URL: `http://localhost:${port}`, TRUSTED_PROXIES: "none" };
      process.env.TEST_NEXT_BASE_URL = await beside(argv, environment, port);
    };
    const mailing = async () => {
      const mails = path.join(folder, "mails.jsonl");
      const mailbox = await startMailbox(mails);
      stops.push(mailbox.close);
      const environment = { MAIL_TRANSPORT: "smtp", SMTP_URL: mailbox.url };
      const baseUrl = await beside([SERVE], environment, await freePort());
      Object.assign(process.env, { TEST_MAILS: mails, TEST_MAILING_BASE_URL: baseUrl });
    };
    await Promise.all([
      projects.includes("browser") && mailing(),
      projects.includes("api-processes") && processes(),
      projects.includes("api-next") && next(),
    ]);
  };

  if (projects.includes("unit")) {
    preparing = prepare()
      .then(announce)
      .catch((error) => {
        console.error("The set-up failed:", error);
        process.kill(process.pid, "SIGINT");
      });
    return teardown;
  }
  try {
    await prepare();
    announce();
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

/**
 * Starts Postgres with partitioned event tables and returns the URL for the server. At the end the
 * run fails if a statement did not name the column of the partitions.
 */
async function startPartitioned(dataDir: string, stops: Array<() => Promise<void>>) {
  const { startEmbeddedPostgres } = await import("@/lib/platform/embedded-postgres/start");
  const { breaches, eventStatements, makePartitionedDatabase } = await import("./partitions");
  const postgres = await startEmbeddedPostgres({ dataDir });
  stops.push(async () => {
    await postgres.stop();
    const statements = eventStatements(fs.readFileSync(path.join(dataDir, "postgres.log"), "utf8"));
    console.log(`${statements.length} plans of statements on partitioned tables.`);
    const wrong = breaches(statements);
    if (wrong.length > 0) throw new Error(`Not for partitions:\n${wrong.join("\n\n")}`);
  });
  return makePartitionedDatabase(postgres.url);
}

/** Distributes the database of a Citus cluster, unless it is, and returns its URL. */
async function distribute(url: string): Promise<string> {
  const child = spawn(process.execPath, ["scripts/run.mjs", "distribute", "--yes"], {
    cwd: ROOT,
    env: { ...plainEnvironment(), DATABASE_URL: url },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error("The database could not be distributed; see above.");
  return url;
}

/** Read from the command line, because the runner does not pass them on. All by default. */
function chosenProjects(): string[] {
  const all = ["unit", "api", "api-processes", "api-next", "browser", "fault"];
  const words = process.argv.slice(2);
  const chosen: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word.startsWith("--project=")) chosen.push(word.slice("--project=".length));
    if (word !== "--project") continue;
    for (const value of words.slice(index + 1)) {
      if (value.startsWith("-") || value.includes("/")) break;
      chosen.push(value);
    }
  }
  return chosen.length > 0
    ? all.filter((name) => chosen.some((pattern) => matches(name, pattern)))
    : all;
}

function matches(name: string, pattern: string) {
  return new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "i").test(name);
}

/** The servers of tests do not look whether the sources are newer than the build. */
async function buildIfStale() {
  const build = spawn(process.execPath, ["scripts/build-if-stale.mjs"], {
    cwd: ROOT,
    env: plainEnvironment(),
    stdio: "inherit",
  });
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error("The build failed; see above.");
}

/** The Debian packages that the projects need. */
function missingPackages(projects: string[]): string[] {
  const missing: string[] = [];
  if (projects.includes("browser") && lacksShell()) missing.push("chromium-headless-shell");
  if (projects.includes("browser") && !hasJq()) missing.push("jq");
  if (projects.includes("fault") && !pgbouncerPath()) missing.push("pgbouncer");
  if (projects.includes("fault") && !hasNginx()) missing.push("nginx-light");
  if (process.env.TEST_FAILOVER && !hasPatroni()) {
    missing.push("patroni", "etcd-server", "haproxy", "postgresql");
  }
  return missing;
}
