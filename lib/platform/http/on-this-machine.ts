import { isLoopback } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { clientAddress } from "./address";
import type { HttpRequest } from "./request";

/**
 * Whether a server in local mode got the request from a program on its machine, not from a web page. A page that
 * rebinds its name to this machine can read without `Origin`, but then `Host` has its name. Browsers also send
 * `Sec-Fetch-Site` to loopback.
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
