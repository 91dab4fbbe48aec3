import { BlockList, isIP } from "node:net";
import * as z from "zod";

/** A zod transform: parses networks such as `10.0.0.0/8, ::1`. */
export function parseNetworks(list: string, context: z.RefinementCtx) {
  const networks = new BlockList();
  for (const entry of list.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const [address = "", length] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const longest = family === "ipv6" ? 128 : 32;
    const bits = length === undefined ? longest : Number(length);
    if (isIP(address) === 0 || !Number.isInteger(bits) || bits < 0 || bits > longest) {
      context.addIssue(`"${entry}" is not a network such as 10.0.0.0/8`);
      return z.NEVER;
    }
    networks.addSubnet(address, bits, family);
  }
  return networks;
}

/**
 * Like `parseNetworks`, with `none` for the empty list, since an empty variable means the default.
 */
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
