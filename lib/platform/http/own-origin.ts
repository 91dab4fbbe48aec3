import { config } from "@/lib/platform/config/config";
import { requestedOrigin } from "@/lib/platform/config/requested-origin";

/**
 * Runs the work of a request. In local mode without BASE_URL, the URLs in its response have the
 * loopback host that the request was sent to. No other `Host` changes anything.
 */
export function atRequestedOrigin<T>(host: string | null | undefined, work: () => T): T {
  const [usual, ...others] = config().ownOrigins;
  const origin = `http://${host}`;
  return origin === usual || !others.includes(origin) ? work() : requestedOrigin.run(origin, work);
}
