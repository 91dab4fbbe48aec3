import fc from "fast-check";
import { anyText } from "../support/arbitraries";
import type { Document, Schema } from "../support/openapi";

/**
 * Valid and invalid values of a JSON schema. `@@tsk:0@@` is replaced with the newest task that the
 * chain has seen when the request is sent, `@@tsk:1@@` with the one before.
 */

const HOSTILE_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202e",
  "💥",
  "e\u0301".repeat(50),
  "x".repeat(200),
  "x".repeat(201),
  "💥".repeat(200),
  "x".repeat(5000),
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "-0",
  "1e999",
  "../../etc/passwd",
  "%00",
  "%ff",
  "%",
  "'; DROP TABLE tasks; --",
  "\\",
  '"',
  "{}",
  "\r\nSet-Cookie: a=b",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "*",
  "%_\\",
];

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  anyText({ maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

const hostileNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.5,
  1e21,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  -(2 ** 63),
);

const anything: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(null, true, false, [], {}, [null], [[]], { a: { b: {} } }),
  fc.constant(Array(2000).fill("a")),
  fc.jsonValue({ maxDepth: 3 }),
);

/** `@@kind:n@@`, mostly the newest. */
export function known(kind: string): fc.Arbitrary<string> {
  return fc.nat(3).map((back) => `@@${kind}:${back > 2 ? 1 : 0}@@`);
}

const TOKENS: Record<string, string> = {
  lease_id: "lse",
  event_id: "iev",
  claim_token: "clm",
  id: "any",
  since: "wev",
  share_id: "shr",
};

/** Valid values; `name` is the property's. Waits are short and URLs stay on this machine. */
export function validValue(document: Document, given: Schema, name = ""): fc.Arbitrary<unknown> {
  const schema = document.schema(given);
  const inner = (one: Schema) => validValue(document, one, name);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map(inner));
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => inner({ ...schema, type })));
  switch (types[0]) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return integerOf(schema, name);
    case "string":
      return textOf(schema, name);
    case "array":
      return fc.array(inner(schema.items ?? {}), {
        minLength: Math.min(schema.minItems ?? 0, 3),
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case "object":
      return objectOf(document, schema);
    default:
      return anything;
  }
}

function integerOf({ minimum, maximum }: Schema, name: string): fc.Arbitrary<number> {
  if (name.startsWith("wait")) return fc.constantFrom(0, 0, 0, 1);
  const low = Math.max(minimum ?? -(2 ** 53), -(2 ** 53) + 1);
  const high = Math.min(maximum ?? 2 ** 53, 2 ** 53 - 1);
  const near = [low, high, low + 1, high - 1].filter((n) => n >= low && n <= high);
  return fc.oneof(
    fc.constantFrom(...near),
    fc.integer({ min: low, max: Math.min(high, low + 100) }),
  );
}

function textOf({ minLength = 0, maxLength = 1000, format }: Schema, name: string) {
  const kind = TOKENS[name];
  if (kind) return fc.oneof({ weight: 9, arbitrary: known(kind) }, hostileText);
  if (name === "url" || format === "uri") {
    // The service itself and a closed port: no request leaves this machine.
    return fc.constantFrom(
      "@@base@@/api/catch/@@wh:0@@",
      "@@base@@/api/health",
      "http://127.0.0.1:9/",
    );
  }
  if (name === "external_id" || name.includes("label")) return fc.constantFrom("a", "b", "done");
  if (format === "email" || name === "email" || name === "login_hint") {
    return fc.constantFrom("someone@example.com", "@example.com", "a@b");
  }
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 60) });
}

function objectOf(document: Document, schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, validValue(document, one, name)]),
    ),
    { requiredKeys: required, noNullPrototype: true },
  );
  if (typeof additionalProperties !== "object") return named;
  const key = fc.constantFrom("x-one", "X-Two", "content-type", "accept", "user-agent");
  return fc.dictionary(key, validValue(document, additionalProperties), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

/** A request body: mostly valid, else with a wrong property, cut off, or hostile. */
export function bodyText(document: Document, given: Schema): fc.Arbitrary<string> {
  const schema = document.schema(given);
  const valid = validValue(document, schema);
  const names = [...propertyNames(document, schema), "unexpected", "__proto__", "constructor", ""];
  const wrong = fc
    .tuple(valid, fc.constantFrom(...names), anything, fc.nat(9))
    .map(([value, name, replacement, kind]) => {
      const members = Object.entries(typeof value === "object" ? (value ?? {}) : {});
      const kept = members.filter(([key]) => key !== name);
      if (kind === 0) return textOfMembers(kept);
      if (kind === 1) return textOfMembers([...members, [name, replacement], [name, null]]);
      return textOfMembers([...kept, [name, replacement]]);
    });
  const whole = valid.map((value) => JSON.stringify(value));
  const cut = fc.tuple(whole, fc.nat(200)).map(([text, at]) => text.slice(0, at));
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    { weight: 5, arbitrary: wrong },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
  );
}

const HOSTILE_BODIES = [
  "",
  " ",
  "null",
  "[]",
  "0",
  '""',
  "{",
  "{}{}",
  "\ufeff{}",
  '{"name":1e999}',
  '{"name":"\\ud800"}',
  '{"limit":1.0,"lease_seconds":3e1}',
  `{"name":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
  `{"name":"x","labels":[${Array(20_000).fill('"a"').join()}]}`,
  `{${Array.from({ length: 5000 }, (_, i) => `"p${i}":0`).join()}}`,
  "name=x&labels=y",
  "<xml/>",
];

/** Including those of every alternative. */
function propertyNames(document: Document, given: Schema): string[] {
  const schema = document.schema(given);
  const options = schema.anyOf ?? schema.oneOf ?? [];
  return [
    ...Object.keys(schema.properties ?? {}),
    ...options.flatMap((option) => propertyNames(document, option)),
  ];
}

function textOfMembers(members: [string, unknown][]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`).join()}}`;
}
