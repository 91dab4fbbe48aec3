import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { config } from "@/lib/platform/config/config";
import { pageTurn } from "@/lib/platform/limits/page-turn";
import { ownServer } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";

/**
 * The pages, served by Next. Next is loaded for the first page: a server that only serves the API
 * starts with a third less CPU time and 40 MB less memory.
 */
export class Pages {
  readonly #dev: boolean;
  #app: ReturnType<typeof prepare> | undefined;

  constructor({ dev }: { dev: boolean }) {
    this.#dev = dev;
  }

  /** Throws if Next cannot be loaded; the next call tries again. */
  prepare() {
    this.#app ??= prepare(this.#dev).catch((error) => {
      this.#app = undefined;
      throw error;
    });
    return this.#app;
  }

  readonly serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const app = await this.prepare();
      await app.getRequestHandler()(request, response);
    } catch (error) {
      // The API keeps working without pages.
      logError("A page cannot be served.", error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };

  async close(): Promise<void> {
    await (await this.#app)?.close();
  }
}

async function prepare(dev: boolean) {
  const { hosts, port, localMode } = config();
  ownServer.isRunning = true;
  if (!dev) adoptBuiltConfiguration();
  const [host] = localMode ? ["localhost"] : hosts;
  // Where Next sends an action of another page, and requests the page after a form. Otherwise it
  // would speak TLS with this server if BASE_URL is https.
  process.env.__NEXT_PRIVATE_ORIGIN = `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const { default: next } = await import("next");
  const app = next({
    dev,
    hostname: host,
    port,
    dir: process.cwd(),
    // A dummy server. Otherwise Next listens for upgrades on the server of its first request, and
    // drops clients that offer HTTP/2, as Java's does with every request.
    ...(!dev && { httpServer: createServer() }),
  });
  await app.prepare();
  endTurnsThatWait();
  return app;
}

/**
 * When a form redirects, or belongs to another page, Next requests that page from this server, which takes a turn of
 * its own. So the form's turn ends first: forms that kept theirs would wait for each other.
 */
function endTurnsThatWait() {
  const { fetch } = globalThis;
  globalThis.fetch = (resource, init?: RequestInit & { next?: { internal?: unknown } }) => {
    if (init?.next?.internal) pageTurn.getStore()?.end();
    return fetch(resource, init);
  };
}

/** Next would compile next.config.ts at each start. The listener compresses its responses. */
function adoptBuiltConfiguration() {
  const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify({ ...config, compress: false });
}
