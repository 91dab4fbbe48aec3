import { Resolver } from "node:dns/promises";
import { oncePerProcess } from "@/lib/process";
import { blockedAddress, OutboundError } from "./error";
import { type AddressRules, knownAddresses, type Opening, openingOf } from "./policy";

// The second try waits twice as long: both end well within the time to connect.
const QUERY_TIMEOUT_MS = 1000;
const QUERY_TRIES = 2;

/** An address that a request may be sent to, and why. */
export interface Vetted {
  address: string;
  opening: Opening;
}

/**
 * All addresses of a URL's host, each of them vetted: one that may not be reached refuses the whole
 * name. Throws an `OutboundError`: `blocked_address`, or `dns_error` when any question failed.
 */
export async function resolveVetted(url: URL, rules: AddressRules): Promise<Vetted[]> {
  const addresses = knownAddresses(url) ?? (await lookUp(url.hostname, rules.dnsServers));
  return addresses.map((address) => {
    const opening = openingOf(address, url, rules);
    if (opening === undefined) throw blockedAddress();
    return { address, opening };
  });
}

/** IPv4 first: a machine without IPv6 is far more common than one without IPv4. */
async function lookUp(name: string, servers: readonly string[]): Promise<string[]> {
  const resolver = resolverFor(servers);
  const answers = await Promise.all([
    recordsOf(resolver.resolve4(name)),
    recordsOf(resolver.resolve6(name)),
  ]);
  const addresses = answers.flat();
  if (addresses.length === 0) throw dnsError("The target's name has no address.");
  return addresses;
}

/** A name may have records of one family only; every other failure could hide an address. */
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

/** c-ares, not the system's `getaddrinfo`: that one knows no time limit and holds a thread. */
function resolverFor(servers: readonly string[]): Resolver {
  return oncePerProcess(`outbound.resolver:${servers.join()}`, () => {
    const made = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers.length > 0) made.setServers(servers);
    return made;
  });
}
