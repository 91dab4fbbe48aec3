import { createServer } from "node:http";
import next from "next";
import { findOrCreateOrganization, installKey } from "@/lib/accounts/keys";
import { ConfigError, config } from "@/lib/config/config";
import { MigrationError } from "@/lib/db/migrate";
import { openDatabase } from "@/lib/db/open";
import { EmbeddedPostgresError, startEmbeddedPostgres } from "@/lib/embedded-postgres/start";
import { CONNECTIONS_MAX } from "@/lib/http/waiting";
import { startupBanner } from "./banner";
import { rejectRequest } from "./client-error";
import { limitConnections } from "./connections";
import { listener } from "./listener";
import { startScheduler } from "./scheduler";
import { onStop } from "./stop";

/** Longer than the minute for which proxies keep idle connections. */
const IDLE_MS_MAX = 65_000;
/** How often Node checks for late headers. */
const HEADER_CHECK_MS = 500;
/** For the largest upload; most operations allow less. */
const REQUEST_MS_MAX = 300_000;
/** Webhook senders may need more than Node's default of 16 KB. */
const HEADER_BYTES_MAX = 65_536;

/**
 * Starts the database, migrations and HTTP server. With `dev`, Next's dev server answers all paths,
 * so that changes show at once.
 */
export async function start({ dev = false } = {}): Promise<void> {
  try {
    await run(dev);
  } catch (error) {
    const foreseen = [ConfigError, EmbeddedPostgresError, MigrationError].some(
      (kind) => error instanceof kind,
    );
    console.error(foreseen && error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

async function run(dev: boolean) {
  const { host, port } = config();
  const closeDatabase = await openDatabase(startEmbeddedPostgres);
  await installBootstrapKey();
  const app = next({
    dev,
    hostname: host,
    port,
    dir: process.cwd(),
    // A dummy server: otherwise Next listens for upgrades on the server of its first request, and
    // drops clients that offer HTTP/2, such as Java's with every request.
    ...(!dev && { httpServer: createServer() }),
  });
  await app.prepare();

  const server = createServer({
    keepAliveTimeout: IDLE_MS_MAX,
    headersTimeout: 10_000,
    connectionsCheckingInterval: HEADER_CHECK_MS,
    requestTimeout: REQUEST_MS_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
    requireHostHeader: false, // the listener checks it, with a JSON error
  });
  limitConnections(server);
  // Node would silently drop headers after the thousandth; their bytes are limited already.
  server.maxHeadersCount = 0;
  const handle = listener(app.getRequestHandler(), { api: !dev });
  server.on("request", handle);
  // For `Expect: 100-continue`, which may be answered without reading the body.
  server.on("checkContinue", handle);
  // For other expectations. Node would answer an empty 417, even on capture URLs.
  server.on("checkExpectation", handle);
  server.on("clientError", rejectRequest);
  if (dev) server.on("upgrade", app.getUpgradeHandler());

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Queues bursts of connections instead of dropping them.
    server.listen({ port, host, backlog: CONNECTIONS_MAX }, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    await closeDatabase();
    if (error.code !== "EADDRINUSE") throw error;
    throw new ConfigError(`PORT: ${host}:${port} is in use. Set PORT to a free one.`);
  });
  console.log(startupBanner());
  const stopScheduler = startScheduler();

  onStop(server, {
    begin: stopScheduler,
    async finish() {
      await app.close();
      await closeDatabase();
    },
  });
}

/** Installs the operator's key, in an organization named `bootstrap`. */
async function installBootstrapKey() {
  const { bootstrapApiKey } = config();
  if (bootstrapApiKey === undefined) return;
  const organization = await findOrCreateOrganization("bootstrap");
  if (await installKey(organization.id, "BOOTSTRAP_API_KEY", bootstrapApiKey)) return;
  console.warn(
    "BOOTSTRAP_API_KEY was revoked or rotated and is not installed again. Set it to a new key, or create one with npm run create-key.",
  );
}
