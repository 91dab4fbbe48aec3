import { expect, test } from "playwright/test";
import { normalizeEmail } from "@/lib/accounts/email";
import { newApiKey, storedForm } from "@/lib/accounts/key-format";
import { macOf } from "@/lib/accounts/otp";
import { networkOf } from "@/lib/http/sliding-window";

/** The vectors and rules that stand in the contract. */

test("The code's MAC is the contract's", () => {
  const pepper = Uint8Array.from({ length: 32 }, (_, i) => i);
  expect(macOf(pepper, "cla_0123456789ABCDEF", "user@example.com", "123456")).toBe(
    "d6bf196c46f8d985b1b4d3ae36ce0e47e53ebb392e131afd1679e38e0664d6fd",
  );
});

test("A code's MAC is bound to its attempt and its address", () => {
  const pepper = new Uint8Array(32);
  const macs = [
    macOf(pepper, "cla_1", "a@example.com", "123456"),
    macOf(pepper, "cla_2", "a@example.com", "123456"),
    macOf(pepper, "cla_1", "b@example.com", "123456"),
    macOf(pepper, "cla_1", "a@example.com", "123457"),
    macOf(new Uint8Array(32).fill(1), "cla_1", "a@example.com", "123456"),
  ];
  expect(new Set(macs).size).toBe(macs.length);
});

// agtls stores 20 of 28 characters in clear, so that the rest can be searched.
test("What is shown of a key hides more than 134 of its bits", () => {
  const live = newApiKey();
  expect(storedForm(live)).toMatchObject({ prefix: live.slice(0, 13), lastFour: live.slice(-4) });
  const token = newApiKey("access_token");
  expect(storedForm(token)).toMatchObject({
    prefix: token.slice(0, 11),
    lastFour: token.slice(-4),
  });
});

test("An address is stored in one form", () => {
  expect(normalizeEmail("  User.Name+Tag@EXAMPLE.com ")).toBe("user.name+tag@example.com");
  expect(normalizeEmail(`a@${"b".repeat(63)}.example`)).toBe(`a@${"b".repeat(63)}.example`);
  // U+212A, the Kelvin sign, becomes a plain k in lower case.
  expect(normalizeEmail("\u212Aate@example.com")).toBeUndefined();
});

test("An IPv6 client is counted by its /64 network, however it is written", () => {
  const CASES: Array<[address: string | null, network: string]> = [
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    [null, "unknown"],
  ];
  for (const [address, network] of CASES) expect(networkOf(address), String(address)).toBe(network);
});
