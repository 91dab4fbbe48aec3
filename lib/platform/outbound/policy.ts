import { isIP } from "node:net";
import { EVERY_ADDRESS, isWithin, type Network, parseAddress } from "@/lib/platform/addresses";
import { config } from "@/lib/platform/config/config";
import { classify, embedsIpv4 } from "./address-table";

/** Why an address is allowed: public, loopback in local mode, ours, or the operator's choice. */
export type Permission = "public" | "loopback" | "own" | "allowed";

/** Which non-public addresses are allowed, and which name servers to ask. */
export interface AddressRules {
  loopback: boolean;
  /** The service's own origin, always a valid target. */
  ownOrigin: string;
  allowed: readonly Network[];
  /** Empty for the system's name servers. */
  dnsServers: readonly string[];
}

export function configuredRules(): AddressRules {
  const { localMode, ownOrigins, deliveryAllowCidrs, dnsServers } = config();
  return {
    loopback: localMode,
    ownOrigin: new URL(ownOrigins[0]).origin,
    allowed: deliveryAllowCidrs,
    dnsServers,
  };
}

/** Public addresses only, for what a foreign web page or a stranger chose. */
export function publicRules(): AddressRules {
  const { dnsServers } = config();
  return { loopback: false, ownOrigin: "", allowed: [], dnsServers };
}

/**
 * The permission for a request to `url` to reach `address`, or undefined. Cloud metadata networks
 * are never allowed, in any notation.
 */
export function permissionFor(
  address: string,
  url: URL,
  rules: AddressRules,
): Permission | undefined {
  const kind = classify(address);
  if (kind === "metadata") return undefined;
  if (kind === "public") return "public";
  if (kind === "loopback" && rules.loopback) return "loopback";
  const parsed = parseAddress(address);
  if (!parsed || address.includes("%")) return undefined;
  // `::1` is in the IPv4-compatible range but embeds no IPv4 address.
  if (kind !== "loopback" && embedsIpv4(address)) return undefined;
  if (url.origin === rules.ownOrigin) return "own";
  return isWithin(parsed, rules.allowed) ? "allowed" : undefined;
}

/**
 * Whether a delivery to this URL would certainly be refused, decided without DNS: its host is a
 * disallowed IP literal, or a localhost name where loopback is disallowed.
 */
export function isKnownBlocked(url: URL, rules: AddressRules = configuredRules()): boolean {
  const known = knownAddresses(url);
  return known?.some((address) => permissionFor(address, url, rules) === undefined) ?? false;
}

/** Whether `DELIVERY_ALLOW_CIDRS` could allow this blocked URL. */
export function mayBeAllowed(url: URL): boolean {
  return !isKnownBlocked(url, { ...configuredRules(), allowed: EVERY_ADDRESS });
}

/** The addresses of a host that needs no DNS: an IP literal, or `localhost` and its subdomains. */
export function knownAddresses(url: URL): string[] | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return [host];
  // RFC 6761 §6.3
  return /^(.*\.)?localhost\.?$/i.test(host) ? ["127.0.0.1", "::1"] : undefined;
}
