import { expect, test } from "playwright/test";
import { contentTypeOf } from "@/lib/resources/messages/content-type";

const BODIES: Record<string, string | Uint8Array> = {
  "an object": '{"a":1}',
  "a scalar between blanks": " \n12e3\t",
  "an open array": "[1",
  "two values": "1 2",
  nothing: "",
  "an escaped lone surrogate": '"\\ud800"',
  "a lone surrogate as bytes": Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
  "a character in too many bytes": Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
  "a control character in a text": '"\u0001"',
  "a separator that JavaScript does not allow in a text": '"\u2028"',
  "a blank that JSON does not know": "\u00a01",
  "a byte order mark": "\ufeff[]",
  "two byte order marks": "\ufeff\ufeff[]",
  "a byte order mark alone": "\ufeff",
  "deep arrays": "[".repeat(100_000) + "]".repeat(100_000),
  "deep arrays, one of them open": "[".repeat(100_000) + "]".repeat(99_999),
  "deep objects": `${'{"a":'.repeat(100_000)}0${"}".repeat(100_000)}`,
  "a name twice": '{"a":1,"a":2}',
  "a number beyond all": "1e999",
};

test("A body without a type is JSON exactly if JSON.parse takes it, and else text if it is UTF-8", () => {
  for (const [what, content] of Object.entries(BODIES)) {
    const body = Buffer.from(content);
    expect(contentTypeOf(body), what).toBe(expectedType(body));
  }
});

/** As parsing the whole body decides. */
function expectedType(body: Buffer): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return "application/octet-stream";
  }
  try {
    JSON.parse(text);
    return "application/json";
  } catch {
    return "text/plain; charset=utf-8";
  }
}
