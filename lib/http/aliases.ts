import type { z } from "zod";

/** The other names under which each schema's properties are accepted, by the other name. */
const others = new WeakMap<z.ZodObject, Record<string, string>>();

/**
 * Accepts further names for properties that are called differently elsewhere in the interface; the
 * documents show the schema's own. Call it last: a schema derived from this one does not inherit them.
 */
export function withAliases<Schema extends z.ZodObject>(
  schema: Schema,
  aliases: Record<string, keyof z.input<Schema> & string>,
): Schema {
  others.set(schema, aliases);
  return schema;
}

/** The same schema, which rejects unknown properties. */
export function strict(schema: z.ZodObject): z.ZodObject {
  const aliases = others.get(schema);
  return aliases ? withAliases(schema.strict(), aliases) : schema.strict();
}

/** The schema's own name of a property that may have been sent under another. */
export function ownName(schema: z.ZodObject, name: string): string {
  const aliases = others.get(schema);
  return aliases && Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

export function hasAliases(schema: z.ZodObject): boolean {
  return others.has(schema);
}
