import { expect, test } from "playwright/test";
import { networkOf } from "@/lib/platform/addresses";
import { anonymous } from "@/lib/platform/caller";
import { config, parseConfig } from "@/lib/platform/config/config";
import { forwardedAddress } from "@/lib/platform/http/address";
import { SENT_FOR_HEADER } from "@/lib/platform/http/relayed";
import { countedAddress, sentFor } from "@/lib/platform/http/sent-for";
import { joiningOf } from "@/lib/resources/claim-set";
import { proofOf, provenBy } from "@/lib/resources/claim-token";
import { taskOperations } from "@/lib/resources/tasks/operations";

/** By whose address a client is counted, and which proxies say it. */

test("IPv6 clients are counted by /64 network and by /48, whatever the spelling", () => {
  const CASES: Array<[address: string | null, network: string, site: string]> = [
    ["192.0.2.7", "192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8::1", "2001:db8::/64", "2001:db8::/48"],
    ["::1", "::/64", "::/48"],
    ["fe80::1%eth0", "fe80::/64", "fe80::/48"],
    [null, "unknown", "unknown"],
  ];
  for (const [address, network, site] of CASES) {
    expect(networkOf(address), String(address)).toBe(network);
    expect(networkOf(address, 48), String(address)).toBe(site);
  }
});

test("An IPv4 client of a dual-stack socket is its IPv4 address, in every notation", () => {
  for (const mapped of [
    "::ffff:192.0.2.7",
    "::FFFF:192.0.2.7",
    "::ffff:c000:207",
    "0:0:0:0:0:ffff:c000:0207",
  ]) {
    expect(networkOf(mapped), mapped).toBe("192.0.2.7");
    expect(forwardedAddress(mapped, null), mapped).toBe("192.0.2.7");
    expect(forwardedAddress("::ffff:127.0.0.1", mapped), mapped).toBe("192.0.2.7");
  }
});

test("A forwarded address may have a port, and brackets if it is IPv6", () => {
  for (const [written, address] of [
    ["198.51.100.7:1234", "198.51.100.7"],
    ["[2001:db8::5]", "2001:db8::5"],
    ["[2001:db8::5]:99", "2001:db8::5"],
    ["[::ffff:192.0.2.7]:99", "192.0.2.7"],
    ["2001:db8::5:99", "2001:db8::5:99"],
  ] as const) {
    expect(forwardedAddress("127.0.0.1", `203.0.113.9, ${written}`), written).toBe(address);
    expect(forwardedAddress("127.0.0.1", `${written}, 127.0.0.1:80`), written).toBe(address);
  }
  for (const wrong of [
    "198.51.100.7:",
    "198.51.100.7:x",
    "[2001:db8::5",
    "2001:db8::5]:99",
    ":1",
  ]) {
    expect(forwardedAddress("127.0.0.1", wrong), wrong).toBe("127.0.0.1");
  }
});

test("A proxy is trusted by its IPv4 address, however its network is written", () => {
  const { trustedProxies } = config();
  for (const list of ["192.0.2.0/24", "::ffff:192.0.2.0/120", "2001:db8::/32, 192.0.2.1"]) {
    Object.assign(config(), parseProxies(list));
    expect(forwardedAddress("::ffff:192.0.2.1", "198.51.100.1"), list).toBe("198.51.100.1");
    expect(forwardedAddress("198.51.100.2", "198.51.100.1"), list).toBe("198.51.100.2");
    expect(forwardedAddress("2001:db9::1", "198.51.100.1"), list).toBe("2001:db9::1");
  }
  Object.assign(config(), { trustedProxies });
});

test("A message to ourselves counts for the network that its header names, if we signed it less than five minutes ago", () => {
  const counted = (header: string) =>
    countedAddress({
      clientAddress: "192.0.2.1",
      headers: new Headers({ [SENT_FOR_HEADER]: header }),
    });
  const header = sentFor("2001:db8::/48");
  expect(counted(header)).toBe("2001:db8::/48");
  const [network, time, signature] = header.split(" ");
  for (const forged of [
    "",
    `${network} ${time}`,
    `198.51.100.1 ${time} ${signature}`,
    `${network} ${Number(time) + 1} ${signature}`,
    `${header}, ${header}`,
  ]) {
    expect(counted(forged), forged).toBe("192.0.2.1");
  }
  const { now } = Date;
  try {
    for (const milliseconds of [-310_000, 310_000]) {
      Date.now = () => now() + milliseconds;
      expect(counted(header)).toBe("192.0.2.1");
    }
  } finally {
    Date.now = now;
  }
});

test("Wrong claim tokens in a message to ourselves count for that network", () => {
  const headers = { [SENT_FOR_HEADER]: sentFor("198.51.100.1"), "claim-with": "clm_x" };
  const request = {
    method: "POST",
    url: "/",
    headers: new Headers(headers),
    body: null,
    signal: new AbortController().signal,
    clientAddress: "192.0.2.1",
  };
  const counted = [
    proofOf(taskOperations.update, anonymous, request),
    provenBy("clm_x", anonymous, request).proof,
    joiningOf(taskOperations.create, anonymous, request),
  ];
  expect(counted.map((one) => one?.client)).toEqual(Array(3).fill("198.51.100.1"));
});

function parseProxies(list: string) {
  const { trustedProxies } = parseConfig({ ...process.env, TRUSTED_PROXIES: list });
  return { trustedProxies };
}
