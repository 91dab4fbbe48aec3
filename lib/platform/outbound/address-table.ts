import { type Address, isWithin, networksAt, parseLiteral } from "@/lib/platform/addresses";

type AddressClass = "public" | "loopback" | "special" | "metadata";

/**
 * Classifies an IP address by our own table: public means IPv4 outside its special ranges, or IPv6
 * global unicast. The library's table must also call it public.
 */
export function classify(address: string): AddressClass {
  const parsed = parseLiteral(address);
  // An address with a zone (fe80::1%eth0) is never public.
  if (!parsed || address.includes("%")) return "special";
  if (parsed.kind() === "ipv4") {
    if (isWithin(parsed, IPV4_METADATA)) return "metadata";
    if (isWithin(parsed, IPV4_LOOPBACK)) return "loopback";
    if (isWithin(parsed, IPV4_SPECIAL)) return "special";
  } else {
    if (embedsMetadata(parsed) || isWithin(parsed, IPV6_METADATA)) return "metadata";
    if (isWithin(parsed, IPV6_LOOPBACK)) return "loopback";
    if (!isWithin(parsed, IPV6_GLOBAL_UNICAST) || isWithin(parsed, IPV6_SPECIAL)) return "special";
  }
  return parsed.range() === "unicast" ? "public" : "special";
}

/** Whether an IPv6 address embeds an IPv4 address. Such addresses are never allowed. */
export function embedsIpv4(address: string): boolean {
  const parsed = parseLiteral(address);
  return parsed !== undefined && isWithin(parsed, IPV4_IN_IPV6);
}

const IPV4_LOOPBACK = networksAt("127.0.0.0/8");
const IPV6_LOOPBACK = networksAt("::1/128");
const IPV6_GLOBAL_UNICAST = networksAt("2000::/3");
const IPV4_METADATA = networksAt("169.254.0.0/16");
const IPV6_METADATA = networksAt("fd00:ec2::/32");

// The IANA special-purpose registry, multicast, and Azure's host agent.
const IPV4_SPECIAL = networksAt(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "168.63.129.16/32",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
);

// Inside 2000::/3: protocol assignments (Teredo, ORCHID), documentation, 6to4, 6bone, AS112.
const IPV6_SPECIAL = networksAt(
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
);

// Compatible, mapped, translated (RFC 2765), NAT64 and its local prefix, Teredo, 6to4.
const IPV4_IN_IPV6 = networksAt(
  "::/96",
  "::ffff:0:0/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
);

/** Whether the IPv4 link-local network is embedded: in the last four bytes, or after 2002:. */
function embedsMetadata(address: Address): boolean {
  const bytes = address.toByteArray();
  const sixToFour = bytes[0] === 0x20 && bytes[1] === 0x02 && bytes[2] === 169 && bytes[3] === 254;
  return sixToFour || (isWithin(address, IPV4_IN_IPV6) && bytes[12] === 169 && bytes[13] === 254);
}
