import { expect, test } from "@playwright/test";
import { jsonOutline } from "@/lib/http/json-outline";

const SAMPLES = [
  '{"a":[1,-0.5e+3,0,1E9],"b":{"c":"\\u00e9\\n\\"x"},"ttl":12,"d":[[],{}],"e":null}',
  ' [ true , false , null , "漢\\ud800" , { } , [ ] ] ',
  '{"ttl":1,"t\\u0074l":2,"x":{"ttl":3}}',
  '"text"',
  "-12.5e-3",
  "[[[[[[0]]]]]]",
];
const BYTES = Buffer.from(' \n{}[]",:\\u0019eE+-.tfnabl\x00\x1f/x');

test("A JSON text is accepted exactly when JSON.parse accepts it, and its depth and member are known", () => {
  let accepted = 0;
  for (const sample of SAMPLES) {
    compare(Buffer.from(sample));
    for (let turn = 0; turn < 4000; turn += 1) {
      const bytes = [...Buffer.from(sample)];
      for (let edits = Math.random() * 3; edits > 0; edits -= 1) {
        const at = Math.floor(Math.random() * (bytes.length + 1));
        const byte = BYTES[Math.floor(Math.random() * BYTES.length)] ?? 0;
        bytes.splice(at, Math.floor(Math.random() * 2), ...(Math.random() < 0.5 ? [byte] : []));
      }
      if (compare(Buffer.from(bytes))) accepted += 1;
    }
  }
  expect(accepted).toBeGreaterThan(1000);
});

/** Whether both accept the text. */
function compare(bytes: Buffer): boolean {
  const outline = jsonOutline(bytes, "ttl");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    expect(outline, text).toBeUndefined();
    return false;
  }
  const member = isRecord(value) && !Array.isArray(value) ? value.ttl : undefined;
  const number = typeof member === "number" ? member : undefined;
  expect(outline, text).toEqual({ depth: depthOf(text), number });
  return true;
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
