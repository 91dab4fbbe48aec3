import { expect, test } from "playwright/test";
import { jsonOutline } from "@/lib/platform/http/json-outline";
import { isObject } from "@/lib/platform/http/request";

const SAMPLES = [
  '{"a":[1,-0.5e+3,0,1E9],"b":{"c":"\\u00e9\\n\\"x"},"ttl":12,"d":[[],{}],"e":null}',
  ' [ true , false , null , "漢\\ud800" , { } , [ ] ] ',
  '{"ttl":1,"t\\u0074l":2,"x":{"ttl":3}}',
  '{"ttl":"\\"漢","ttl":[1],"ttl":true}',
  '"text"',
  "-12.5e-3",
  "[[[[[[0]]]]]]",
];
const BYTES = Buffer.from(' \n{}[]",:\\u0019eE+-.tfnabl\x00\x1f/x');

test("jsonOutline accepts what JSON.parse accepts, and reports its depth and member", () => {
  let accepted = 0;
  for (const sample of SAMPLES) {
    for (let turn = 0; turn < 4000; turn += 1) {
      const bytes = [...Buffer.from(sample)];
      for (let edits = turn === 0 ? 0 : Math.random() * 3; edits > 0; edits -= 1) {
        const at = Math.floor(Math.random() * (bytes.length + 1));
        const byte = BYTES[Math.floor(Math.random() * BYTES.length)] ?? 0;
        bytes.splice(at, Math.floor(Math.random() * 2), ...(Math.random() < 0.5 ? [byte] : []));
      }
      const text = Buffer.from(bytes).toString("utf8");
      const wanted = expectedOutline(text);
      const found = jsonOutline(Buffer.from(bytes), "ttl");
      if (wanted) accepted += 1;
      // `expect` takes milliseconds, so it runs only on a difference.
      if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found, text).toEqual(wanted);
    }
  }
  expect(accepted).toBeGreaterThan(1000);
});

/** The outline according to `JSON.parse`; undefined when the text is not JSON. */
function expectedOutline(text: string): ReturnType<typeof jsonOutline> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const member = isObject(value) ? value.ttl : undefined;
  return {
    depth: depthOf(text),
    values: valuesOf(text),
    member: isScalar(member) ? member : undefined,
  };
}

/** Repeated names have a value each. */
function valuesOf(text: string): number {
  const marks = text.replace(/"(?:\\.|[^"\\])*"/g, '"');
  return marks.match(/[[{]|"(?!\s*:)|[-\d][\d.eE+-]*|true|false|null/g)?.length ?? 0;
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const mark of text.replace(/"(?:\\.|[^"\\])*"/g, "").match(/[[\]{}]/g) ?? []) {
    depth += mark === "[" || mark === "{" ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}
