import { isIP } from "node:net";
import * as z from "zod";
import { type Network, parseNetwork } from "@/lib/platform/addresses";

/** A zod transform: parses networks such as `10.0.0.0/8, ::1`. */
export function parseNetworks(list: string, context: z.RefinementCtx): Network[] {
  const entries = list.split(",").map((part) => part.trim());
  const networks: Network[] = [];
  for (const entry of entries) {
    if (entry === "") continue;
    const network = parseNetwork(entry);
    if (!network) {
      context.addIssue(`"${entry}" is not a network such as 10.0.0.0/8`);
      return z.NEVER;
    }
    networks.push(network);
  }
  return networks;
}

/** Like `parseNetworks`, with `none` for no network, since an empty variable means the default. */
export function parseProxies(list: string, context: z.RefinementCtx) {
  return parseNetworks(list.trim() === "none" ? "" : list, context);
}

/** A zod transform: parses name servers such as `192.0.2.1:53, [2001:db8::1]`. */
export function parseServers(list: string, context: z.RefinementCtx) {
  const servers = list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  for (const server of servers) {
    const [, bracketed, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(bracketed ?? plain ?? server) !== 0 || isIP(server) === 6) continue;
    context.addIssue(
      `"${server}" is not an address such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53`,
    );
    return z.NEVER;
  }
  return servers;
}
