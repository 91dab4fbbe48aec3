import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address and the length of its prefix. */
export type Network = [address: Address, bits: number];

/** Parses an IP address as written: an IPv4-mapped one stays IPv6. Undefined if it is none. */
export function parseLiteral(text: string): Address | undefined {
  return isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}

/**
 * Parses a client's IP address; undefined if it is not one. An IPv4-mapped IPv6 address, which a
 * dual-stack socket reports for an IPv4 client, becomes IPv4.
 */
export function parseAddress(text: string): Address | undefined {
  const parsed = parseLiteral(text);
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress();
  return isMapped ? parsed.toIPv4Address() : parsed;
}

/** Parses a network such as `10.0.0.0/8`, or a single address; undefined if it is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const parsed = parseLiteral(address);
  if (!parsed || rest.length > 0) return undefined;
  const longest = parsed instanceof ipaddr.IPv4 ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const bits = length === undefined ? longest : Number(length);
  if (bits > longest) return undefined;
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [parsed.toIPv4Address(), bits - 96] : [parsed, bits];
}

/** Parses networks written like `::ffff:0:0/96`. */
export function networksAt(...ranges: string[]): Network[] {
  return ranges.map((range) => ipaddr.parseCIDR(range));
}

export const EVERY_ADDRESS: readonly Network[] = networksAt("0.0.0.0/0", "::/0");

/** Whether one of the networks contains the address. */
export function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network));
}

/**
 * The network that counts as one client: an IPv4 address, or an IPv6 network with this prefix
 * length.
 */
export function networkOf(address: string | null, prefixLength: 48 | 64 = 64): string {
  if (address === null || isIPv4(address)) return address ?? "unknown";
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address;
  const parts = parsed.parts.map((part, index) => (index < prefixLength / 16 ? part : 0));
  return `${new ipaddr.IPv6(parts)}/${prefixLength}`;
}

/** Whether the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
}

/**
 * How many times the limit of one network an IPv6 /48 gets: it may belong to one customer, who has
 * 65 536 networks of /64, or to many.
 */
export const LARGE_NETWORK_FACTOR = 4;

/**
 * The networks to count a client under, with their factors: IPv4, or IPv6 /64 and /48. The address may
 * be such a network itself.
 */
export function networksOf(address: string | null): [network: string, factor: number][] {
  if (address?.endsWith("/48")) return [[address, LARGE_NETWORK_FACTOR]];
  const [small, large] = [networkOf(address), networkOf(address, 48)];
  return small === large
    ? [[small, 1]]
    : [
        [small, 1],
        [large, LARGE_NETWORK_FACTOR],
      ];
}
