import { expect, test } from "playwright/test";
import * as z from "zod";
import { JSON_VALUES_MAX, PARTS_VALUES_MAX, parseBounded } from "@/lib/platform/http/bounded-json";
import type { Operation } from "@/lib/platform/http/operation";
import { BATCH_PARTS } from "@/lib/resources/batch/contract";
import { kinds } from "@/lib/resources/kinds";
import { everyOperation, titleOf } from "../support/operations";
import { countTurns } from "../support/turns";

/** The limit on values in a JSON body, against the largest bodies that the contracts allow. */

type Schema = z.core.JSONSchema.BaseSchema;

interface Place {
  where: string;
  /** Schemas by name. */
  named: Record<string, Schema>;
}

for (const operation of everyOperation) {
  const { body } = operation;
  // The bodies of a batch are those of other operations.
  if (!body || operation.id === "runBatch") continue;
  test(`The largest valid body of ${titleOf(operation)} is within the limit on values`, async () => {
    const largest = largestBody(operation, body);
    expect((await parseBounded(textOf(largest))).excessive).toBe(false);
    if (!isCreate(operation.path) || operation.method !== "POST") return;
    // As often as a batch may have it.
    const step = { method: "POST", path: operation.path, body: largest };
    const batch = textOf({ operations: Array(BATCH_PARTS.max).fill(step) });
    expect((await parseBounded(batch, BATCH_PARTS)).excessive).toBe(false);
  });
}

test("Each operation of a batch has at most as many values as a body, up to a sum, and so has the rest", async () => {
  const isExcessive = async (value: unknown) =>
    (await parseBounded(textOf(value), BATCH_PARTS)).excessive;
  const step = (count: number) => ({ body: { labels: Array(count).fill("x") } });
  const most = JSON_VALUES_MAX - 2;
  const share = PARTS_VALUES_MAX / 100 - 1;
  expect(await isExcessive({ operations: Array(10).fill(step(most)) })).toBe(false);
  expect(await isExcessive({ operations: Array(100).fill(step(share)) })).toBe(false);
  expect(await isExcessive({ operations: Array(100).fill(step(share + 1)) })).toBe(true);
  expect(await isExcessive({ operations: [step(1), step(most + 2), step(1)] })).toBe(true);
  expect(await isExcessive({ operations: Array(101).fill(step(1)) })).toBe(true);
  expect(await isExcessive({ operations: Array(JSON_VALUES_MAX).fill({}) })).toBe(true);
});

test("A body of 2000 values is accepted, and one of 2001 is not", async () => {
  const values = (count: number) => Buffer.from(`[${Array(count).fill("1").join()}]`);
  expect((await parseBounded(values(JSON_VALUES_MAX))).excessive).toBe(false);
  expect((await parseBounded(values(JSON_VALUES_MAX + 1))).excessive).toBe(true);
});

test("Commas in strings are no values, wherever the strings have quotes and backslashes", async () => {
  const isExcessive = async (text: string) => (await parseBounded(Buffer.from(text))).excessive;
  for (const escapes of ["", '\\"', "\\\\", '\\\\\\"', '\\"'.repeat(40), "\\\\".repeat(40)]) {
    for (let length = 0; length < 70; length += 1) {
      const start = `["${"x".repeat(length)}${escapes}`;
      expect(await isExcessive(`${start}${",".repeat(3000)}${escapes}"]`)).toBe(false);
      expect(await isExcessive(`${start}"${",1".repeat(JSON_VALUES_MAX)}]`)).toBe(true);
    }
  }
});

test("Between the steps of parsing large bodies that arrive together, others have many turns", async () => {
  const large = Buffer.from(JSON.stringify({ body: "x".repeat(1_000_001) }));
  const seen = await countTurns((turns) =>
    Promise.all([1, 2].map(() => parseBounded(large).then(turns))),
  );
  expect(Math.abs(Number(seen[1]) - Number(seen[0]))).toBeGreaterThan(10);
});

function isCreate(path: string): boolean {
  return kinds.some(({ name }) => path === `/api/${name}`);
}

function largestBody({ id }: Operation, body: z.ZodObject): unknown {
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any", reused: "inline" });
  return largestOf(schema, { where: id, named: schema.$defs ?? {} });
}

function textOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** A value with as many members as the schema allows; their values do not matter. */
function largestOf(schema: Schema | boolean | undefined, at: Place): unknown {
  if (typeof schema !== "object") return 0;
  if (schema.$ref !== undefined)
    return largestOf(at.named[schema.$ref.replace("#/$defs/", "")], at);
  const { where } = at;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choices.length > 0) {
    const all = choices.map((one) => largestOf(one, at));
    return all.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
  }
  if (schema.type === "array") {
    const items = Array.isArray(schema.items) ? schema.items[0] : schema.items;
    return Array(bound(schema.maxItems, where)).fill(largestOf(items, at));
  }
  if (schema.type !== "object") return 0;
  const known = Object.entries(schema.properties ?? {});
  const members = known.map(([name, one]) => [
    name,
    largestOf(one, { ...at, where: `${where}.${name}` }),
  ]);
  if (schema.additionalProperties) {
    const count = bound(schema.maxProperties, where);
    const value = largestOf(schema.additionalProperties, at);
    for (let n = 0; n < count; n += 1) members.push([`other-${n}`, value]);
  }
  return Object.fromEntries(members);
}

function bound(max: unknown, where: string): number {
  if (typeof max === "number") return max;
  throw new Error(`${where} has no bound.`);
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
