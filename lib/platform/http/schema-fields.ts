import * as z from "zod";

/** The schema at this path of a document. */
export function fieldAt(schema: z.ZodObject, path: PropertyKey[]): z.ZodType | undefined {
  let field: unknown = schema;
  for (const key of path) {
    const inner = unwrap(field);
    if (inner instanceof z.ZodObject) {
      field = Object.hasOwn(inner.shape, key) ? inner.shape[String(key)] : undefined;
    } else if (inner instanceof z.ZodArray) field = inner.element;
    else return undefined;
  }
  return field instanceof z.ZodType ? field : undefined;
}

/** The sentence about a field, without Markdown, for a form. Dots lead into an object. */
export function sentenceOf(schema: z.ZodObject, name: string): string | undefined {
  const field = fieldAt(schema, name.split("."));
  const inner = field instanceof z.ZodOptional ? z.globalRegistry.get(field.unwrap()) : undefined;
  return (field?.description ?? inner?.description)?.replaceAll("`", "");
}

export function isArray(schema: z.ZodObject, name: string): boolean {
  return unwrap(fieldAt(schema, [name])) instanceof z.ZodArray;
}

/** Unwraps optional, nullable and transforming schemas. */
export function unwrap(field: unknown): unknown {
  let inner = field;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPipe
  ) {
    inner = inner instanceof z.ZodPipe ? inner.in : inner.unwrap();
  }
  return inner;
}
