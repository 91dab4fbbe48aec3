import { expect, test } from "playwright/test";
import { newApiKey, storedForm } from "@/lib/identity/keys/key-format";
import { normalizeEmail } from "@/lib/identity/people/email";
import { macOf } from "@/lib/identity/people/otp";
import { SIGNATURE_ALGORITHMS } from "@/lib/platform/config/trust-list";
import { read } from "../support/documents";

test("The page for providers lists the algorithms of tokens", () => {
  expect(read("docs/agent-auth.md")).toContain(`Algorithms: ${SIGNATURE_ALGORITHMS.join(", ")}.`);
});

test("The MAC of a one-time code matches the published vector", () => {
  const pepper = Uint8Array.from({ length: 32 }, (_, i) => i);
  expect(macOf(pepper, "cla_0123456789ABCDEF", "user@example.com", "123456")).toBe(
    "d6bf196c46f8d985b1b4d3ae36ce0e47e53ebb392e131afd1679e38e0664d6fd",
  );
});

test("The MAC of a one-time code depends on attempt, address, code and pepper", () => {
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

// Storing more of the key in the clear would leave few enough bits to search.
test("Only the prefix and the last four characters of a key are stored in the clear", () => {
  const live = newApiKey();
  expect(storedForm(live)).toMatchObject({ prefix: live.slice(0, 13), last_four: live.slice(-4) });
  const token = newApiKey("access_token");
  expect(storedForm(token)).toMatchObject({
    prefix: token.slice(0, 11),
    last_four: token.slice(-4),
  });
});

test("An email address is normalized before it is stored", () => {
  expect(normalizeEmail("  User.Name+Tag@EXAMPLE.com ")).toBe("user.name+tag@example.com");
  expect(normalizeEmail(`a@${"b".repeat(63)}.example`)).toBe(`a@${"b".repeat(63)}.example`);
  // U+212A, the Kelvin sign, becomes a plain k in lower case.
  expect(normalizeEmail("\u212Aate@example.com")).toBeUndefined();
});
