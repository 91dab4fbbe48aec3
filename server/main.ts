import { createServer } from "node:http";
import next from "next";
import { findOrCreateOrganization, installKey } from "@/lib/accounts/keys";
import { ConfigError, config } from "@/lib/config/config";
import { MigrationError } from "@/lib/db/migrate";
import { openDatabase } from "@/lib/db/open";
import { EmbeddedPostgresError, startEmbeddedPostgres } from "@/lib/embedded-postgres/start";
import { CONNECTIONS_MAX } from "@/lib/http/waiting";
import { welcome } from "./banner";
import { refuseMalformed } from "./client-error";
import { limitConnections } from "./connections";
import { listener } from "./listener";
import { startScheduler } from "./scheduler";
import { onStop } from "./stop";

/** Longer than the minute for which proxies keep an idle connection to us. */
const IDLE_MS_MAX = 65_000;
/** How often Node looks for headers that are late. */
const LATE_HEADERS_MS = 500;
/** Time for the largest upload; most operations allow less. */
const REQUEST_MS_MAX = 300_000;
/** Room for what a webhook sender may add; 16 KB is Node's own limit. */
const HEADER_BYTES_MAX = 65_536;

/**
 * Starts everything that one machine needs: database, migrations, HTTP. With `dev`, Next's dev
 * server answers all paths, so that a change of any file shows at once.
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
    // Next listens for upgrades on the server of its first request, unless it is given one; and then
    // drops clients that offer HTTP/2, as Java's does with every request.
    ...(!dev && { httpServer: createServer() }),
  });
  await app.prepare();

  const server = createServer({
    keepAliveTimeout: IDLE_MS_MAX,
    headersTimeout: 10_000,
    connectionsCheckingInterval: LATE_HEADERS_MS,
    requestTimeout: REQUEST_MS_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
    requireHostHeader: false, // the listener does, in the envelope
  });
  limitConnections(server);
  // Else Node drops those after the thousandth without a word; their bytes are limited already.
  server.maxHeadersCount = 0;
  const handle = listener(app.getRequestHandler(), { api: !dev });
  server.on("request", handle);
  // The client asks before it sends a large body: the answer may be that it need not.
  server.on("checkContinue", handle);
  // An expectation that nobody knows: Node would refuse it in no words, also to a capture.
  server.on("checkExpectation", handle);
  server.on("clientError", refuseMalformed);
  if (dev) server.on("upgrade", app.getUpgradeHandler());

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // A burst of connections waits here instead of being lost.
    server.listen({ port, host, backlog: CONNECTIONS_MAX }, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    await closeDatabase();
    if (error.code !== "EADDRINUSE") throw error;
    throw new ConfigError(`PORT: ${host}:${port} is in use. Set PORT to a free one.`);
  });
  console.log(welcome());
  const stopScheduler = startScheduler();

  onStop(server, {
    begin: stopScheduler,
    async finish() {
      await app.close();
      await closeDatabase();
    },
  });
}

/** The key that the operator chose, in an organization of its own. */
async function installBootstrapKey() {
  const { bootstrapApiKey } = config();
  if (bootstrapApiKey === undefined) return;
  const organization = await findOrCreateOrganization("bootstrap");
  if (await installKey(organization.id, "BOOTSTRAP_API_KEY", bootstrapApiKey)) return;
  console.warn(
    "BOOTSTRAP_API_KEY was revoked or rotated and is not installed again. Set it to a new key, or make one with npm run create-key.",
  );
}
