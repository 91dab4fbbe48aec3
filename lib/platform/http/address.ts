import { isIPv4 } from "node:net";
import { type Address, isWithin, parseAddress } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import type { HttpRequest } from "./request";

/**
 * The client's address. Our own server has already determined it. Under Next alone it comes from
 * Vercel's header, or from `X-Forwarded-For`, which app/_shared/instrumentation.ts overwrites.
 */
export function clientAddress(
  request: Pick<HttpRequest, "clientAddress"> & { headers: { get(name: string): string | null } },
): string | null {
  if (request.clientAddress !== undefined) return request.clientAddress;
  if (config().onVercel) return request.headers.get("x-real-ip");
  return forwardedAddress(null, request.headers.get("x-forwarded-for"));
}

/*
 * Loopback is trusted by default, since proxies and tunnels run there. Outsiders cannot use it: deliveries to ourselves
 * carry no forwarding headers (lib/resources/messages/deliver.ts). Local programs can spoof their address unless
 * `TRUSTED_PROXIES` is `none`.
 */

/**
 * The client behind `peer`: if `peer` is a trusted proxy, the right-most untrusted hop of
 * `X-Forwarded-For`. A null `peer` counts as a trusted proxy.
 */
export function forwardedAddress(peer: string | null, forwardedFor: string | null): string | null {
  if (peer !== null && forwardedFor === null && isIPv4(peer)) return peer;
  const direct = peer === null ? undefined : parseAddress(peer);
  const hops = forwardedFor === null ? [] : forwardedFor.split(",").reverse();
  let client = direct;
  for (const hop of hops) {
    const isForwarded = client === undefined ? peer === null : isTrusted(client);
    const address = isForwarded ? parseHop(hop.trim()) : undefined;
    if (!address) break;
    client = address;
  }
  return client?.toString() ?? peer;
}

/** Parses a hop, to which some proxies add the port, and brackets if it is IPv6. */
function parseHop(hop: string): Address | undefined {
  const [, ipv6, ipv4] = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return parseAddress(ipv6 ?? ipv4 ?? hop);
}

/** Whether the peer is in `TRUSTED_PROXIES`. */
export function isTrustedProxy(peer: string | undefined): boolean {
  const address = peer === undefined ? undefined : parseAddress(peer);
  return address !== undefined && isTrusted(address);
}

function isTrusted(address: Address): boolean {
  return isWithin(address, config().trustedProxies);
}
