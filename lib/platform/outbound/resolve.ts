import { Resolver } from "node:dns/promises";
import { oncePerProcess } from "@/lib/platform/process";
import { blockedAddress, OutboundError } from "./error";
import { type AddressRules, knownAddresses, type Permission, permissionFor } from "./policy";

// c-ares doubles the timeout for the second try; both fit within the connect timeout.
const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;
/** Every address is vetted, so a name with thousands would keep the process busy. */
const ADDRESSES_MAX = 64;

/** An allowed address, and why it is allowed. */
export interface Vetted {
  address: string;
  permission: Permission;
}

/**
 * All addresses of a URL's host, vetted: one disallowed address blocks the whole name. Throws an
 * `OutboundError`: `blocked_address`, or `dns_error` when any query failed.
 */
export async function vettedAddresses(url: URL, rules: AddressRules): Promise<Vetted[]> {
  const addresses = knownAddresses(url) ?? (await resolveName(url.hostname, rules.dnsServers));
  return addresses.map((address) => {
    const permission = permissionFor(address, url, rules);
    if (permission === undefined) throw blockedAddress();
    return { address, permission };
  });
}

/** IPv4 first: machines without IPv6 are far more common than machines without IPv4. */
async function resolveName(name: string, servers: readonly string[]): Promise<string[]> {
  const resolver = resolverFor(servers);
  const answers = await Promise.all([
    recordsOf(resolver.resolve4(name)),
    recordsOf(resolver.resolve6(name)),
  ]);
  const addresses = answers.flat();
  if (addresses.length === 0) throw dnsError("The target's name has no address.");
  if (addresses.length > ADDRESSES_MAX) throw dnsError("The target's name has too many addresses.");
  return addresses;
}

/** A name may lack records of one family. Any other failure could hide a disallowed address. */
async function recordsOf(question: Promise<string[]>): Promise<string[]> {
  try {
    return await question;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENODATA") return [];
    throw dnsError(`The target's name could not be resolved (${code}).`);
  }
}

function dnsError(message: string) {
  return new OutboundError("dns_error", message);
}

/** Uses c-ares, since `getaddrinfo` has no timeout and blocks a thread. */
function resolverFor(servers: readonly string[]): Resolver {
  return oncePerProcess(`outbound.resolver:${servers.join()}`, () => {
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  });
}
