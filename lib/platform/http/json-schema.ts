import * as z from "zod";
import { exampleOf } from "./example";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of a contract, without redundant keywords. Named schemas are in `$defs`. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    override: io === "output" ? simplifyOutput : simplify,
  });
}

interface Conversion {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: JsonSchema;
}

/** For responses, which later versions may extend. */
function simplifyOutput(conversion: Conversion) {
  simplify(conversion);
  if (conversion.jsonSchema.additionalProperties === false) {
    delete conversion.jsonSchema.additionalProperties;
  }
}

/** Drops redundant keywords: zod emits safe-integer bounds of every integer, and types next to constants. */
function simplify({ zodSchema, jsonSchema }: Conversion) {
  if (zodSchema._zod.def.type === "number") dropImpliedBounds(zodSchema, jsonSchema);
  delete jsonSchema.propertyNames;
  if (JSON.stringify(jsonSchema.additionalProperties) === "{}") {
    delete jsonSchema.additionalProperties;
  }
  // zod drops the examples of a body with transforms.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples && !jsonSchema.$ref) jsonSchema.examples = [exampleOf(zodSchema)];
  const { def } = zodSchema._zod;
  if (def.type === "object" && !def.catchall) delete jsonSchema.additionalProperties;
  const isFixed = jsonSchema.const !== undefined || jsonSchema.enum;
  if (isFixed && typeof jsonSchema.type === "string") delete jsonSchema.type;
  if (def.type === "nullable") flattenNullable(jsonSchema);
}

/** Drops the bounds of every integer, unless the schema gives them itself. */
function dropImpliedBounds(zodSchema: z.core.$ZodTypes, jsonSchema: JsonSchema) {
  const checks = zodSchema._zod.def.checks?.map(({ _zod }) => _zod.def.check) ?? [];
  const { minimum, maximum } = jsonSchema;
  if (minimum === Number.MIN_SAFE_INTEGER && !checks.includes("greater_than")) {
    delete jsonSchema.minimum;
  }
  if (maximum === Number.MAX_SAFE_INTEGER && !checks.includes("less_than")) {
    delete jsonSchema.maximum;
  }
}

/**
 * More generators support `type: [string, null]` than `anyOf`, and it is shorter. Without a type
 * beside it, some take an enum with null for one without.
 */
function flattenNullable(jsonSchema: JsonSchema) {
  const [inner, ...others] = jsonSchema.anyOf ?? [];
  if (others.length !== 1 || !(typeof inner?.type === "string" || inner?.enum)) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, inner, {
    type: [inner.type ?? "string", "null"],
    ...(inner.enum && { enum: [...inner.enum, null] }),
    ...(jsonSchema.description !== undefined && { description: jsonSchema.description }),
  });
}
