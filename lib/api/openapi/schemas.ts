import type * as z from "zod";
import { nameList } from "@/lib/api/schemas";
import { type JsonSchema, toJsonSchema } from "@/lib/platform/http/json-schema";

/** Converts schemas to JSON Schema for one document and collects the named ones. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** A reference if the schema is named, else the schema itself. */
  describe(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    nameList(schema);
    const converted = toJsonSchema(schema, io);
    const { $schema: _, $defs = {}, ...rest } = withComponentReferences(converted);
    for (const [name, definition] of Object.entries($defs)) {
      const known = this.components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`The schema ${name} differs between input and output and needs two names.`);
      }
      this.components[name] = definition;
    }
    return rest;
  }
}

/** Rewrites a component with all properties of others as `allOf`, largest first, plus the rest. */
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
  // A strict schema cannot be part of an `allOf`.
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
