import { expect, test } from "playwright/test";
import { newApiKey } from "@/lib/accounts/key-format";
import { checksum, crc32, makeKeyText, sha256 } from "../support/keys";

/** Fixed vectors of the key format, against the second implementation that the tests use. */

const BODY = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

test("The published vectors hold", () => {
  expect(crc32(Buffer.from(`svc_live_${BODY}`))).toBe(695_303_240);
  expect(makeKeyText("svc_live_", BODY)).toBe(`svc_live_${BODY}0l3Q8O`);
  expect(sha256(`svc_live_${BODY}0l3Q8O`)).toBe(
    "f5e0fc644d63645306c54bd0cf9865a510f926a297e3875102bdeb3c2929379d",
  );
  expect(crc32(Buffer.from(`svc_at_${BODY}`))).toBe(2_694_105_892);
  expect(makeKeyText("svc_at_", BODY)).toBe(`svc_at_${BODY}2wKC0q`);
});

test("CRC-32 gives the check value of its standard", () => {
  expect(crc32(Buffer.from("123456789"))).toBe(0xcb_f4_39_26);
});

test("The keys that the service makes have the published form, a right checksum, and are never the same", () => {
  const keys = Array.from({ length: 1000 }, newApiKey);
  for (const key of keys) {
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
    expect(key.slice(-6)).toBe(checksum(key.slice(0, -6)));
  }
  expect(new Set(keys).size).toBe(1000);
  // Every digit of the alphabet appears: a generator that leaves some out has fewer bits than it says.
  expect(new Set(keys.flatMap((key) => [...key.slice(9, 41)])).size).toBe(62);
});
