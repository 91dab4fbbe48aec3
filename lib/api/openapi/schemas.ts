import * as z from "zod";
import { type JsonSchema, toJsonSchema } from "@/lib/platform/http/json-schema";

/**
 * Converts schemas to JSON Schema for one document and collects the named ones, those of responses
 * without their examples if these are not wanted.
 */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};
  readonly #hasResponseExamples: boolean;

  constructor({ hasResponseExamples }: { hasResponseExamples: boolean }) {
    this.#hasResponseExamples = hasResponseExamples;
  }

  /** A reference if the schema is named, else the schema itself. */
  describe(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    nameList(schema);
    const json = JSON.stringify(toJsonSchema(schema, io));
    const {
      $schema: _,
      $defs = {},
      ...rest
    }: JsonSchema = JSON.parse(json.replaceAll('"#/$defs/', '"#/components/schemas/'));
    for (const [name, definition] of Object.entries($defs)) {
      if (io === "output" && !this.#hasResponseExamples) delete definition.examples;
      const known = this.components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`The schema ${name} differs between input and output and needs two names.`);
      }
      this.components[name] = definition;
    }
    return rest;
  }
}

/** Names a list after its items, if they are named. */
function nameList(schema: z.ZodType) {
  if (!(schema instanceof z.ZodObject) || nameOf(schema) !== undefined) return;
  const { data } = schema.shape;
  const item = data instanceof z.ZodArray ? nameOf(data.element) : undefined;
  if (item === undefined) return;
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id: `${item}List` });
}

/** The schema's name in the document, if any. */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}
