import { z } from "zod";
import { nameList } from "./schemas";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Turns schemas into JSON Schema for one document, and collects those with a name. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** A reference to the schema if it has a name, else the schema itself. */
  describe(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    nameList(schema);
    const converted = z.toJSONSchema(schema, { io, target: "draft-2020-12", override: simplify });
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

/** Writes a component that has all properties of another as `allOf` that one and the rest. */
export function shareProperties(
  components: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  const bySize = Object.entries(components).sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => {
      const base = bySize.find(
        ([other, { properties }]) =>
          other !== name && properties && extendsIt(schema, components[other] ?? {}),
      );
      return [name, base ? extensionOf(schema, base[0], base[1]) : schema];
    }),
  );
}

function sizeOf({ properties = {} }: JsonSchema): number {
  return Object.keys(properties).length;
}

function extendsIt(schema: JsonSchema, base: JsonSchema): boolean {
  const { properties, required = [] } = schema;
  // What refuses other properties cannot be one part of a whole.
  if (!properties || schema.additionalProperties === false || base.additionalProperties === false)
    return false;
  if (sizeOf(base) < 4 || sizeOf(base) >= sizeOf(schema)) return false;
  return (
    (base.required ?? []).every((name) => required.includes(name)) &&
    Object.entries(base.properties ?? {}).every(
      ([name, property]) =>
        JSON.stringify(property) === JSON.stringify(properties[name]) &&
        required.includes(name) === (base.required ?? []).includes(name),
    )
  );
}

function extensionOf(schema: JsonSchema, name: string, base: JsonSchema): JsonSchema {
  const inherited = (property: string) => Object.hasOwn(base.properties ?? {}, property);
  const { properties = {}, required = [], type, ...rest } = schema;
  const own = required.filter((property) => !inherited(property));
  return {
    ...rest,
    allOf: [
      { $ref: `#/components/schemas/${name}` },
      {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(properties).filter(([property]) => !inherited(property)),
        ),
        ...(own.length > 0 && { required: own }),
      },
    ],
  };
}

function withComponentReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** Leaves out what says nothing: zod writes the bounds of safe integers, and closes every answer. */
function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: JsonSchema;
}) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  if (def.type === "nullable") flattenNullable(jsonSchema);
}

/** `type: [string, null]` is read by more generators than `anyOf`, and is shorter. */
function flattenNullable(jsonSchema: JsonSchema) {
  const [inner, ...others] = jsonSchema.anyOf ?? [];
  if (others.length !== 1 || typeof inner?.type !== "string") return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, inner, {
    type: [inner.type, "null"],
    ...(inner.enum && { enum: [...inner.enum, null] }),
    ...(jsonSchema.description !== undefined && { description: jsonSchema.description }),
  });
}
