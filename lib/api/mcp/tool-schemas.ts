import * as z from "zod";
import { type JsonSchema, toJsonSchema } from "@/lib/platform/http/json-schema";
import type { Operation } from "@/lib/platform/http/operation";
import { memoize } from "@/lib/platform/memoize";
import { ownArguments } from "./arguments";
import { isTime } from "./time";
import type { Tool, Variant } from "./tool";

/** The root of a tool's schema. */
interface ObjectSchema {
  type: "object";
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/**
 * The JSON Schema of a tool's arguments, from its operations' paths, queries and bodies. It has
 * names, types and words. The bounds are left to the error messages: clients send this list to
 * their model with every prompt.
 */
export function inputSchema({ variants, words = {}, terse, unlisted = [] }: Tool): ObjectSchema {
  const parts = variants.map(argumentsOf);
  const properties: ObjectSchema["properties"] = {};
  const listed = parts.flatMap((part) => part.listed);
  const isLast = ([name]: [string, JsonSchema]) => LAST.includes(name);
  for (const [name, schema] of [
    ...listed.filter((one) => !isLast(one)),
    ...listed.filter(isLast),
  ]) {
    if (unlisted.includes(name)) continue;
    const known = properties[name];
    properties[name] = known ? either(known, schema) : schema;
  }
  for (const [name, { description: told, ...rest }] of Object.entries(properties)) {
    const { properties: _, ...flat } = rest;
    const own = words[name];
    const description = own ?? (terse ? undefined : told);
    properties[name] = {
      ...(own ? flat : rest),
      ...(description && { description }),
    };
  }
  const required = Object.keys(properties).filter((name) =>
    parts.every((part) => part.required.includes(name)),
  );
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** The arguments that most calls do without. */
const LAST = ["external_id", "claim_with", "idempotency_key"];

interface Listed {
  listed: [string, JsonSchema][];
  required: string[];
}

const argumentsOf = memoize((variant: Variant): Listed => {
  const { operation, when = {}, renamed = {}, defaults = {} } = variant;
  const { query, body, method } = operation;
  const nameOf = (field: string) =>
    Object.keys(renamed).find((name) => renamed[name] === field) ?? field;
  const own = plain(toJsonSchema(ownArguments(variant), "input"));
  const fields = [query, body].map((part) => (part ? plain(toJsonSchema(part, "input")) : {}));
  const named = ({ properties = {} }: JsonSchema, nameIn: (field: string) => string) =>
    Object.entries(properties).map(([field, property]): [string, JsonSchema] => {
      const name = nameIn(field);
      return [name, brief(name, Object(property), { isNullable: method === "PATCH" })];
    });
  const listed = [...named(own, (name) => name), ...fields.flatMap((part) => named(part, nameOf))];
  const given = Object.keys(when).filter((name) => when[name] !== null);
  const needed = fields.flatMap((part) => (part.required ?? []).map(nameOf));
  const required = [...given, ...(own.required ?? []), ...needed];
  return { listed, required: required.filter((name) => !(name in defaults)) };
});

/** The longest description of an argument. */
const DESCRIPTION_CHARACTERS_MAX = 60;

/** An argument's type and the beginning of its description. */
function brief(
  name: string,
  { description, ...own }: JsonSchema,
  { isNullable, isInside = false }: { isNullable: boolean; isInside?: boolean },
): JsonSchema {
  // Query parameters are text in a URL; arguments have their real types.
  const { type, enum: values = [], items, properties } = Object(own.query ?? own);
  const allowed = values.filter((one: unknown) => isNullable || one !== null);
  const isFlag = allowed.join() === "true,false";
  const types = [isFlag ? "boolean" : (type ?? [])]
    .flat()
    .filter((one: unknown) => isNullable || one !== "null");
  if (isTime(name) && types.includes("integer")) types.push("string");
  const said = isTime(name) ? "Unix seconds or RFC 3339" : firstOf(description);
  return {
    ...(types.length > 0 && { type: types.length > 1 ? types : types[0] }),
    ...(allowed.length > 0 && !isFlag && { enum: allowed }),
    ...(items && { items: brief("", items, { isNullable: false }) }),
    ...(properties &&
      !isInside && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([inner, one]) => [
            inner,
            brief(inner, Object(one), { isNullable: false, isInside: true }),
          ]),
        ),
      }),
    ...(said && { description: said }),
  };
}

/** The beginning of a description: what fits. */
function firstOf(description = ""): string {
  const [first = ""] = description.replace(/^Repeatable: /, "").split(/[.;]( |$)/);
  return first.length <= DESCRIPTION_CHARACTERS_MAX ? first : "";
}

/** The schema of an argument that two operations of a tool share. */
function either(first: JsonSchema, second: JsonSchema): JsonSchema {
  const types = [...new Set([first.type ?? [], second.type ?? []].flat())];
  const isListed = first.enum && second.enum;
  const { description = second.description } = first;
  const { properties = second.properties, items = second.items } = first;
  return Object({
    ...(first.type && second.type && { type: types.length > 1 ? types : types[0] }),
    ...(isListed && { enum: [...new Set([...(first.enum ?? []), ...(second.enum ?? [])])] }),
    ...(items && { items }),
    ...(properties && { properties }),
    ...(description !== undefined && { description }),
  });
}

/** The JSON Schema of an operation's response within a tool's result. */
export const resultSchema = memoize((operation: Operation) =>
  plain(toJsonSchema(resultType(operation), "output")),
);

function resultType({ success, takesArrivals }: Operation): z.ZodType {
  const { schema, contentType } = success;
  if (schema instanceof z.ZodObject && takesArrivals) {
    return schema.extend({ reply_url: z.string().optional() });
  }
  return schema ?? (contentType ? Bytes : z.object({}));
}

/** A response that consists of bytes over HTTP. */
const Bytes = z.object({
  replied: z.boolean().optional(),
  content_type: z.string().nullable(),
  body: z.string().nullable(),
  body_encoding: z.enum(["utf8", "base64"]).nullable(),
});

/** Resolves references, which some clients cannot. */
function plain(schema: JsonSchema): JsonSchema {
  const { $schema: _, $defs = {}, ...rest } = schema;
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value && typeof value.$ref === "string") {
      return inline($defs[value.$ref.replace("#/$defs/", "")] ?? {});
    }
    const isText = "enum" in value && isTexts(value.enum); // some clients require a type
    return Object.fromEntries([
      ...(isText ? [["type", "string"]] : []),
      ...Object.entries(value).map(([name, inner]) => [name, inline(inner)]),
    ]);
  };
  return Object(inline(rest));
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}
