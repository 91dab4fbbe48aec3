import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "playwright/test";
import { readBody } from "@/components/bodies/body-content";
import { findInBytes, findInText } from "@/components/bodies/find-offsets";
import { formPairs } from "@/components/bodies/form-pairs";
import { hexDump, hexRanges } from "@/components/bodies/hex-dump";
import { jsonTokens } from "@/components/bodies/json-tokens";
import { characterBudget, jsonValue, layOutJson } from "@/components/bodies/json-value";
import { layOutXml } from "@/components/bodies/xml-layout";
import { multipartParts } from "@/lib/platform/bodies/multipart";
import { UNPACKED_BYTES_MAX, unpack } from "@/lib/platform/bodies/unpack";

const PLAIN = { contentType: null, contentEncoding: null, truncated: false };
const RUNS = { numRuns: 300 };

test("A JSON text is laid out without a change to any token", () => {
  const text =
    '{"id":12345678901234567890,"zero":0.0,"big":1e400,"a":1,"a":2,"s":"\\u00e9\\/","e":[],"o":{}}';
  expect(layOutJson(text, 10_000)).toEqual({
    end: "complete",
    text: `{
  "id": 12345678901234567890,
  "zero": 0.0,
  "big": 1e400,
  "a": 1,
  "a": 2,
  "s": "\\u00e9\\/",
  "e": [],
  "o": {}
}`,
  });
  const spaced = fc.tuple(fc.json(), fc.nat(4)).map(([json, by]) => {
    return JSON.stringify(JSON.parse(json), null, by);
  });
  fc.assert(
    fc.property(spaced, (json) => {
      expect(tokensOf(layOutJson(json, 1e9).text)).toEqual(tokensOf(json));
    }),
    RUNS,
  );
});

test("The JSON view accepts what JSON.parse accepts", () => {
  const edit = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:\\0eE+-. tfnul\n\u0001'));
  fc.assert(
    fc.property(edit, ([json, place, character]) => {
      const at = place % (json.length + 1);
      for (const text of [json, json.slice(0, at) + character + json.slice(at)]) {
        const isComplete = endOf(text) === "complete";
        // `expect` takes long, so it runs only on a difference.
        if (isComplete !== isJson(text)) expect(isComplete, text).toBe(isJson(text));
      }
    }),
    { numRuns: 2000 },
  );
});

test("A JSON text that ends inside a string is shown as cut, unless the string is already invalid", () => {
  const text = '{"a\\u00e9\\\\":"\\n\\u1F4a\\"b","c":["d"';
  for (let end = 0; end <= text.length; end += 1) expect(endOf(text.slice(0, end))).toBe("cut");
  for (const invalid of ["\\1", "\\x", "\\u12x", '\\u12"', "\n"]) {
    expect(endOf(`"a${invalid}`), invalid).toBe("invalid");
  }
});

test("A JSON tree keeps order, repeated names and every digit", () => {
  expect(jsonValue('{"b":1.10,"a":[1e400],"b":null}', characterBudget())).toEqual({
    kind: "object",
    members: [
      { name: '"b"', value: { kind: "number", raw: "1.10" } },
      {
        name: '"a"',
        value: {
          kind: "array",
          members: [{ name: null, value: { kind: "number", raw: "1e400" } }],
        },
      },
      { name: '"b"', value: { kind: "word", raw: "null" } },
    ],
  });
});

test("Hostile bodies are shown within bounds", async () => {
  const bodies = {
    deep: "[".repeat(100_000) + "]".repeat(100_000),
    deepObjects: '{"a":'.repeat(100_000),
    wide: `[${"1,".repeat(5_000_000)}1]`,
    longString: `{"a": "${"\\u0041".repeat(1_000_000)}"}`,
    longField: `a=${"%41".repeat(2_000_000)}`,
    fields: "a=b&".repeat(1_000_000),
    tags: `<?xml version="1.0"?>${"<a>".repeat(300_000)}`,
    openTag: `<?xml version="1.0"?><a b="${"x".repeat(5_000_000)}`,
    comments: `<?xml version="1.0"?>${"<!--".repeat(300_000)}`,
    quotes: `"${"\\".repeat(5_000_001)}`,
  };
  for (const [name, body] of Object.entries(bodies)) {
    const start = process.cpuUsage();
    const contentType =
      name.endsWith("ield") || name === "fields" ? "application/x-www-form-urlencoded" : null;
    const { pretty } = await readBody(Buffer.from(body), {
      ...PLAIN,
      contentType,
      truncated: true,
    });
    const size = JSON.stringify(pretty ?? null).length;
    expect({ name, isSmall: size < 200_000 }).toEqual({ name, isSmall: true });
    const isFast = process.cpuUsage(start).user / 1000 < 3000;
    expect({ name, isFast }).toEqual({ name, isFast: true });
  }
});

test("XML is laid out with its markup unchanged", () => {
  const xml = `<?xml version="1.0"?><order id="a>b"><!-- note --><line n='1'/><name>Ann &amp; Bo</name><![CDATA[<x>]]></order>`;
  const { text } = layOutXml(xml, 10_000);
  expect(text).toBe(`<?xml version="1.0"?>
<order id="a>b">
  <!-- note -->
  <line n='1'/>
  <name>Ann &amp; Bo</name>
  <![CDATA[<x>]]>
</order>`);
});

test("Form fields are read as URLSearchParams reads them", () => {
  const piece = fc.string({
    unit: fc.constantFrom("a", "=", "&", "+", "%", "C3", "%C3%A9", "é", "?"),
  });
  fc.assert(
    fc.property(piece, (text) => {
      expect(formPairs(text, 1000).pairs).toEqual([...new URLSearchParams(`?${text}`)]);
    }),
    RUNS,
  );
});

test("Multipart bodies are taken apart byte by byte, also when the end is missing", () => {
  const file = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10]);
  const body = Buffer.concat([
    Buffer.from(
      'preamble\r\n--b\r\nContent-Disposition: form-data; name="a \\"b\\""\r\n\r\n1\r\n--b\r\n',
    ),
    Buffer.from(
      'content-type: image/png\r\nContent-Disposition: form-data; name="f"; filename="ü.png"\r\n\r\n',
    ),
    file,
    Buffer.from("\r\n--b\r\n\r\nno headers"),
  ]);
  const type = 'multipart/form-data; boundary="b"';
  const parts = [
    { name: 'a "b"', fileName: null, type: null, bytes: Buffer.from("1") },
    { name: "f", fileName: "ü.png", type: "image/png", bytes: file },
    { name: null, fileName: null, type: null, bytes: Buffer.from("no headers") },
  ];
  expect(multipartParts(body, type)).toEqual(parts);
  expect(multipartParts(Buffer.concat([body, Buffer.from("\r\n--b--\r\n")]), type)).toEqual(parts);
  expect(multipartParts(Buffer.from("--b\r\n\r\nx\r\n".repeat(100_000)), type)).toHaveLength(100);
  const last = Buffer.from(`${"--b\r\n".repeat(2000)}--b\r\n\r\nx`);
  expect(multipartParts(last, type)).toEqual([]);
});

test("Compressed bodies are unpacked up to a limit, and as far as they are intact", async () => {
  const text = Buffer.from("hello ".repeat(1000));
  const packed: [string | null, Buffer][] = [
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    [null, gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
  ];
  for (const [encoding, bytes] of packed) {
    expect(await unpack(bytes, encoding)).toMatchObject({ bytes: text, extent: "all" });
  }
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const unpacked = await unpack(bomb, "gzip");
  expect(unpacked).toMatchObject({ extent: "limit" });
  expect(unpacked.bytes).toHaveLength(UNPACKED_BYTES_MAX);
  const letters = await unpack(gzipSync(`a${"é".repeat(UNPACKED_BYTES_MAX / 2)}`), "gzip");
  expect(letters).toMatchObject({ extent: "limit" });
  expect(letters.bytes).toHaveLength(UNPACKED_BYTES_MAX - 1);
  const damaged = await unpack(Buffer.concat([gzipSync(text).subarray(0, 40)]), "gzip");
  expect(damaged.bytes.toString()).toMatch(/^hello /);
  for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip, gzip, gzip", "__proto__"]) {
    const { bytes, extent } = await unpack(Buffer.from("plain"), encoding);
    expect({ text: bytes.toString(), extent }).toEqual({ text: "plain", extent: "unknown" });
  }
});

test("A search in a long text finds the same as one in a short one, and every byte can be found", async () => {
  const { signal } = new AbortController();
  const text = `${"x".repeat(499_998)}Needle${"x".repeat(600_000)}needle`;
  expect(await findInText(text, "nEEDLE", signal)).toEqual([
    { start: 499_998, end: 500_004 },
    { start: 1_100_004, end: 1_100_010 },
  ]);
  expect(await findInText("aaaa", "aa", signal)).toHaveLength(2);
  const bytes = Uint8Array.from([0, 1, 2, 0xde, 0xad, 0xbe, 0xef, 3, 4, 65, 66]);
  expect(findInBytes(bytes, "be ef 03 04")).toEqual([{ start: 5, end: 9 }]);
  expect(findInBytes(bytes, "A")).toEqual([{ start: 9, end: 10 }]);
  expect(findInBytes(Buffer.from("xyz"), "yz")).toEqual([{ start: 1, end: 3 }]);
  const shown = hexDump(bytes);
  expect(hexRanges(5, 9).map(([start, end]) => shown.slice(start, end))).toEqual([
    "be ef 03",
    "04",
  ]);
});

function tokensOf(text: string): string[] {
  return Array.from(jsonTokens(text), ({ raw }) => raw);
}

function endOf(text: string): unknown {
  const tokens = jsonTokens(text);
  for (;;) {
    const { done, value } = tokens.next();
    if (done) return value;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
