import { expect, test } from "playwright/test";
import { contentTypeOf } from "@/lib/resources/messages/content-type";

const BODIES: Record<string, (string | Uint8Array)[]> = {
  "application/json": [
    '{"a":1}',
    '"\u2028"',
    "\ufeff[]",
    "1e999",
    "[".repeat(100_000) + "]".repeat(100_000),
    `${'{"a":'.repeat(100_000)}0${"}".repeat(100_000)}`,
  ],
  "text/plain; charset=utf-8": [
    "",
    "\ufeff",
    "\ufeff\ufeff[]",
    "\u00a01",
    "[".repeat(100_000) + "]".repeat(99_999),
  ],
  // A lone surrogate, and a character in too many bytes.
  "application/octet-stream": [
    Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
  ],
};

test("A body without a type is JSON exactly if JSON.parse takes it, and else text if it is UTF-8", () => {
  for (const [type, bodies] of Object.entries(BODIES)) {
    expect(bodies.map((body) => contentTypeOf(Buffer.from(body)))).toEqual(bodies.map(() => type));
  }
});
