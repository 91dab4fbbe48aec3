import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { findOrCreateOrganization, installKey } from "@/lib/identity/keys/keys";
import { handleCalls } from "@/lib/platform/background/leader";
import { adoptPoolSize, type Config, config } from "@/lib/platform/config/config";
import { misspeltVariables } from "@/lib/platform/config/misspelt";
import { closePools } from "@/lib/platform/db/connections";
import { isDatabaseDown } from "@/lib/platform/db/failures";
import { openDatabase } from "@/lib/platform/db/open";
import { placeOfData } from "@/lib/platform/db/place-of-data";
import { startEmbeddedPostgres } from "@/lib/platform/embedded-postgres/start";
import { OperatorError } from "@/lib/platform/operator-error";
import { logWarning } from "@/lib/platform/telemetry/log";
import { startTracing } from "@/lib/platform/telemetry/start-tracing";
import { connectionsPerProcess, processCount } from "./processes";
import { startScheduler } from "./scheduler";
import { atMostDrainTime, onStop, type Serving } from "./stop";
import { startWorkers } from "./workers";

/**
 * Starts the database, migrations, HTTP and the scheduler. With several processes this one is the
 * leader: it does everything but HTTP, which the others serve. With `dev`, Next's dev server serves
 * all paths, in one process.
 */
export async function start({ dev = false } = {}): Promise<void> {
  outliveLogReader();
  try {
    await (cluster.isWorker ? serveRequests() : run(dev));
  } catch (error) {
    fail(error);
  }
}

/**
 * Keeps running without logs if stdout closes, as in `npm start | head`. Otherwise the failed write
 * would end the process, or Next would log it, fail again, and so on forever.
 */
function outliveLogReader() {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

function fail(error: unknown): never {
  // The cause has been logged already.
  if (isDatabaseDown(error)) console.error("The server could not start without its database.");
  else console.error(error instanceof OperatorError ? error.message : error);
  process.exit(1);
}

async function run(dev: boolean) {
  const processes = dev ? 1 : processCount(config(), availableParallelism());
  if (processes > 1) adoptPoolSize(connectionsPerProcess(config(), processes));
  const stopTracing = await startTracing();
  // Made now, in local mode: the start fails if it cannot be.
  const { serverSecret: _ } = config();
  const closeDatabase = await openDatabase(startEmbeddedPostgres, { server: true });
  const serving = await startServing(processes, dev, closeDatabase).catch(async (error) => {
    await closeDatabase();
    throw error;
  });
  console.log(startupBanner(processes));
  warnOfPlainHttp();
  for (const { name, meant } of misspeltVariables()) {
    logWarning(`${name} is not a setting, and has no effect. Did you mean ${meant}?`);
  }
  const stopScheduler = startScheduler();

  onStop(async () => {
    await Promise.all([serving.stop(), atMostDrainTime(stopScheduler())]);
    await Promise.all([closeDatabase(), stopTracing()]);
  }, serving.announceStop);
}

async function startServing(
  processes: number,
  dev: boolean,
  closeDatabase: () => Promise<void>,
): Promise<Serving> {
  await installBootstrapKey();
  if (processes === 1) {
    // Imported only here: the leader of several processes needs neither Next nor the pages.
    const { serve } = await import("./serve");
    return { stop: await serve({ dev }) };
  }
  return startWorkers(processes, async (error) => {
    await closeDatabase().catch(console.error);
    fail(error);
  });
}

/** Runs one of several processes behind the port. The leader has opened the database. */
async function serveRequests() {
  handleCalls();
  const stopTracing = await startTracing();
  const { serve } = await import("./serve");
  const stopServing = await serve({ dev: false });
  onStop(async () => {
    await stopServing();
    await Promise.all([closePools(), stopTracing()]);
  });
}

function warnOfPlainHttp() {
  const { baseUrl, localMode } = config();
  if (localMode || baseUrl.startsWith("https:")) return;
  logWarning(
    "BASE_URL is public and http: API keys, sessions and claim tokens are sent unencrypted. Put a proxy with TLS in front, and set BASE_URL to https.",
  );
}

/** Installs the operator's key, in an organization without members named `bootstrap`. */
async function installBootstrapKey() {
  const { bootstrapApiKey } = config();
  if (bootstrapApiKey === undefined) return;
  const organization = await findOrCreateOrganization("bootstrap");
  if (await installKey(organization.id, "BOOTSTRAP_API_KEY", bootstrapApiKey)) return;
  logWarning(
    "BOOTSTRAP_API_KEY was revoked or rotated and is not installed again. Set it to a new key, or create one with npm run create-key.",
  );
}

/** The startup message: what the server offers, and where. */
function startupBanner(processes: number): string {
  const { baseUrl, hosts, port, mail, localMode } = config();
  const listening = `listening on ${hosts[0]}:${port}${processes > 1 ? `, ${processes} processes` : ""}`;
  const rows = [
    ["API", `curl ${baseUrl}/api/tasks -d '{"name": "Say hello"}'`],
    ["Dashboard", `${baseUrl}/dashboard (${SIGN_IN[mail.transport]})`],
    ["Docs", `${baseUrl}/docs`],
    ["MCP", `${baseUrl}/mcp`],
    ["API key", "npm run create-key -- --organization NAME"],
    ...(localMode ? [["Sample data", "npm run seed -- --email you@example.com"]] : []),
    ["Data", placeOfData()],
  ];
  const lines = rows.map(([name = "", text]) => `  ${name.padEnd(13)}${text}\n`);
  return `
Agent Infrastructure is ready at ${baseUrl} (${listening})

${lines.join("")}`;
}

const SIGN_IN: Record<Config["mail"]["transport"], string> = {
  console: "sign in with any address; the code appears here",
  file: "sign in with any address; the code is in MAIL_FILE",
  smtp: "sign in with your email address",
  none: "sign-in needs MAIL_TRANSPORT",
};
