import { config, requestedOrigin } from "@/lib/platform/config/config";

/**
 * Runs the work of a request. In local mode without BASE_URL, the URLs in its response have the
 * loopback host that the request was sent to. No other `Host` changes anything.
 */
export function atRequestedOrigin<T>(host: string | null | undefined, work: () => T): T {
  const [usual, ...others] = config().ownOrigins;
  const origin = `http://${host}`;
  return origin === usual || !others.includes(origin) ? work() : requestedOrigin.run(origin, work);
}

/**
 * Whether the URL leads to this service: to its host and port, or to any port of its host. A dot at the
 * end of a name changes nothing, since it is resolved without.
 */
export function isOwnHost(url: URL, compared: "host" | "hostname" = "host"): boolean {
  const named = (one: URL) => one[compared].replace(/\.(?=(:\d+)?$)/, "");
  return config().ownOrigins.some((own) => named(url) === named(new URL(own)));
}
