import { z } from "zod";
import { nameList } from "./schemas";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Turns schemas into JSON Schema for one document, and collects those with a name. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** A reference to the schema if it has a name, else the schema itself. */
  describe(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    nameList(schema);
    const converted = z.toJSONSchema(schema, {
      io,
      target: "draft-2020-12",
      override: io === "output" ? simplifyAnswer : simplify,
    });
    const { $schema: _, $defs = {}, ...rest } = withComponentReferences(converted);
    for (const [name, definition] of Object.entries($defs)) {
      const known = this.components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`The schema ${name} reads and writes differently: it needs two names.`);
      }
      this.components[name] = definition;
    }
    return rest;
  }
}

/** Writes a component that has all properties of others as `allOf` those, the largest first, and the rest. */
export function shareProperties(
  components: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const bySize = Object.entries(components).sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [name, asExtension(schema, bySize)]),
  );
}

function asExtension(schema: JsonSchema, bySize: [string, JsonSchema][]): JsonSchema {
  const bases: string[] = [];
  let own = schema;
  for (const [name, base] of bySize) {
    if (!extendsIt(own, base)) continue;
    bases.push(name);
    own = without(own, base);
  }
  if (bases.length === 0) return schema;
  const { description, ...rest } = own;
  return {
    ...(description !== undefined && { description }),
    allOf: [
      ...bases.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      ...(sizeOf(rest) > 0 ? [rest] : []),
    ],
  };
}

function sizeOf({ properties = {} }: JsonSchema): number {
  return Object.keys(properties).length;
}

function extendsIt(schema: JsonSchema, base: JsonSchema): boolean {
  const { properties, required = [] } = schema;
  // What refuses other properties cannot be one part of a whole.
  if (!properties || schema.additionalProperties === false || base.additionalProperties === false)
    return false;
  if (sizeOf(base) < 4 || base === schema) return false;
  return Object.entries(base.properties ?? {}).every(
    ([name, property]) =>
      JSON.stringify(property) === JSON.stringify(properties[name]) &&
      required.includes(name) === (base.required ?? []).includes(name),
  );
}

function without(schema: JsonSchema, base: JsonSchema): JsonSchema {
  const inherited = (property: string) => Object.hasOwn(base.properties ?? {}, property);
  const { properties = {}, required = [], examples = [], ...rest } = schema;
  const left = required.filter((property) => !inherited(property));
  const own = (value: object) =>
    Object.fromEntries(Object.entries(value).filter(([property]) => !inherited(property)));
  return {
    ...rest,
    properties: own(properties),
    ...(examples.length > 0 && { examples: examples.map((one) => own(Object(one))) }),
    ...(left.length > 0 && { required: left }),
  };
}

function withComponentReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

interface Conversion {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: JsonSchema;
}

/** In answers, where more properties may come with a later version. */
function simplifyAnswer(conversion: Conversion) {
  simplify(conversion);
  if (conversion.jsonSchema.additionalProperties === false) {
    delete conversion.jsonSchema.additionalProperties;
  }
}

/** Leaves out what says nothing: zod writes the bounds of safe integers, and types beside their values. */
function simplify({ zodSchema, jsonSchema }: Conversion) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
  if (JSON.stringify(jsonSchema.additionalProperties) === "{}") {
    delete jsonSchema.additionalProperties;
  }
  // zod drops the examples of a body in which something is transformed.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  if (def.type === "nullable") flattenNullable(jsonSchema);
  if (jsonSchema.const !== undefined || jsonSchema.enum) delete jsonSchema.type;
}

/** `type: [string, null]` is read by more generators than `anyOf`, and is shorter. */
function flattenNullable(jsonSchema: JsonSchema) {
  const [inner, ...others] = jsonSchema.anyOf ?? [];
  if (others.length !== 1 || !(typeof inner?.type === "string" || inner?.enum)) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, inner, {
    ...(inner.enum ? { enum: [...inner.enum, null] } : { type: [inner.type, "null"] }),
    ...(jsonSchema.description !== undefined && { description: jsonSchema.description }),
  });
}
