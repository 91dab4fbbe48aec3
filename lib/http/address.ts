import { isIP } from "node:net";
import { config } from "@/lib/config/config";
import type { HttpRequest } from "./request";

/**
 * The client's address. The server that holds the socket has worked it out already. Under Next alone
 * it comes from the platform's header on Vercel, else from `X-Forwarded-For`, which `next start`
 * fills in and a proxy before it must overwrite.
 */
export function clientAddress(
  request: Pick<HttpRequest, "clientAddress"> & { headers: { get(name: string): string | null } },
): string | null {
  if (request.clientAddress !== undefined) return request.clientAddress;
  if (config().onVercel) return request.headers.get("x-real-ip");
  return forwardedAddress(null, request.headers.get("x-forwarded-for"));
}

/*
 * Loopback is trusted by default, as proxies and tunnels run there. Nobody from outside is a loopback
 * peer: a delivery to ourselves carries no forwarding headers (lib/messages/deliver.ts). Programs on
 * the same machine may still say who they are, unless `TRUSTED_PROXIES` is `none`.
 */

/**
 * Who is behind `peer`: the right-most hop of `X-Forwarded-For` that is not itself a trusted proxy,
 * when `peer` is one (null: there is one, unknown), else `peer`.
 */
export function forwardedAddress(peer: string | null, forwardedFor: string | null): string | null {
  const direct = peer === null ? null : plain(peer);
  if (forwardedFor === null || (direct !== null && !isTrusted(direct))) return direct;
  const hops = forwardedFor.split(",").map((hop) => plain(hop.trim()));
  let client = direct;
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break;
    client = hop;
    if (!isTrusted(hop)) break;
  }
  return client;
}

/** Whether the socket's other end is a proxy of ours, by the rule of `TRUSTED_PROXIES`. */
export function isTrustedProxy(peer: string | undefined): boolean {
  return peer !== undefined && isTrusted(plain(peer));
}

function isTrusted(address: string): boolean {
  return config().trustedProxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** An IPv4 address as a dual-stack socket shows it, `::ffff:192.0.2.1`, is that IPv4 address. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
