import * as z from "zod";
import { type JsonSchema, toJsonSchema } from "@/lib/platform/http/json-schema";
import type { Operation } from "@/lib/platform/http/operation";
import { ownArguments } from "./arguments";
import { type Tool, variantsOf } from "./tool";

/** The root of a tool's schema. */
export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
  properties: Record<string, JsonSchema>;
}

/** The JSON Schema of a tool's arguments, from its operations' paths, queries and bodies. */
export function inputSchema(tool: Tool): ObjectSchema {
  const { defaults = {}, maximum = {} } = tool;
  const properties: ObjectSchema["properties"] = {};
  const variants = variantsOf(tool).map((variant) => {
    const { query, body } = variant.operation;
    const parts = [ownArguments(tool, variant), query, body];
    return parts.map((part) => (part ? plain(toJsonSchema(part, "input")) : {}));
  });
  for (const [name, schema] of variants.flat().flatMap((part) => argumentsOf(part))) {
    const known = properties[name];
    properties[name] = known ? either(known, schema) : schema;
  }
  const required = Object.keys(properties).filter((name) =>
    variants.every((parts) => parts.some((part) => part.required?.includes(name))),
  );
  for (const [name, value] of Object.entries(defaults)) {
    properties[name] = { ...properties[name], default: value };
  }
  for (const [name, value] of Object.entries(maximum)) {
    properties[name] = { ...properties[name], maximum: value };
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The JSON Schema of a tool's result: a response, or what the responses of all have in common. */
export function outputSchema(tool: Tool): ObjectSchema {
  const schemas = variantsOf(tool).map(({ operation }) => undescribed(resultSchema(operation)));
  const [first = {}, ...others] = schemas;
  const isCommon = ([name, schema]: [string, JsonSchema]) =>
    others.every((other) => JSON.stringify(other.properties?.[name]) === JSON.stringify(schema));
  const common = Object.entries(asProperties(first.properties)).filter(isCommon);
  const required = first.required?.filter((name) =>
    others.every((other) => other.required?.includes(name)),
  );
  return {
    ...first,
    type: "object",
    properties: { ...NOTES, ...Object.fromEntries(common) },
    ...(required && { required }),
  };
}

/** Without sentences: clients send this list to their models with each prompt. */
function undescribed(schema: JsonSchema): JsonSchema {
  const isSentence = (name: string, value: unknown) =>
    name === "description" && typeof value === "string";
  return JSON.parse(
    JSON.stringify(schema, (name, value) => (isSentence(name, value) ? undefined : value)),
  );
}

/** The JSON Schema of an operation's response within a tool's result. */
export function resultSchema(operation: Operation): JsonSchema {
  const known = results.get(operation) ?? plain(toJsonSchema(resultType(operation), "output"));
  results.set(operation, known);
  return known;
}

const results = new WeakMap<Operation, JsonSchema>();

function resultType({ success, takesArrivals }: Operation): z.ZodType {
  const { schema, contentType } = success;
  if (schema instanceof z.ZodObject && takesArrivals) {
    return schema.extend({ reply_url: z.string().optional() });
  }
  return schema ?? (contentType ? Reply : z.object({}));
}

/** A reply, which consists of bytes only over HTTP. */
const Reply = z.object({
  replied: z.boolean().describe("false: not yet"),
  content_type: z.string().nullable(),
  body: z.string().nullable(),
  body_encoding: z.enum(["utf8", "base64"]).nullable(),
});

/** The members of a result besides the operation's response. */
const NOTES = {
  warning: { type: "string", description: "Which parts are untrusted" },
  cut: { type: "array", items: { type: "string" }, description: "What was left out" },
} as const;

function asProperties(properties: JsonSchema["properties"] = {}): ObjectSchema["properties"] {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      typeof property === "object" ? property : {},
    ]),
  );
}

/** Query parameters are text in a URL; arguments have their real types. */
function argumentsOf({ properties }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(asProperties(properties)).map(([name, { query, ...schema }]) => {
    const { description } = schema;
    return [name, query ? { ...Object(query), ...(description && { description }) } : schema];
  });
}

/** The schema of an argument that two operations of a tool share. */
function either(first: JsonSchema, second: JsonSchema): JsonSchema {
  const { description: _, ...a } = first;
  const { description: __, ...b } = second;
  const known = first.anyOf ?? [first];
  const isKnown = [a, ...known].some((one) => JSON.stringify(one) === JSON.stringify(b));
  return isKnown ? first : { anyOf: [...known, second] };
}

/** Resolves references, which some clients cannot, and drops examples. */
function plain(schema: JsonSchema): JsonSchema {
  const { $schema: _, $defs = {}, ...rest } = schema;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value && typeof value.$ref === "string") {
      return inline($defs[value.$ref.replace("#/$defs/", "")] ?? {});
    }
    const kept = Object.entries(value).filter(([name, inner]) => !isNoise(name, inner));
    const isText = "enum" in value && isTexts(value.enum); // some clients require a type
    return Object.fromEntries([
      ...(isText ? [["type", "string"]] : []),
      ...kept.map(([name, inner]) => [name, inline(inner)]),
    ]);
  };
  return Object(inline(rest));
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}

/** Tells a keyword from a property of the same name, whose value is a schema. */
function isNoise(keyword: string, value: unknown): boolean {
  if (keyword === "examples") return Array.isArray(value);
  return keyword === "id" && typeof value === "string";
}
