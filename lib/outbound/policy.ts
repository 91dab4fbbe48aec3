import { BlockList, isIP } from "node:net";
import { config } from "@/lib/config/config";
import { type AddressClass, classify, hidesIpv4 } from "./address-table";

/** What opens an address to a request: it is public, the machine's own, our own base URL, or an operator opened it. */
export type Opening = "public" | "loopback" | "own" | "allowed";

/** Which addresses beside the public ones may be reached, and who tells the addresses of names. */
export interface AddressRules {
  loopback: boolean;
  /** The origin of the service itself, which is always a valid target. */
  ownOrigin: string;
  allowed: BlockList;
  /** The name servers to ask; empty: the system's. */
  dnsServers: readonly string[];
}

/** The rules of this process's configuration. */
export function configuredRules(): AddressRules {
  const { localMode, baseUrl, deliveryAllowCidrs, dnsServers } = config();
  return {
    loopback: localMode,
    ownOrigin: new URL(baseUrl).origin,
    allowed: deliveryAllowCidrs,
    dnsServers,
  };
}

/** The rules for what a web page from elsewhere asks for in local mode: public addresses only. */
export function publicRules(): AddressRules {
  const { dnsServers } = config();
  return { loopback: false, ownOrigin: "", allowed: new BlockList(), dnsServers };
}

/**
 * Why a request to `url` may go to `address`, or undefined when it may not. The networks of cloud
 * metadata services are never open, in no spelling.
 */
export function openingOf(address: string, url: URL, rules: AddressRules): Opening | undefined {
  const kind: AddressClass = classify(address);
  if (kind === "metadata") return undefined;
  if (kind === "public") return "public";
  if (kind === "loopback" && rules.loopback) return "loopback";
  if (isIP(address) === 0 || address.includes("%") || hidesIpv4Address(kind, address)) {
    return undefined;
  }
  if (url.origin === rules.ownOrigin) return "own";
  return rules.allowed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
    ? "allowed"
    : undefined;
}

/**
 * Whether it is known without asking any name server that delivery would refuse this URL: its host
 * is a literal address that is not open, or a name of this machine where loopback is closed.
 */
export function isRefusedUnresolved(url: URL, rules: AddressRules = configuredRules()): boolean {
  const known = knownAddresses(url);
  return known?.some((address) => openingOf(address, url, rules) === undefined) ?? false;
}

/** The addresses of a host that no name server is asked for: a literal, or `localhost` and names below it. */
export function knownAddresses(url: URL): string[] | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return [host];
  // RFC 6761 §6.3
  return /^(.*\.)?localhost\.?$/i.test(host) ? ["127.0.0.1", "::1"] : undefined;
}

/** `::1` lies in the range of IPv4-compatible addresses, and is the one that hides none. */
function hidesIpv4Address(kind: AddressClass, address: string) {
  return kind !== "loopback" && hidesIpv4(address);
}
