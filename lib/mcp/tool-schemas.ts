import { z } from "zod";
import { type JsonSchema, toJsonSchema } from "@/lib/http/json-schema";
import { ownArguments } from "./arguments";
import type { Tool } from "./tool";

/** The root of a tool's schema. */
export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
  properties: Record<string, JsonSchema>;
}

/** The JSON Schema of a tool's arguments, from its operation's path, query and body. */
export function inputSchema(tool: Tool): ObjectSchema {
  const { operation, defaults = {}, maximum = {} } = tool;
  const properties: ObjectSchema["properties"] = {};
  const required: string[] = [];
  const parts = [ownArguments(tool), operation.query, operation.body];
  for (const part of parts) {
    const described = part ? plain(toJsonSchema(part, "input")) : {};
    Object.assign(properties, asArguments(described.properties));
    required.push(...(described.required ?? []));
  }
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

/** The JSON Schema of a tool's result, from what its operations return. */
export function outputSchema({ operation, alternative }: Tool): ObjectSchema {
  const schemas = [operation, alternative?.operation ?? []]
    .flat()
    .map(({ success }) => plain(toJsonSchema(success.schema ?? z.object({}), "output")));
  const [first = {}] = schemas;
  const shape: JsonSchema = schemas.length > 1 ? { anyOf: schemas } : first;
  return { ...shape, type: "object", properties: { ...NOTES, ...asProperties(shape.properties) } };
}

/** What a result has besides the operation's response. */
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

/** Query parameters are texts in a URL; arguments have their real types. */
function asArguments(properties: JsonSchema["properties"]): ObjectSchema["properties"] {
  return Object.fromEntries(
    Object.entries(asProperties(properties)).map(([name, { query, ...schema }]) => {
      const { description } = schema;
      return [name, query ? { ...Object(query), ...(description && { description }) } : schema];
    }),
  );
}

/** Without references, which some clients cannot resolve, and without examples. */
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

/** A property may have one of these names too, but then its value is a schema. */
function isNoise(keyword: string, value: unknown): boolean {
  if (keyword === "examples") return Array.isArray(value);
  return keyword === "id" && typeof value === "string";
}
