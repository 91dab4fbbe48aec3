import { expect, test } from "playwright/test";
import { newApiKey } from "@/lib/identity/keys/key-format";
import { checksum, makeKeyText, sha256 } from "../support/keys";

/** The key format, checked against the independent implementation in tests/support/keys.ts. */

const BODY = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

test("The published test vectors hold", () => {
  expect(makeKeyText("svc_live_", BODY)).toBe(`svc_live_${BODY}0l3Q8O`);
  expect(sha256(`svc_live_${BODY}0l3Q8O`)).toBe(
    "f5e0fc644d63645306c54bd0cf9865a510f926a297e3875102bdeb3c2929379d",
  );
  expect(makeKeyText("svc_at_", BODY)).toBe(`svc_at_${BODY}2wKC0q`);
});

test("Generated keys have the published format and checksum, and are unique", () => {
  const keys = Array.from({ length: 1000 }, newApiKey);
  expect(keys.filter((key) => !/^svc_live_[0-9A-Za-z]{38}$/.test(key))).toEqual([]);
  expect(keys.filter((key) => key.slice(-6) !== checksum(key.slice(0, -6)))).toEqual([]);
  expect(new Set(keys).size).toBe(1000);
  // A generator that leaves out characters has less entropy than it claims.
  expect(new Set(keys.flatMap((key) => [...key.slice(9, 41)])).size).toBe(62);
});
