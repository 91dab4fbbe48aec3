import { isLoopback, parseAddress } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { clientAddress } from "./address";
import type { HttpRequest } from "./request";

/**
 * Whether a server in local mode got the request from a program on its machine or, such as a container, in its private
 * network, and not from a web page. A page that rebinds its name to this machine can read without `Origin` and
 * `Sec-Fetch-Site`, but then `Host` has its name, also behind Docker's proxy.
 */
export function isNearby(request: HttpRequest): boolean {
  if (!config().localMode) return false;
  const { headers } = request;
  if (headers.get("origin") !== null) return false;
  if (!["none", null].includes(headers.get("sec-fetch-site"))) return false;
  const host = `http://${headers.get("host")}`;
  if (!URL.canParse(host)) return false;
  const { hostname } = new URL(host);
  const range = parseAddress(clientAddress(request) ?? "")?.range();
  if (range === "loopback") return isLoopback(hostname);
  // A page could send the header, and a tunnel sends it for strangers.
  const isDirect = headers.get("x-forwarded-for") === null;
  return isDirect && (range === "private" || range === "uniqueLocal") && isOfNetwork(hostname);
}

/** Whether a host is an address, or a name without a domain, as containers have. The name of a web page has a domain. */
function isOfNetwork(hostname: string): boolean {
  const isAddress = parseAddress(hostname.replace(/^\[|\]$/g, "")) !== undefined;
  return isAddress || !hostname.includes(".") || hostname === "host.docker.internal";
}
