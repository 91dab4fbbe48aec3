import { isIP } from "node:net";
import { config } from "@/lib/config/config";
import type { HttpRequest } from "./request";

/**
 * The client's address. Our own server has already determined it. Under Next alone it comes from
 * Vercel's header, or from `X-Forwarded-For`, which `next start` sets and a proxy in front must
 * overwrite.
 */
export function clientAddress(
  request: Pick<HttpRequest, "clientAddress"> & { headers: { get(name: string): string | null } },
): string | null {
  if (request.clientAddress !== undefined) return request.clientAddress;
  if (config().onVercel) return request.headers.get("x-real-ip");
  return forwardedAddress(null, request.headers.get("x-forwarded-for"));
}

/*
 * Loopback is trusted by default, since proxies and tunnels run there. Outsiders cannot use it: deliveries to ourselves carry no forwarding headers (lib/messages/deliver.ts). Local programs can spoof their address unless `TRUSTED_PROXIES` is `none`.
 */

/**
 * The client behind `peer`: if `peer` is a trusted proxy, the right-most untrusted hop of
 * `X-Forwarded-For`. A null `peer` counts as a trusted proxy.
 */
export function forwardedAddress(peer: string | null, forwardedFor: string | null): string | null {
  const direct = peer === null ? null : unmapIpv4(peer);
  if (forwardedFor === null || (direct !== null && !isTrusted(direct))) return direct;
  const hops = forwardedFor.split(",").map((hop) => unmapIpv4(hop.trim()));
  let client = direct;
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break;
    client = hop;
    if (!isTrusted(hop)) break;
  }
  return client;
}

/** Whether the peer is in `TRUSTED_PROXIES`. */
export function isTrustedProxy(peer: string | undefined): boolean {
  return peer !== undefined && isTrusted(unmapIpv4(peer));
}

function isTrusted(address: string): boolean {
  return config().trustedProxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Unwraps an IPv4-mapped address of a dual-stack socket, such as `::ffff:192.0.2.1`. */
function unmapIpv4(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
