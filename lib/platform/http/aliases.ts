import type * as z from "zod";

/** The property aliases of each schema, by alias. */
const others = new WeakMap<z.ZodObject, Record<string, string>>();

/**
 * Accepts aliases for properties that have other names elsewhere in the API. Undocumented. Call it
 * last: derived schemas do not inherit them.
 */
export function withAliases<Schema extends z.ZodObject>(
  schema: Schema,
  aliases: Record<string, keyof z.input<Schema> & string>,
): Schema {
  others.set(schema, aliases);
  return schema;
}

/** A copy of the schema that rejects unknown properties. */
export function strict(schema: z.ZodObject): z.ZodObject {
  const aliases = others.get(schema);
  return aliases ? withAliases(schema.strict(), aliases) : schema.strict();
}

/** Resolves an alias to the property's name. */
export function canonicalName(schema: z.ZodObject, name: string): string {
  const aliases = others.get(schema);
  return aliases && Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

export function hasAliases(schema: z.ZodObject): boolean {
  return others.has(schema);
}
