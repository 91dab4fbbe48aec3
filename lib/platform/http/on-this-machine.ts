import { isLoopback } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { clientAddress } from "./address";
import type { HttpRequest } from "./request";

/**
 * Whether a program on the machine of a server in local mode sends the request, and not a web page.
 * A page that rebound its name to this machine reads without `Origin`, but browsers send
 * `Sec-Fetch-Site` to loopback, and `Host` has the page's name.
 */
export function isOnThisMachine(request: HttpRequest): boolean {
  if (!config().localMode) return false;
  const address = clientAddress(request);
  const { headers } = request;
  const host = `http://${headers.get("host")}`;
  return (
    address !== null &&
    (address === "::1" || isLoopback(address)) &&
    URL.canParse(host) &&
    isLoopback(new URL(host).hostname) &&
    headers.get("origin") === null &&
    ["none", null].includes(headers.get("sec-fetch-site"))
  );
}
