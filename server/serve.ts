import { once } from "node:events";
import { createServer, type Server } from "node:http";
import net from "node:net";
import { config } from "@/lib/platform/config/config";
import { codeOf } from "@/lib/platform/db/failures";
import { CONNECTIONS_MAX } from "@/lib/platform/limits/connection-slots";
import { OperatorError } from "@/lib/platform/operator-error";
import { onClientError } from "./client-error";
import { limitConnections } from "./connections";
import { listener } from "./listener";
import { Pages } from "./pages";
import { drain } from "./stop";

/** Longer than the minute for which proxies keep idle connections. */
export const IDLE_MS_MAX = 65_000;
/** How often Node checks for late headers. */
const HEADER_CHECK_MS = 500;
/** The time in which the headers of a request must arrive. */
export const HEADERS_MS_MAX = 10_000;
/** The time for the largest upload; most operations allow less. */
const REQUEST_MS_MAX = 300_000;
/** Webhook senders may need more than Node's default of 16 KB. */
export const HEADER_BYTES_MAX = 65_536;

/**
 * Serves requests on the configured port. With `dev`, Next's dev server serves all paths, so that
 * changes appear at once. Returns a function that lets running requests finish and then stops.
 */
export async function serve({ dev }: { dev: boolean }): Promise<() => Promise<void>> {
  const pages = new Pages({ dev });
  if (dev) await pages.prepare();

  const server = createServer({
    keepAliveTimeout: IDLE_MS_MAX,
    headersTimeout: HEADERS_MS_MAX,
    connectionsCheckingInterval: HEADER_CHECK_MS,
    requestTimeout: REQUEST_MS_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
    requireHostHeader: false, // the listener checks it, with a JSON error
  });
  limitConnections(server);
  // Node would silently drop headers after the thousandth; their size is limited anyway.
  server.maxHeadersCount = 0;
  const handle = listener(pages.serve, { api: !dev });
  server.on("request", handle);
  // Requests with `Expect: 100-continue` may get a response before the body is read.
  server.on("checkContinue", handle);
  // Other expectations. Node would send an empty 417, even on capture URLs.
  server.on("checkExpectation", handle);
  server.on("clientError", onClientError);
  if (dev) server.on("upgrade", (await pages.prepare()).getUpgradeHandler());

  const listening = await listen(server);
  return async () => {
    await drain(server, listening);
    await pages.close();
  };
}

/** A machine without IPv6 has no `::1`. */
const NO_SUCH_ADDRESS = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

/** Listens on the configured addresses and returns what to close. Throws an `OperatorError`. */
async function listen(server: Server): Promise<net.Server[]> {
  const [first, ...others] = config().hosts;
  await bind(server, first);
  const listening: net.Server[] = [server];
  for (const host of others) {
    // The options with which an HTTP server makes its own.
    const other = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit("connection", socket),
    );
    if (await bind(other, host, { optional: true })) listening.push(other);
  }
  return listening;
}

async function bind(server: net.Server, host: string, { optional = false } = {}): Promise<boolean> {
  const { port } = config();
  // The backlog queues bursts of connections instead of dropping them.
  server.listen({ port, host, backlog: CONNECTIONS_MAX });
  try {
    await once(server, "listening");
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (optional && NO_SUCH_ADDRESS.includes(code)) return false;
    const explain = EXPLANATIONS[code];
    throw explain ? new OperatorError(explain(host, port)) : error;
  }
}

const noAddress = (host: string) =>
  `HOST: ${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1 or 0.0.0.0.`;
const EXPLANATIONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) => `PORT: ${host}:${port} is in use. Set PORT to a free one.`,
  EACCES: (host, port) =>
    `PORT: this user may not listen on ${host}:${port}. Set PORT to a number above 1023.`,
  EADDRNOTAVAIL: noAddress,
  EAFNOSUPPORT: noAddress,
  EAI_AGAIN: noAddress,
  ENOTFOUND: noAddress,
  EINVAL: noAddress,
};
