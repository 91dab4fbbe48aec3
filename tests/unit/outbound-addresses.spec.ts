import fc from "fast-check";
import { expect, test } from "playwright/test";
import { EVERY_ADDRESS } from "@/lib/platform/addresses";
import { classify } from "@/lib/platform/outbound/address-table";
import { type AddressRules, isKnownBlocked, permissionFor } from "@/lib/platform/outbound/policy";

const closed: AddressRules = {
  loopback: false,
  ownOrigin: "https://service.example",
  allowed: [],
  dnsServers: [],
};

const PUBLIC = words(`
  1.1.1.1 8.8.8.8 93.184.215.14 172.15.255.255 172.32.0.1 223.255.255.254 2606:4700::1111
  2a00:1450:4001::1 2001:200::1 3ffd::1
`);

const REFUSED = [
  ...words(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
  168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.170
  192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1
  ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1
  100::1 2001::1 2001:0:4136:e378::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
  2002:808:808::1 2620:4f:8000::1 3ffe::1 3fff::1 4000::1 5f00::1 fc00::1 fd00::1 fd00:ec2::254 fe80::1
  fe80::1%eth0 2606:4700::1111%eth0 fec0::1 ff02::1 localhost 8.8.8 0x08.8.8.8 08.8.8.8 134744072 1.2.3.4.5
`),
  "",
  "8.8.8.8 ",
];

test("Public addresses are permitted, and private, reserved and malformed ones refused", () => {
  const permitted = (address: string) =>
    permissionFor(address, new URL("http://x.example"), closed) === "public";
  expect(PUBLIC.filter((address) => !permitted(address))).toEqual([]);
  for (const address of REFUSED) {
    const permission = permissionFor(address, new URL("http://x.example"), closed);
    expect(permission, JSON.stringify(address)).toBeUndefined();
  }
});

test("Every URL spelling of a private IPv4 address is refused before DNS", () => {
  const hosts = words(`
    0x7f.1 2130706433 0177.0.0.1 127.1 ①②⑦.0.0.1 127.0.0.1. 0 0x0 [::1] [::ffff:127.0.0.1]
    [0:0:0:0:0:ffff:7f00:1] 169.254.169.254 0xa9fea9fe [64:ff9b::a9fe:a9fe] localhost LOCALHOST
    localhost. a.localhost 10.1 192.168.257
  `);
  for (const host of hosts) {
    const url = new URL(`http://${host}/`);
    expect(isKnownBlocked(url, closed), `${host} became ${url.hostname}`).toBe(true);
  }
});

test("Names and public addresses are not refused before delivery", () => {
  for (const host of [
    "example.com",
    "8.8.8.8",
    "[2606:4700::1111]",
    "127.0.0.1.nip.io",
    "notlocalhost",
  ]) {
    expect(isKnownBlocked(new URL(`http://${host}/`), closed), host).toBe(false);
  }
});

test("Local mode allows loopback and no other private address", () => {
  const local = { ...closed, loopback: true };
  const url = new URL("http://x.example");
  expect(permissionFor("127.0.0.1", url, local)).toBe("loopback");
  expect(permissionFor("::1", url, local)).toBe("loopback");
  for (const address of [
    "::ffff:127.0.0.1",
    "::7f00:1",
    "10.0.0.1",
    "0.0.0.0",
    "169.254.169.254",
  ]) {
    expect(permissionFor(address, url, local), address).toBeUndefined();
  }
});

test("Allowed networks never include metadata services or IPv4 embedded in IPv6", () => {
  const open = { ...closed, allowed: EVERY_ADDRESS };
  const url = new URL("http://x.example");
  for (const address of ["10.0.0.1", "127.0.0.1", "fd00::1"]) {
    expect(permissionFor(address, url, open), address).toBe("allowed");
  }
  const never = words(`
    169.254.169.254 169.254.0.1 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::169.254.169.254
    2002:a9fe:a9fe::1 ::169.254.169.254 ::ffff:0:169.254.169.254 2001:0:1::a9fe:a9fe
    ::808:808 ::ffff:10.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::10.0.0.1 2001:0:1::1
    2002:a00:1::1 fe80::1%eth0 nonsense
  `);
  for (const address of never) expect(permissionFor(address, url, open), address).toBeUndefined();
});

test("The service's own base URL is allowed at any address, but not another port", () => {
  const own = { ...closed, ownOrigin: "http://10.0.0.5:3000" };
  expect(permissionFor("10.0.0.5", new URL("http://10.0.0.5:3000/api/catch/x"), own)).toBe("own");
  expect(permissionFor("10.0.0.5", new URL("http://10.0.0.5:5432/"), own)).toBeUndefined();
});

test("No IPv6 spelling of an IPv4 address counts as public", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const hex = bytes.map((value) => value.toString(16).padStart(2, "0"));
      const tail = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
      const forms = [
        `::${tail}`,
        `::ffff:${tail}`,
        `::ffff:0:${tail}`,
        `64:ff9b::${tail}`,
        `2002:${tail}::1`,
        `2001:0:${tail}::1`,
      ];
      expect(forms.filter((form) => classify(form) === "public")).toEqual([]);
    }),
  );
});

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
