import { createServer } from "node:http";
import { rejectRequest } from "./client-error";
import { limitConnections } from "./connections";
import { listen } from "./listen";
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
  server.on("clientError", rejectRequest);
  if (dev) server.on("upgrade", (await pages.prepare()).getUpgradeHandler());

  const listening = await listen(server);
  return async () => {
    await drain(server, listening);
    await pages.close();
  };
}
